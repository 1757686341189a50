"""Says that drafts will be weak."""

from __future__ import annotations

from anaphora.editor.widgets.banner import LinkBanner


class UnlikeBanner(LinkBanner):
    """Hidden unless the first drafts of a document are expected to be poor.
    Its link leads to the models that there are."""

    def show_unlike(self, unlike: bool) -> None:
        self.setText(
            self.tr(
                "This document is unlike what the offline model was trained on: expect weak drafts. Those in "
                'grey are only proposed: Tab takes one. <a href="#models">Get a better model</a>'
            )
        )
        self.setVisible(unlike)
