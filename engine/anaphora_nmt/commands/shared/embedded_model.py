"""The path of the included model."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from anaphora_nmt.errors import ModelFileError


def embedded_model() -> Path:
    """Folder of the embedded default model. ModelFileError: the resources are not installed."""
    try:
        return Path(str(files("anaphora_resources"))) / "models" / "zh-en"
    except ModuleNotFoundError as error:
        raise ModelFileError(
            "The embedded model is not installed; give a model folder with --model."
        ) from error
