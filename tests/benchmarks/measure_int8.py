"""How far the decoder in 8 bits is from the one in float32, on given translations.

    python tests/benchmarks/measure_int8.py CORPUS [--model FOLDER] [--segments 400]

Prints, for segments spread over the corpus, the mean divergence of the next piece's distributions (nats), the
cross-entropy of the references by both (nats a piece), and how often both have the same best piece.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.binary_corpus import clean_pairs
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.text.vocabulary import BOS, EOS


@torch.inference_mode()
def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--segments", type=int, default=400)
    arguments = parser.parse_args()
    drafter = Translator.load(arguments.model or embedded_model(), "cpu").corpus().drafter
    pairs = list(clean_pairs(read_documents(arguments.corpus)))
    divergence, exact_loss, found_loss, same, count = 0.0, 0.0, 0.0, 0, 0
    for _, source, target in pairs[:: max(1, len(pairs) // arguments.segments)]:
        pieces = torch.tensor([[BOS, *drafter.source.encode(source), EOS]])
        words = torch.tensor([[*drafter.target.encode(target), EOS]])
        encoded = drafter.model.base.encode(pieces)
        exact, found = (
            model.base.decoder.logits(model.base.force_decode(encoded, words)).log_softmax(-1)[0]
            for model in (drafter.model, drafter.searcher)
        )
        divergence += float((exact.exp() * (exact - found)).sum())
        exact_loss -= float(exact.gather(1, words[0, :, None]).sum())
        found_loss -= float(found.gather(1, words[0, :, None]).sum())
        same += int((exact.argmax(1) == found.argmax(1)).sum())
        count += words.shape[1]
    print(f"{count} pieces: divergence {divergence / count:.6f} nats, cross-entropy {exact_loss / count:.4f}")
    print(f"in float32, {found_loss / count:.4f} in int8; the same best piece {100 * same / count:.2f} %")


if __name__ == "__main__":
    main()
