"""The sentencepiece models of a folder: which file cuts the source, and which the target."""

from __future__ import annotations

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.files import ModelFiles

_ENDS = (".spm", ".model")
_BYTE_PAIRS = b"#version:"
"""How a table of subword-nmt begins."""
_SIDES = (("src", "source"), ("trg", "tgt", "target"))


def find_sentencepieces(files: ModelFiles) -> tuple[str, str]:
    """The names of both sides' files, or twice the name of the only one; else ModelFileError."""
    names = [name for name in files.names() if name.endswith(_ENDS)]
    for name in names:
        if files.start(name, len(_BYTE_PAIRS)) == _BYTE_PAIRS:
            raise ModelFileError(
                "{file} is no sentencepiece model; Anaphora does not read models that cut words differently.",
                file=files.folder / name,
            )
    own = [next((name for name in names if name.startswith(starts)), None) for starts in _SIDES]
    if own[0] is not None and own[1] is not None:
        return own[0], own[1]
    if len(names) == 1 and own == [None, None]:
        return names[0], names[0]
    missing = "vocab.spm" if not names else "source.spm" if own[0] is None else "target.spm"
    raise ModelFileError(
        "{file} is missing from the model in {folder}. Install the model again.",
        file=missing,
        folder=files.folder,
    )
