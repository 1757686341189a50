"""Read weights from safetensors files, and from pickles without running code in them."""

from __future__ import annotations

import io
import pickle
import pickletools
import re
import warnings
import zipfile
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.files import MAX_TEXT, ModelFiles, check_size, check_values, damaged, reading

_OLD_FORMAT_PICKLES = 5
"""Number of pickles at the beginning of a file in the older format of `torch.save`."""
_MAX_STEPS = 1 << 19
"""Maximum number of operations in a pickle; a tensor takes about 40."""
_MAX_SHARED = 100
_CLASSES = re.compile(
    r"collections OrderedDict|torch\._utils _rebuild_(tensor_v2|parameter)|torch \w+Storage"
)
_SAFE, _PICKLED = "model.safetensors", "pytorch_model.bin"


class Weights:
    """The named tensors of a model; each can be taken only once, and `finish` refuses the rest."""

    def __init__(self, file: Path, tensors: dict[str, Tensor]) -> None:
        """ModelFileError if a tensor is complex, or tensors claim more values than the file can contain."""
        self.file = file
        self._tensors = tensors
        with reading(file):
            for name, tensor in tensors.items():
                if tensor.is_complex():
                    raise ValueError(f"{name} has complex values")
                # With a stride of 0, a few bytes could claim any number of values.
                if tensor.numel() * tensor.element_size() > tensor.untyped_storage().nbytes():
                    raise ValueError(f"{name} claims more values than the file contains")
            check_values(file, sum(tensor.numel() for tensor in tensors.values()))

    def __contains__(self, name: str) -> bool:
        return name in self._tensors

    def take(self, name: str, *shape: int) -> Tensor:
        """A float32 tensor. ModelFileError if it is missing, has another shape, or is not finite."""
        if name not in self._tensors:
            raise ModelFileError("{file} lacks the weights {name}.", file=self.file, name=name)
        tensor = self._tensors.pop(name)
        if tuple(tensor.shape) != shape:
            raise ModelFileError(
                "{file} does not fit this model: the size of {name} is {found}, but must be {expected}.",
                file=self.file,
                name=name,
                found=tuple(tensor.shape),
                expected=shape,
            )
        tensor = tensor.detach().to(torch.float32)
        if not bool(torch.isfinite(tensor).all()):
            raise damaged(self.file, f"{name} has values that are not finite")
        return tensor

    def shape(self, name: str) -> tuple[int, ...] | None:
        return tuple(self._tensors[name].shape) if name in self._tensors else None

    def drop(self, *names: str) -> None:
        for name in names:
            self._tensors.pop(name, None)

    def finish(self) -> None:
        """ModelFileError if tensors are left, because the settings then do not match the weights."""
        if self._tensors:
            raise ModelFileError(
                "{file} contains weights that do not match its settings: {names}.",
                file=self.file,
                names=", ".join(sorted(self._tensors)[:5]),
            )


def read_hugging_face_weights(files: ModelFiles) -> Weights:
    path = files.path(files.first((_SAFE, _PICKLED)) or _SAFE)
    with reading(path):
        return Weights(path, load_file(path) if path.suffix == ".safetensors" else _read_pickled(path))


def _check_pickle(path: Path) -> None:
    with path.open("rb") as file:
        if not (start := file.read(MAX_TEXT)).startswith(b"PK\3\4"):
            older = io.BytesIO(start)
            for _ in range(_OLD_FORMAT_PICKLES):
                _check_steps(older)
            return
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
            # `torch.save` does not compress; compressed entries may expand a thousandfold.
            raise damaged(path, "it is compressed")
        check_size(path, entries, growth=1)
        for entry in entries:
            if entry.filename.lower().endswith(".pkl"):
                with archive.open(entry) as file:
                    _check_steps(io.BytesIO(file.read(MAX_TEXT)))


def _check_steps(file: io.BytesIO) -> None:
    """Refuse a pickle (UnpicklingError) that does more than build named tensors.

    It may call only functions that build tensors, because others, such as codecs, may take unlimited time. It
    may refer again to the results of such calls fewer than `_MAX_SHARED` times, and never to other
    containers, because hashing shared containers may take unlimited time, too.
    """
    kinds: dict[object, str] = {}
    kind, shared = "", 0
    for count, (step, argument, _) in enumerate(pickletools.genops(file)):
        if step.name.endswith("PUT"):
            kinds[argument] = kind
        elif step.name.endswith("GET") and (origin := kinds.get(argument)) not in ("BINUNICODE", "GLOBAL"):
            shared += 1 if origin == "REDUCE" else _MAX_SHARED
        is_unexpected = step.name == "GLOBAL" and not _CLASSES.fullmatch(str(argument))
        if is_unexpected or shared >= _MAX_SHARED or count > _MAX_STEPS:
            raise pickle.UnpicklingError
        kind = step.name


def _read_pickled(path: Path) -> dict[str, Tensor]:
    try:
        _check_pickle(path)
        with warnings.catch_warnings():  # about old or unusual pickles; the result is checked below
            warnings.simplefilter("ignore")
            values = torch.load(path, map_location="cpu", weights_only=True)
    except pickle.UnpicklingError as error:
        raise ModelFileError(
            "{file} is damaged or contains more than weights. It was not read because it could "
            "run a program. Get the same model in safetensors format.",
            file=path,
        ) from error
    if not isinstance(values, dict) or not all(
        isinstance(name, str) and isinstance(tensor, Tensor) for name, tensor in values.items()
    ):
        raise damaged(path, "it is not a table of weights")
    return values
