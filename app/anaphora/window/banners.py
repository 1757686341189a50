"""The lines over a document: why nothing is drafted, that drafts will be weak, what is not looked at."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from anaphora.core.direction import Pair
from anaphora.editor.appearance.language_names import language_name
from anaphora.editor.widgets.link_label import LinkLabel
from anaphora_text.punctuation import SENTENCE_ENDS, WIDE_SENTENCE_ENDS

_ENDS = tuple(SENTENCE_ENDS + WIDE_SENTENCE_ENDS)


class _Banner(QLabel):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # What a file or a library says is no markup.
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "banner")
        self.setWordWrap(True)
        self.hide()


class EngineBanner(_Banner):
    """Hidden until something is wrong with the model."""

    def show_problem(self, reason: str) -> None:
        ended = reason if reason.endswith(_ENDS) else reason + "."
        self.setText(
            self.tr("There is no translation model: {0} You can still edit and export.").format(ended)
        )
        self.show()


class ShortageBanner(_Banner):
    """Hidden unless the engine waits for memory."""

    def show_short(self, short: bool) -> None:
        self.setText(
            self.tr(
                "The memory of this computer is used up, so drafts wait; they go on by themselves when there "
                "is some again. Close other programs or documents. What you confirm is still saved."
            )
        )
        self.setVisible(short)


class PairBanner(_Banner):
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


class _LinkBanner(LinkLabel):
    """A banner whose link does something in the window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setOpenExternalLinks(False)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard)
        self.setProperty("role", "banner")
        self.hide()


class UnlikeBanner(_LinkBanner):
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


class OriginalsBanner(_LinkBanner):
    """Hidden unless a project names files that the user has not given to the app; its link tells which."""

    def show_undecided(self, count: int) -> None:
        text = self.tr(
            "This project comes from elsewhere: the files that it names are not looked at. "
            '<a href="#files">Which files?</a>'
        )
        self.setText(text)
        self.setVisible(count > 0)
