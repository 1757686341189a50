"""The path of the model that ships with the product."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from anaphora_nmt.errors import ModelFileError


def embedded_model() -> Path:
    """Folder of the embedded default model. ModelFileError: the resources are not installed."""
    try:
        folder = Path(str(files("anaphora_resources"))) / "models" / "zh-en"
    except ModuleNotFoundError as error:
        raise ModelFileError(
            "The embedded model is not installed; give a model folder with --model."
        ) from error
    return folder
