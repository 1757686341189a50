"""Tokens a second of an imported model: ours without and with memory, CTranslate2 and transformers, one run.

    python tests/benchmarks/bench_peers.py shared/data/docs-zh-en/dev.jsonl.xz [--model FOLDER] [--rounds 3]

All decode the same sentences with the same weights on one thread for the same number of steps, in turn, and
their processor times are compared. FOLDER is an OPUS-MT folder as Hugging Face has it; without one, a model
of OPUS-MT's usual shape (6 + 6 layers, 512 wide, 8 heads, 16,000 pieces a side) is made of random weights,
whose products take as long. With memory: the confirmed segments of a document fill it before.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import sentencepiece as spm
import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.imported.decoder import ImportedDecoder
from anaphora_nmt.imported.loading import load_imported
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.int8_decoder import with_int8_decoder
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.judging import Finished, judge
from anaphora_nmt.pipeline.lines import prepare_source, prepare_target
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.search.constraints import Constraints, PieceTable
from anaphora_nmt.text.vocabulary import EOS
from anaphora_nmt.types import SourceSegment

STEPS = 32
PIECES = 16_000
NEVER = -1e4
"""A logit that nothing makes good for."""
CONFIRMED = 150
"""Segments in the memory."""
SETTINGS = ((1, 1), (1, 16), (5, 1), (5, 16))
Decode = Callable[[list[str], int], None]


def opus_shaped(folder: Path, texts: Sequence[Sequence[str]]) -> Path:
    """An OPUS-MT folder of random weights.

    Args:
        texts: of source and target, for their pieces.
    """
    from transformers import MarianConfig, MarianMTModel

    sides = []
    for name, some in zip(("source.spm", "target.spm"), texts, strict=True):
        with (folder / name).open("wb") as file:
            spm.SentencePieceTrainer.Train(
                sentence_iterator=iter(some),
                model_writer=file,
                vocab_size=PIECES,
                hard_vocab_limit=False,
                minloglevel=2,
            )
        pieces = spm.SentencePieceProcessor(model_file=str(folder / name))
        sides.append([pieces.IdToPiece(number) for number in range(3, pieces.GetPieceSize())])
    joint = ["</s>", "<unk>", *dict.fromkeys(sides[0] + sides[1]), "<pad>"]
    pad = len(joint) - 1
    torch.manual_seed(1)
    config = MarianConfig(
        vocab_size=len(joint),
        d_model=512,
        encoder_layers=6,
        decoder_layers=6,
        encoder_attention_heads=8,
        decoder_attention_heads=8,
        encoder_ffn_dim=2048,
        decoder_ffn_dim=2048,
        max_position_embeddings=512,
        activation_function="swish",
        scale_embedding=True,
        pad_token_id=pad,
        decoder_start_token_id=pad,
        eos_token_id=0,
        forced_eos_token_id=0,
    )
    MarianMTModel(config).save_pretrained(folder)
    table = {piece: number for number, piece in enumerate(joint)}
    (folder / "vocab.json").write_text(json.dumps(table), "utf-8")
    (folder / "tokenizer_config.json").write_text('{"source_lang": "zh", "target_lang": "en"}', "utf-8")
    return folder


def of_ours(
    folder: Path, pairs: Sequence[tuple[str, str]] = (), int8: bool = True, complete: bool = False
) -> Decode:
    """Our search; `pairs` are confirmed before.

    Args:
        complete: held to constraints, prepared from a text, and judged, as a draft in the window is.
    """
    bundle = load_imported(folder)
    decoder = bundle.model.decoder
    assert isinstance(decoder, ImportedDecoder)
    with torch.no_grad():
        decoder.output.bias[EOS] = NEVER  # so that all programs make the same steps
    model = MemoryAugmentedModel(bundle.model, bundle.memory, WordVocabulary(bundle.target)).eval()
    searcher = with_int8_decoder(model) if int8 else model
    snapshot = _memory(folder, pairs) if pairs else MemorySnapshot()
    use = bundle.memory.chosen({}) if pairs else frozenset()
    drafter = Drafter(model, bundle.source, bundle.target, searcher)
    table = PieceTable.of(bundle.target.placeholder_ids, bundle.target.begin_letters())

    @torch.inference_mode()
    def draft(texts: list[str], beam: int) -> None:
        sources = [prepare_source(text, bundle.source) for text in texts]
        state = searcher.start(drafter.encode_whole(sources), [snapshot] * len(texts), use)
        limits, options = [STEPS] * len(texts), BeamOptions(beam, n_best=beam, sees=beam > 1)
        required = [source.required for source in sources]
        constraints = Constraints(table, required, 12.0, 2.0)
        found = beam_search(searcher, state, limits, options, [constraints])
        for source, best in zip(sources, found, strict=True):
            target = prepare_target(bundle.target.decode(best[0].pieces), (), bundle.target)
            judge(drafter, [Finished(source, target, snapshot)], use)

    if complete:
        return draft

    @torch.inference_mode()
    def decode(texts: list[str], beam: int) -> None:
        rows = [list(bundle.source.marked(bundle.source.encode(text))) for text in texts]
        longest = max(map(len, rows))
        given = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        state = searcher.start(searcher.encode(given), [snapshot] * len(texts), use)
        found = beam_search(searcher, state, [STEPS] * len(texts), BeamOptions(beam))
        assert all(len(best[0].pieces) == STEPS for best in found)

    return decode


def _memory(folder: Path, pairs: Sequence[tuple[str, str]]) -> MemorySnapshot:
    """What a document holds after so many confirmed segments."""
    translator = Translator.load(folder, threads=1)
    segments = [SourceSegment(str(number), source) for number, (source, _) in enumerate(pairs)]
    translator.open_document("d", [*segments, SourceSegment("last", pairs[0][0])])
    for segment, (_, target) in zip(segments, pairs, strict=True):
        translator.remember("d", segment.id, target)
    return translator._document("d").memory.before(len(pairs))


def of_ctranslate2(folder: Path, made: Path, precision: str) -> Decode:
    """CTranslate2's own converter and search."""
    import ctranslate2
    from ctranslate2.converters import TransformersConverter

    out = made / precision
    TransformersConverter(str(folder)).convert(str(out), quantization=precision)
    translator = ctranslate2.Translator(
        str(out), device="cpu", compute_type=precision, intra_threads=1, inter_threads=1
    )
    pieces = spm.SentencePieceProcessor(model_file=str(folder / "source.spm"))

    def decode(texts: list[str], beam: int) -> None:
        rows = [[*pieces.EncodeAsPieces(text), "</s>"] for text in texts]
        limits: dict[str, Any] = {"min_decoding_length": STEPS, "max_decoding_length": STEPS}
        translator.translate_batch(rows, beam_size=beam, **limits)

    return decode


def of_transformers(folder: Path) -> Decode:
    """transformers' generation, float32."""
    from transformers import MarianMTModel, MarianTokenizer

    model, tokenizer = MarianMTModel.from_pretrained(folder).eval(), MarianTokenizer.from_pretrained(folder)

    @torch.inference_mode()
    def decode(texts: list[str], beam: int) -> None:
        given = tokenizer(texts, return_tensors="pt", padding=True)
        limits = {"min_new_tokens": STEPS, "max_new_tokens": STEPS}
        model.generate(**given, num_beams=beam, do_sample=False, **limits)

    return decode


def measured(programs: dict[str, Decode], texts: list[str], beam: int, batch: int, rounds: int) -> None:
    """Print tokens a second of each program, and the ratio to CTranslate2 in 8 bits."""
    seconds = dict.fromkeys(programs, 0.0)
    for decode in programs.values():
        decode(texts[:batch], beam)
    for number in range(rounds):
        some = texts[number * batch : (number + 1) * batch]
        for name, decode in programs.items():
            started = time.process_time()
            decode(some, beam)
            seconds[name] += time.process_time() - started
    tokens = STEPS * batch * rounds
    best = seconds["CTranslate2, int8"]
    for name, spent in seconds.items():
        print(f"{beam:>4}{batch:>7}  {name:<28}{tokens / spent:>10.0f}{best / spent:>8.2f}", flush=True)


def main() -> None:
    """Print the table."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--model", type=Path, help="an OPUS-MT folder as Hugging Face has it")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--int8", action="store_true", help="leave out what multiplies in float32")
    arguments = parser.parse_args()
    os.environ["HF_HUB_OFFLINE"] = "1"
    torch.set_num_threads(1)
    pairs = [pair for document in read_documents(arguments.corpus) for pair in document.pairs]
    texts = [source for source, _ in pairs if 10 <= len(source) <= 40][: 16 * arguments.rounds]
    with tempfile.TemporaryDirectory() as made:
        folder = arguments.model
        if folder is None:
            folder = Path(made) / "opus"
            folder.mkdir()
            opus_shaped(folder, [[pair[side] for pair in pairs] for side in (0, 1)])
        programs = {
            "ours, int8": of_ours(folder),
            "ours, int8, with memory": of_ours(folder, pairs[:CONFIRMED]),
            "ours, complete drafts": of_ours(folder, pairs[:CONFIRMED], complete=True),
            "CTranslate2, int8": of_ctranslate2(folder, Path(made), "int8"),
        }
        if not arguments.int8:
            programs |= {
                "ours, float32": of_ours(folder, int8=False),
                "CTranslate2, float32": of_ctranslate2(folder, Path(made), "float32"),
                "transformers, float32": of_transformers(folder),
            }
        print("beam  batch  program                       tokens/s   ratio")
        for beam, batch in SETTINGS:
            measured(programs, texts, beam, batch, arguments.rounds)


if __name__ == "__main__":
    main()
