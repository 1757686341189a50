"""Initial weights from multilingual-e5-small, from a model folder or from a baseline run."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from anaphora_nmt.config import ModelConfig
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.models.bundle import Bundle, Uninitialised, fill, load_bundle
from anaphora_nmt.models.encoders import PretrainedTransformerEncoder
from anaphora_nmt.models.rnnsearch import RecurrentDecoder
from anaphora_nmt.models.transformer import TransformerDecoder
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.pretrained import read_pretrained
from anaphora_nmt.nn.transformer import TransformerDecoderLayer
from anaphora_nmt.text.vocabulary import Vocabulary

SOURCE, TARGET = "source.model", "target.model"


def is_model_folder(path: Path) -> bool:
    """True if `path` is a model folder, False for a general pretrained encoder."""
    return (path / "trained.safetensors").exists()


def open_origin(pretrained: Path | None) -> Path | Bundle | None:
    return load_bundle(pretrained) if pretrained is not None and is_model_folder(pretrained) else pretrained


def load_encoder_weights(
    encoder: PretrainedTransformerEncoder, prepared: Path, pretrained: Path | Bundle | None
) -> None:
    """Load an encoder's weights for a prepared vocabulary. ModelFileError if they are missing or do not fit.

    Args:
        pretrained: `e5-small-q4.bin`, or a model folder (or its `Bundle`) with the prepared vocabulary.
    """
    if pretrained is None:
        raise ModelFileError("A pretrained encoder needs the file of its weights: give --pretrained.")
    if isinstance(pretrained, Bundle) or is_model_folder(pretrained):
        bundle = _fitting_bundle(prepared, pretrained, SOURCE)
        _copy(bundle.model.encoder, encoder, bundle.folder)
    else:
        rows = torch.from_numpy(np.load(prepared / "rows.npy"))
        encoder.load_pretrained(read_pretrained(pretrained), rows)


def adopt(config: ModelConfig, prepared: Path, folder: Path | None) -> TranslationModel:
    """The unchanged model of a model folder, with as many frozen encoder layers as `config` has."""
    if folder is None or not is_model_folder(folder):
        raise ModelFileError(f"{folder} is not a model folder; give one with --pretrained.")
    bundle = _fitting_bundle(prepared, folder, SOURCE, TARGET)
    with Uninitialised():
        model = TranslationModel(config)
    for original, new in ((bundle.model.encoder, model.encoder), (bundle.model.decoder, model.decoder)):
        extra = dict(original.named_parameters()).keys() - dict(new.named_parameters()).keys()
        if extra:
            raise ModelFileError(f"The model in {folder} is of another shape: it has {min(extra)}, too.")
        _copy(original, new, folder)
    return model


def grow_from(model: TranslationModel, prepared: Path, origin: Path | Bundle) -> None:
    """Load the weights of a model folder, whose Transformer decoder may have fewer layers than `model`.

    The sublayers of new layers output zeros, so the grown model gives the same results. New layers come
    before the last one, whose first head was guided. ModelFileError if the model does not fit.
    """
    if not isinstance(origin, Bundle) and not is_model_folder(origin):
        raise ModelFileError(f"{origin} is not a model folder; give one with --initial.")
    bundle = _fitting_bundle(prepared, origin, SOURCE, TARGET)
    folder = bundle.folder
    smaller, new = bundle.model.decoder, model.decoder
    _copy(bundle.model.encoder, model.encoder, folder)
    if not (isinstance(smaller, TransformerDecoder) and isinstance(new, TransformerDecoder)):
        _copy(smaller, new, folder)
        return
    if len(smaller.layers) > len(new.layers):
        raise ModelFileError(
            f"The model in {folder} has {len(smaller.layers)} decoder layers, more than {len(new.layers)}."
        )
    while len(smaller.layers) < len(new.layers):
        smaller.layers.insert(len(smaller.layers) - 1, _identity_copy(smaller.layers[-2:][0]))
    _copy(smaller, new, folder)


def _identity_copy(layer: nn.Module) -> nn.Module:
    copied = copy.deepcopy(layer)
    assert isinstance(copied, TransformerDecoderLayer)
    for output in (copied.self_attention.output, copied.cross_attention.output, copied.down):
        nn.init.zeros_(output.weight)
        nn.init.zeros_(output.bias)
    return copied


def initialise_embeddings(model: TranslationModel, prepared: Path, pretrained: Path | Bundle | None) -> None:
    """Initialise the decoder's embeddings, if initial values of the same shape exist.

    They come from a model folder with the prepared vocabulary or from means of pretrained embeddings
    (`target_init.npy`), centred and scaled to a mean norm of 1.
    """
    bundle = open_origin(pretrained) if isinstance(pretrained, Path) else pretrained
    is_bundle = isinstance(bundle, Bundle)
    if isinstance(bundle, Bundle):
        if not _is_same(bundle.target, prepared / TARGET):
            return
        table = bundle.model.decoder.embeddings.detach()
    elif isinstance(model.decoder, TransformerDecoder) and (prepared / "target_init.npy").exists():
        table = torch.from_numpy(np.load(prepared / "target_init.npy").astype(np.float32))
    else:
        return
    if table.shape != model.decoder.embeddings.shape:  # the decoder has another width
        return
    rows = table - table.mean(0)
    rows = rows / rows.norm(dim=1).mean()
    with torch.no_grad():
        model.decoder.embeddings.copy_(rows)
        if is_bundle and isinstance(model.decoder, RecurrentDecoder):
            model.decoder.output.weight.copy_(rows)


def _fitting_bundle(prepared: Path, origin: Path | Bundle, *names: str) -> Bundle:
    """The loaded model folder. ModelFileError if a vocabulary in `names` differs from the prepared one."""
    bundle = origin if isinstance(origin, Bundle) else load_bundle(origin)
    vocabularies = {SOURCE: bundle.source, TARGET: bundle.target}
    for name in names:
        if not _is_same(vocabularies[name], prepared / name):
            raise ModelFileError(f"{bundle.folder} has another vocabulary ({name}) than {prepared}.")
    return bundle


def _is_same(pieces: Vocabulary, path: Path) -> bool:
    return pieces.serialized == path.read_bytes()


def _copy(original: nn.Module, new: nn.Module, folder: Path) -> None:
    try:
        fill(new, dict(original.named_parameters()))
    except (KeyError, ValueError) as error:
        raise ModelFileError(f"The model in {folder} is of another shape: {error}.") from error


def initialise_from(model: TranslationModel, baseline_tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """Copy a baseline's parameters to those of the same name, and as `Decoder.inherits` specifies.

    Wang et al. (2016), section 4.2, "Pre-training"; Meng et al. (2018), section 4.1.

    Returns:
        names of the trained parameters without a counterpart in the baseline, which keep their values.
    Raises:
        ModelFileError: the baseline does not fit the model.
    """
    parameters = dict(model.named_parameters())
    unmatched = sorted(set(baseline_tensors) - set(parameters))
    if unmatched:
        raise ModelFileError(
            f"the baseline differs from the model: it has {_first_names(unmatched)}, which the model lacks; "
            "train a baseline with the same encoder and, for its decoder, the same feedback"
        )
    origins = {f"decoder.{name}": f"decoder.{origin}" for name, origin in model.decoder.inherits.items()}
    fresh = []
    with torch.no_grad():
        for name, parameter in parameters.items():
            tensor = baseline_tensors.get(name)
            if tensor is None:
                tensor = baseline_tensors.get(origins.get(name, ""))
            if tensor is None:
                if name in model.trained_names:
                    fresh.append(name)
                continue
            if tensor.shape != parameter.shape:
                raise ModelFileError(
                    f"{name} has shape {tuple(parameter.shape)}, the baseline's {tuple(tensor.shape)}; "
                    "the baseline must have the same widths and vocabularies"
                )
            parameter.copy_(tensor)
    return tuple(fresh)


def _first_names(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
