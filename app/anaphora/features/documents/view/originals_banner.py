"""Says which files of a project are not looked at."""

from __future__ import annotations

from anaphora.editor.widgets.banner import LinkBanner


class OriginalsBanner(LinkBanner):
    """Hidden unless a project names files that the user has not given to the app; its link tells which."""

    def show_undecided(self, count: int) -> None:
        text = self.tr(
            "This project comes from elsewhere: the files that it names are not looked at. "
            '<a href="#files">Which files?</a>'
        )
        self.setText(text)
        self.setVisible(count > 0)
