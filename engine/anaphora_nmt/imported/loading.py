"""Import and load models of other toolkits.

An imported model keeps its toolkit's files. An additional file, the card `anaphora.json`, contains its name,
the chosen pair of languages, and the configuration of the memories.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

from torch import Tensor

from anaphora_nmt.config import from_dict, to_dict
from anaphora_nmt.errors import ConfigError, LanguageNeededError, ModelFileError
from anaphora_nmt.files import write_json
from anaphora_nmt.imported.ctranslate2_folder import files_outside, read_ctranslate2
from anaphora_nmt.imported.ctranslate2_weights import has_ctranslate2_model
from anaphora_nmt.imported.files import ModelFiles, Progress, copy, damaged, is_archive, reading, unpack
from anaphora_nmt.imported.hugging_face import read_hugging_face_marian, read_m2m100
from anaphora_nmt.imported.languages import Languages
from anaphora_nmt.imported.marian_folder import has_marian_model, read_marian
from anaphora_nmt.imported.model import ModelContent, build
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.memory.confirmed import ConfirmedConfig
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.models.bundle import Bundle, load_bundle, save_memory

_MAX_DEPTH = 3
"""Number of folder levels to search; in Argos packages, for example, the model is in a subfolder."""


class Kind(Enum):
    """A kind of model; its value is its name for users."""

    HUGGING_FACE_MARIAN = "OPUS-MT (Hugging Face Marian)"
    M2M100 = "M2M100, NLLB-200 (Hugging Face)"
    MARIAN = "Marian (.npz, Bergamot's .bin)"
    CTRANSLATE2 = "CTranslate2 (Argos packages too)"


_MODEL_TYPES = {"marian": Kind.HUGGING_FACE_MARIAN, "m2m_100": Kind.M2M100}
"""Kinds by the `model_type` in a Hugging Face folder's config.json."""


def find_model(folder: Path) -> tuple[Kind, ModelFiles]:
    """The only model in a folder or its subfolders; ModelFileError for none, several, or an unknown kind."""
    folders = [folder]
    for _ in range(_MAX_DEPTH):
        models = [
            (kind, files) for each in folders if (kind := kind_of(files := ModelFiles(each))) is not None
        ]
        if len(models) > 1:
            raise ModelFileError(
                "{path} contains several models. Choose one of its folders: {names}.",
                path=folder,
                names=", ".join(files.folder.name for _, files in models),
            )
        if models:
            return models[0]
        folders = [
            inner for each in folders if each.is_dir() for inner in sorted(each.iterdir()) if inner.is_dir()
        ]
    raise ModelFileError(
        "{path} contains no supported model. Anaphora supports {kinds}.",
        path=folder,
        kinds=", ".join(kind.value for kind in Kind),
    )


def kind_of(files: ModelFiles) -> Kind | None:
    """The kind of model in a folder; None if there is none; ModelFileError for an unknown `model_type`."""
    if not files.folder.is_dir():
        return None
    if has_ctranslate2_model(files):
        return Kind.CTRANSLATE2
    if "config.json" not in files:
        return Kind.MARIAN if has_marian_model(files) else None
    settings = Settings(files.folder / "config.json", files.read_json("config.json"))
    return settings.choice("model_type", _MODEL_TYPES) if "model_type" in settings else None


CARD = "anaphora.json"
_FORMAT = 1
_READERS: dict[Kind, Callable[[ModelFiles, Languages], ModelContent]] = {
    Kind.HUGGING_FACE_MARIAN: read_hugging_face_marian,
    Kind.M2M100: read_m2m100,
    Kind.MARIAN: read_marian,
    Kind.CTRANSLATE2: read_ctranslate2,
}
_OTHER_FORMATS = {".h5", ".msgpack", ".ot", ".onnx", ".zip"}
"""Suffixes of files that contain the same weights for other programs, and of archives."""


def unfitted_memory() -> MemoryConfig:
    """A memory of confirmed text whose gate opens only for very similar decoder states.

    In some models, even unrelated states are similar, so this gate opens less easily than that of the shipped
    model. It is 0.5 at a cosine of 0.9, and 0.01 at 0.7.
    """
    careful = ConfirmedConfig(gate_bias=-20.7, gate_context=0.0, gate_state=23.0)
    return MemoryConfig({"confirmed": careful}, drafts=False)


def is_imported(folder: Path) -> bool:
    """True if a folder contains a model of another toolkit; ModelFileError for an unknown kind."""
    return kind_of(ModelFiles(folder)) is not None


def load_model(folder: Path) -> Bundle:
    """Load a model folder of this project or another toolkit; see `load_bundle` and `load_imported`."""
    return load_imported(folder) if is_imported(folder) else load_bundle(folder)


def load_imported(folder: Path, languages: Languages = Languages()) -> Bundle:
    """Load a model of another toolkit on the CPU in float32; `languages` override those in its card."""
    kind, files = find_model(folder)
    card = _card(files)
    chosen = Languages(
        languages.source or card["languages"].source, languages.target or card["languages"].target
    )
    with reading(files.folder):
        content = _READERS[kind](files, chosen)
    model = build(content.architecture, content.tensors)
    pair = content.languages.source, content.languages.target
    sides = content.source, content.target
    memory: tuple[MemoryConfig, dict[str, Tensor]] = card["memory"], {}
    return Bundle(
        card["name"], model, *sides, *memory, files.folder, languages=pair, shortlist=content.shortlist
    )


def import_model(
    path: Path,
    folder: Path,
    name: str = "",
    languages: Languages = Languages(),
    progress: Progress = lambda size: None,
    ask: bool = False,
) -> Bundle:
    """Copy a model from a folder or an archive into a separate folder, and load it from there.

    Args:
        folder: the new folder; it is not created if an error occurs.
        name: the model's name; "" means the name of `path` without its suffix.
        progress: see `Progress`.
        ask: True to raise LanguageNeededError also if the model does not declare its languages.
    Raises:
        LanguageNeededError: the model supports several languages and none is chosen.
        ModelFileError: the model cannot be loaded or written, or the folder exists.
    """
    if folder.exists():
        raise ModelFileError("{folder} already exists. Choose another folder.", folder=folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".import-", dir=folder.parent) as scratch:
            part = Path(scratch) / "model"
            if is_archive(path):
                unpack(path, Path(scratch) / "unpacked", progress)
            kind, source = find_model(Path(scratch) / "unpacked" if is_archive(path) else path)
            package_files = files_outside(source) if kind is Kind.CTRANSLATE2 else []
            if not package_files:
                # Check the model before copying gigabytes that may be useless.
                load_imported(source.folder, languages)
            part.mkdir()
            for each in (*map(source.path, _needed_names(source)), *package_files):
                copy(each, part / each.name, progress)
            bundle = load_imported(part, languages)
            if ask:
                _check_that_languages_are_known(bundle, path)
            chosen = {"source": bundle.languages[0], "target": bundle.languages[1]}
            write_card(part, name or path.stem, kind, Languages(**chosen), bundle.memory)
            part.replace(folder)
    except OSError as error:
        raise ModelFileError(
            "{path} cannot be read or written ({reason}). Check the file and the free space, and try again.",
            path=error.filename or path,
            reason=error.strerror,
        ) from error
    return load_imported(folder)


def _check_that_languages_are_known(bundle: Bundle, path: Path) -> None:
    pair = zip(("source", "target"), bundle.languages, strict=True)
    if unknown := tuple(side for side, language in pair if not language):
        raise LanguageNeededError(
            "The model in {folder} does not specify its languages; choose them.", unknown, folder=path
        )


def write_card(folder: Path, name: str, kind: Kind, languages: Languages, memory: MemoryConfig) -> None:
    pair = {"source": languages.source, "target": languages.target}
    values = {"format": _FORMAT, "name": name, "kind": kind.value, "languages": pair}
    write_json(folder / CARD, {**values, "memory": to_dict(memory)})


def rewrite_memory(folder: Path, memory: MemoryConfig) -> None:
    """Replace the memory configuration in a model folder of this project or another toolkit."""
    if not is_imported(folder):
        save_memory(folder, memory)
        return
    kind, files = find_model(folder)
    card = _card(files)
    if CARD in files:
        write_json(files.folder / CARD, {**files.read_json(CARD), "memory": to_dict(memory)})
    else:
        write_card(files.folder, card["name"], kind, card["languages"], memory)


def _card(files: ModelFiles) -> dict[str, Any]:
    """The name, languages and memory in a model's card; defaults if it has no card."""
    if CARD not in files:
        return {"name": files.folder.name, "languages": Languages(), "memory": unfitted_memory()}
    values = files.read_json(CARD)
    try:
        if values["format"] > _FORMAT:
            raise ModelFileError(
                "{folder} needs a newer version of Anaphora. Update Anaphora to use it.", folder=files.folder
            )
        languages = Languages(str(values["languages"]["source"]), str(values["languages"]["target"]))
        memory = from_dict(MemoryConfig, values["memory"])
        return {"name": str(values["name"]), "languages": languages, "memory": memory}
    except (KeyError, TypeError, ValueError, ConfigError) as error:
        raise damaged(files.folder / CARD, error) from error


def _needed_names(files: ModelFiles) -> list[str]:
    """Names of the files to copy: not those in `_OTHER_FORMATS`, nor pickles if there are safetensors."""
    names = [name for name in files.names() if Path(name).suffix not in _OTHER_FORMATS]
    if any(name.endswith(".safetensors") for name in names):
        names = [name for name in names if not name.startswith("pytorch_model")]
    return names
