"""The lines over a document that say why nothing is drafted."""

from __future__ import annotations

from anaphora.core.direction import Pair
from anaphora.editor.appearance.language_names import language_name
from anaphora.editor.widgets.banner import Banner
from anaphora_text.punctuation import SENTENCE_ENDS, WIDE_SENTENCE_ENDS

_ENDS = tuple(SENTENCE_ENDS + WIDE_SENTENCE_ENDS)


class EngineBanner(Banner):
    """Hidden until something is wrong with the model."""

    def show_problem(self, reason: str) -> None:
        ended = reason if reason.endswith(_ENDS) else reason + "."
        self.setText(
            self.tr("There is no translation model: {0} You can still edit and export.").format(ended)
        )
        self.show()


class ShortageBanner(Banner):
    """Hidden unless the engine waits for memory."""

    def show_short(self, short: bool) -> None:
        self.setText(
            self.tr(
                "The memory of this computer is used up, so drafts wait; they go on by themselves when there "
                "is some again. Close other programs or documents. What you confirm is still saved."
            )
        )
        self.setVisible(short)


class PairBanner(Banner):
    """Hidden unless the document goes another way than the project, or is in another language."""

    def show_pair(self, pair: Pair) -> None:
        if pair.foreign:
            text = self.tr(
                "Nothing in this document is in {0}, so nothing is drafted. Choose a model that translates "
                "its language in Translate, Models, or say what it goes from and into in Translate, "
                "Languages of the project."
            ).format(language_name(pair.languages.source))
        elif pair.elsewhere:
            text = self.tr(
                "The translations in this document are not in {0}, which the model writes, so drafting is "
                "paused. Say what it goes into in Translate, Languages of the project, or choose another "
                "model in Translate, Models."
            ).format(language_name(pair.languages.target))
        else:
            text = self.tr(
                "This document goes from {0} into {1}, the project's model the other way, so nothing is "
                "drafted here; editing, checks and export work. Another model is chosen in Translate, Models."
            ).format(language_name(pair.of_texts.source), language_name(pair.of_texts.target))
        self.setText(text)
        self.setVisible(pair.against or pair.foreign or pair.elsewhere)
