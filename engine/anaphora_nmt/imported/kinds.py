"""Which toolkit wrote a model, by what its files hold."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.ctranslate2_weights import holds_ctranslate2_model
from anaphora_nmt.imported.files import ModelFiles
from anaphora_nmt.imported.marian_folder import holds_marian_model
from anaphora_nmt.imported.settings import Settings

_DEPTH = 3
"""Folders in folders: an Argos package has its model in one."""


class Kind(Enum):
    """A kind of model; its value is what a reader calls it."""

    HUGGING_FACE_MARIAN = "OPUS-MT (Hugging Face Marian)"
    M2M100 = "M2M100, NLLB-200 (Hugging Face)"
    MARIAN = "Marian (.npz, Bergamot's .bin)"
    CTRANSLATE2 = "CTranslate2 (Argos packages too)"


_MODEL_TYPES = {"marian": Kind.HUGGING_FACE_MARIAN, "m2m_100": Kind.M2M100}
"""By `model_type` of a Hugging Face folder's config.json."""


def find_model(folder: Path) -> tuple[Kind, ModelFiles]:
    """The model in a folder, or in one inside it; ModelFileError: none, several, or of an unknown kind."""
    folders = [folder]
    for _ in range(_DEPTH):
        found = [
            (kind, files) for each in folders if (kind := kind_of(files := ModelFiles(each))) is not None
        ]
        if len(found) > 1:
            raise ModelFileError(
                "{path} holds several models; choose one of its folders: {names}.",
                path=folder,
                names=", ".join(files.folder.name for _, files in found),
            )
        if found:
            return found[0]
        folders = [
            inner for each in folders if each.is_dir() for inner in sorted(each.iterdir()) if inner.is_dir()
        ]
    raise ModelFileError(
        "{path} holds no model that Anaphora can read. It reads {kinds}.",
        path=folder,
        kinds=", ".join(kind.value for kind in Kind),
    )


def kind_of(files: ModelFiles) -> Kind | None:
    """The kind of model that a folder holds; None: it holds none; ModelFileError: an unknown one."""
    if not files.folder.is_dir():
        return None
    if holds_ctranslate2_model(files):
        return Kind.CTRANSLATE2
    if "config.json" not in files:
        return Kind.MARIAN if holds_marian_model(files) else None
    settings = Settings(files.folder / "config.json", files.read_json("config.json"))
    return settings.choice("model_type", _MODEL_TYPES) if "model_type" in settings else None
