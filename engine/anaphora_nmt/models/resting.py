"""Weights of layers that the native library computes, left in their files until torch computes with them."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from torch import Tensor, nn

from anaphora_nmt.models.encoders import PretrainedTransformerEncoder
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.bert import BlockEmbedding

ReadAgain = Callable[[str], Mapping[str, Tensor]]
"""Prefix of names → those tensors of a model in float32, by their names."""


class RestingLayers:
    """Layers without weights, until they are woken; calling one of them wakes them all."""

    def __init__(self, layers: nn.Module, prefix: str, read_again: ReadAgain) -> None:
        """
        Args:
            prefix: of the parameters' names in the files.
            read_again: keeps no hold of the model, or a model that is dropped would not be gone at once.
        """
        # Weakly, as the layers keep this one by their hooks.
        self._layers, self._prefix, self._read_again = weakref.ref(layers), prefix, read_again
        self._rests = False
        self.rest()

    def rest(self) -> None:
        """Give the weights back, unless they rest."""
        layers = self._layers()
        if self._rests or layers is None:
            return
        for parameter in layers.parameters():
            parameter.data = parameter.data.new_empty(0)
        self._hooks = [layer.register_forward_pre_hook(self._called) for layer in layers.children()]
        self._rests = True

    def wake(self) -> None:
        """Read the weights again, if they rest.

        Raises:
            ModelFileError: the files cannot be read any more.
        """
        layers = self._layers()
        if not self._rests or layers is None:
            return
        tensors = self._read_again(self._prefix)
        for name, parameter in layers.named_parameters():
            parameter.data = tensors[self._prefix + name]
        self._rests = False
        for hook in self._hooks:
            hook.remove()

    def _called(self, layer: nn.Module, given: object) -> None:
        self.wake()


@dataclass(frozen=True)
class Rest:
    """What rests of a model.

    Attributes:
        decoder: to be woken before anything is asked of it: whole targets are decoded by parts of layers.
    """

    encoder: RestingLayers
    decoder: RestingLayers

    def again(self) -> None:
        """Give back what has been woken: it is read from its files when it is asked for something."""
        self.encoder.rest()
        self.decoder.rest()

    def end(self) -> None:
        """Wake all of it."""
        self.encoder.wake()
        self.decoder.wake()


def rest(model: TranslationModel, read_again: ReadAgain, blocks: Mapping[str, Tensor]) -> Rest:
    """Give back the weights of a model whose encoder and decoder the library has.

    Embeddings stay, as the library shares them; those of the source in the blocks that they are kept in.

    Args:
        blocks: 4-bit blocks of matrices by the names of their parameters, as far as they are kept so.
    """
    encoder = RestingLayers(_layers(model.encoder), "encoder.layers.", read_again)
    words = blocks.get("encoder.embedding.words.weight")
    if words is not None and isinstance(model.encoder, PretrainedTransformerEncoder):
        model.encoder.embedding.words = BlockEmbedding(words, model.encoder.width)  # type: ignore[assignment]
    return Rest(encoder, RestingLayers(_layers(model.decoder), "decoder.layers.", read_again))


def _layers(part: nn.Module) -> nn.Module:
    layers = part.layers
    assert isinstance(layers, nn.Module)
    return layers
