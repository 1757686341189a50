"""Start a model from the trained baseline that it extends."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.models.translation import TranslationModel


def initialise_from(model: TranslationModel, baseline_tensors: Mapping[str, Tensor]) -> tuple[str, ...]:
    """Copy a baseline's parameters into those that the model shares with it.

    Wang et al. (2016), section 4.2, "Pre-training"; Meng et al. (2018), section 4.1. A parameter takes the
    baseline's of the same name, else the one that its decoder names in `Decoder.inherits`.

    Args:
        model: changed in place.
        baseline_tensors: by name, as `training.checkpoint` writes them.
    Returns:
        names of the trained parameters that the baseline lacks and that stay as they were.
    Raises:
        ModelFileError: the baseline has a parameter that has no place in the model, or one of another shape.
    """
    parameters = dict(model.named_parameters())
    unmatched = sorted(set(baseline_tensors) - set(parameters))
    if unmatched:
        raise ModelFileError(
            f"the baseline is of another kind than the model: it has {_some(unmatched)}, the model has not; "
            "train a baseline with the same encoder and, for its decoder, the same feedback"
        )
    origins = {f"decoder.{own}": f"decoder.{other}" for own, other in model.decoder.inherits.items()}
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


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
