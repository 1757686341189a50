"""Installed translation models, and a project's choice of one."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from anaphora.core.language_pair import LanguagePair
from anaphora.core.untrusted import read_json

MODEL_SETTING = "model"
"""Name of the project setting for the model; the value is a text from `ChosenModel.to_text`."""
LANGUAGES_SETTING = "languages"
"""Name of the project setting for the languages; the value is a text from `LanguagePair.to_text`, or "" if
the user has not chosen any."""


@dataclass(frozen=True, slots=True)
class ModelText:
    """A text that comes with a model, such as its card or a licence."""

    text: str
    is_markdown: bool = False


@dataclass(frozen=True, slots=True)
class InstalledModel:
    """A model on this computer.

    Attributes:
        kind: the toolkit that wrote the model; "" if the model's card cannot be read.
        size: size of the model's files in bytes.
        texts: the model's card and licences.
    """

    folder: Path
    name: str
    kind: str
    pair: LanguagePair
    size: int
    texts: tuple[ModelText, ...] = ()


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """A project's model as the project stores it, even if the model is no longer installed.

    Attributes:
        folder: name of the model's folder among the installed models; "" for the app's own model.
        name: the model's name for the user.
        source, target: the codes of the model's languages.
    """

    folder: str = ""
    name: str = ""
    source: str = "zh"
    target: str = "en"

    @classmethod
    def of(cls, model: InstalledModel) -> ChosenModel:
        return cls(model.folder.name, model.name, model.pair.source, model.pair.target)

    @classmethod
    def from_text(cls, text: str) -> ChosenModel:
        """The inverse of `to_text`; the app's own model for an invalid text."""
        try:
            values = read_json(text)
            return cls(**{name: str(values[name]) for name in ("folder", "name", "source", "target")})
        except (ValueError, KeyError, TypeError):
            return cls()

    def to_text(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)

    @property
    def pair(self) -> LanguagePair:
        return LanguagePair(self.source, self.target)


def languages_of(model: str, languages: str) -> LanguagePair:
    """A project's languages: those that the user has chosen, otherwise those of the project's model.

    Args:
        model, languages: the values of the project settings `MODEL_SETTING` and `LANGUAGES_SETTING`.
    """
    return LanguagePair.from_text(languages) or ChosenModel.from_text(model).pair
