"""`python -m experiments measure`: every measure that applies to a run, as JSON in its folder."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anaphora_nmt.files import write_json

if TYPE_CHECKING:
    from experiments.measures.outputs import MeasureResources
    from experiments.measures.scored_sets import ScoredSet

Json = dict[str, Any]
HAND_ALIGNMENTS = Path(__file__).parents[1] / "alignments" / "alignments.json"
SHARED = "measures"
"""Folder beside the runs: what is made once for all of them."""
_READ_DOCUMENTS, _READ_SEGMENTS = 12, 40


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand."""
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="folder of a run")
    parser.add_argument(
        "--data", type=Path, required=True, help="folder with docs-zh-en, tvsub, peer-outputs"
    )
    parser.add_argument("--alignments", type=Path, default=HAND_ALIGNMENTS, help="alignments by hand")
    parser.add_argument(
        "--encoder",
        type=Path,
        help="e5-small-q4.bin, for the test sets' coherence (default: what the runs' encoder comes from)",
    )
    parser.add_argument("--no-encoder", action="store_true", help="leave that out")
    parser.add_argument("--no-model", action="store_true", help="leave out what needs the model itself")
    parser.add_argument("--only-new", action="store_true", help="leave alone what is newer than its outputs")
    parser.add_argument("--threads", type=int, default=1)


def run(arguments: argparse.Namespace) -> int:
    """Measure each run; what runs share is made once."""
    import torch

    from experiments.measures.alignment_error import load_aligned_pairs

    torch.set_num_threads(arguments.threads)
    pairs = load_aligned_pairs(arguments.alignments)
    runs = arguments.runs[0].resolve().parent
    measurer = RunMeasurer(
        arguments.data, runs, None if arguments.no_encoder else _encoder(arguments.encoder, runs), pairs
    )
    for folder in arguments.runs:
        for path in sorted(folder.glob("outputs.*.json")):
            name = path.name.removeprefix("outputs.").removesuffix(".json")
            out = folder / f"measures.{name}.json"
            if not (arguments.only_new and _is_newer(out, path)):
                write_json(out, measurer.measure(folder, name))
                print(f"{folder.name}: {name}")
        dev, out = folder / "outputs.docs-dev.json", folder / "measures.json"
        if arguments.no_model or not dev.exists() or (arguments.only_new and _is_newer(out, dev)):
            continue
        found = measurer.probe(folder)
        write_json(out, found)
        print(f"{folder.name}: alignment error rate {found['alignment']['error']['rate']:.2%}")
    for folder in arguments.runs:
        compare_alignments(folder)
    return 0


def compare_alignments(folder: Path) -> None:
    """Add to a run's `measures.json` how its alignment error differs from its baseline's.

    Paired bootstrap over the sentence pairs. Where either was not probed, nothing is added.
    """
    import numpy as np

    from anaphora_nmt.evaluation.significance import paired_bootstrap
    from experiments.measures.alignment_error import AlignmentCounts

    baseline = read_json(folder / "system.json")["baseline"]
    paths = folder.parent / str(baseline) / "measures.json", folder / "measures.json"
    if baseline is None or not all(path.exists() for path in paths):
        return
    before, found = map(read_json, paths)
    rows = [one["alignment"]["error"].get("counts") for one in (before, found)]
    if None in rows or len(rows[0]) != len(rows[1]):
        return
    errors = [AlignmentCounts("AER", np.array(one, np.float64)) for one in rows]
    found["alignment"]["difference"] = asdict(paired_bootstrap(errors[0], errors[1]))
    write_json(paths[1], found)


def _encoder(given: Path | None, runs: Path) -> Path | None:
    """The general pretrained encoder: given, or what the runs start from, if that is one."""
    from anaphora_nmt.training.pretrained_weights import is_model_folder
    from anaphora_nmt.training.runs import DataPaths

    found = given or DataPaths.load(runs).pretrained
    return None if found is None or is_model_folder(found) else found


def _is_newer(path: Path, other: Path) -> bool:
    return path.exists() and path.stat().st_mtime >= other.stat().st_mtime


def read_json(path: Path) -> Json:
    """Read a file of a run.

    Raises:
        CorpusError: it is missing or damaged.
    """
    from anaphora_nmt.errors import CorpusError

    try:
        values: Json = json.loads(path.read_text("utf-8"))
        return values
    except (OSError, ValueError) as error:
        raise CorpusError(f"{path} cannot be read ({error}); run the experiment again") from error


class RunMeasurer:
    """Measures runs of one folder; keeps what they share."""

    def __init__(self, data: Path, runs: Path, encoder: Path | None, pairs: Sequence[Any]) -> None:
        from anaphora_nmt.training.runs import DataPaths

        self._data, self._runs, self._pairs, self._encoder = data, runs, pairs, encoder
        self._paths = DataPaths.load(runs)
        self._sets: dict[str, tuple[ScoredSet, MeasureResources]] = {}

    def measure(self, folder: Path, name: str) -> Json:
        """A run's measures on one test set, with the tests against its baseline (and the peers)."""
        from anaphora_nmt.evaluation.report import evaluate
        from experiments.measures.outputs import compare_long, compare_outputs, measure_outputs

        test, resources = self._set(name)
        saved = read_json(folder / f"outputs.{name}.json")
        outputs = test.prepare(saved["hypotheses"])
        found: Json = {
            "set": name,
            "beam": saved["beam"],
            "seconds": saved["seconds"],
            "words": saved["words"],
            "device": saved.get("device", ""),
            "evaluation": asdict(evaluate(folder.name, test.data, outputs)),
            **measure_outputs(test.data, outputs, resources),
            "comparison": None,
        }
        baseline = self._baseline(folder, saved)
        if baseline is not None:
            before = test.prepare(read_json(baseline / f"outputs.{name}.json")["hypotheses"])
            found["comparison"] = compare_outputs(test.data, before, outputs, (baseline.name, folder.name))
            found["comparison"]["long"] = compare_long(
                test.data, before, outputs, self._lengths(test.data.sources)
            )
        self._add_peers(found, test, outputs)
        return found

    def _lengths(self, sources: Sequence[str]) -> list[int]:
        """Pieces of each source in the vocabulary that the runs read."""
        from anaphora_nmt.text.normalize import normalize_source
        from anaphora_nmt.text.words import load_source_vocabulary
        from anaphora_nmt.training.runs import RunRecord

        record = next(self._runs.glob("*/run.json")).parent
        kind = RunRecord.load(record).stage.model.encoder.kind
        vocabulary = load_source_vocabulary(self._paths.prepared / "source.model", kind)
        return [len(vocabulary.encode(normalize_source(source))) for source in sources]

    def _baseline(self, folder: Path, outputs: Json) -> Path | None:
        """The baseline's run, if it translated the set with the same beam and learned from the same data."""
        own = read_json(folder / "system.json")
        baseline = folder.parent / str(own["baseline"])
        theirs = baseline / f"outputs.{outputs['set']}.json"
        if own["baseline"] is None or not theirs.exists():
            return None
        data = own.get("data_hash"), read_json(baseline / "system.json").get("data_hash")
        if read_json(theirs)["beam"] != outputs["beam"] or data[0] != data[1]:
            print(f"{folder.name}: {baseline.name} has another beam or other data; not compared")
            return None
        return baseline

    def probe(self, folder: Path) -> Json:
        """What is measured in the run's model: on docs-dev's aligned pairs, and on its first documents."""
        from anaphora_nmt.training.runs import load_run
        from experiments.measures.model_probes import Prober

        prober = Prober(load_run(folder, self._paths))
        test, resources = self._set("docs-dev")
        documents = _by_document(test.data.sources, test.data.documents)
        pairs = [pair for _, pair in resources.aligned]
        found: Json = {"alignment": prober.alignment(pairs, [documents[pair.document] for pair in pairs])}
        hypotheses = read_json(folder / "outputs.docs-dev.json")["hypotheses"]
        outputs = _by_document(hypotheses, test.data.documents)
        some = [(documents[one], outputs[one]) for one in list(documents)[:_READ_DOCUMENTS]]
        found["matching"] = prober.matching(some, _READ_SEGMENTS)
        return found

    def _set(self, name: str) -> tuple[ScoredSet, MeasureResources]:
        from experiments.measures.outputs import REFERENCE, find_aligned, measure_outputs
        from experiments.measures.scored_sets import load_scored_set
        from experiments.page.results import TEST_SETS

        if name not in self._sets:
            test = load_scored_set(name, self._data)
            resources = replace(
                self._common,
                topics=self._topics(test),
                aligned=find_aligned(test.data, self._pairs),
                encoder=self._common.encoder if name in TEST_SETS else None,  # it takes minutes a set
            )
            self._sets[name] = test, resources
            path = self._runs / SHARED / f"{REFERENCE}.{name}.json"
            known = read_json(path)["coherence"] if path.exists() else {}
            if not known or (resources.encoder is not None and "encoder" not in known):
                write_json(path, measure_outputs(test.data, test.data.references[0], resources))
        return self._sets[name]

    def _add_peers(self, found: Json, test: ScoredSet, outputs: Sequence[str]) -> None:
        from anaphora_nmt.evaluation.report import evaluate
        from experiments.measures.outputs import compare_outputs
        from experiments.measures.scored_sets import TVSUB, load_peers

        if test.name != TVSUB:
            return
        peers = load_peers(self._data)
        scores = {name: asdict(evaluate(name, test.data, lines)) for name, lines in peers.items()}
        if not scores:
            return
        write_json(self._runs / SHARED / f"peers.{TVSUB}.json", scores)
        best = max(scores, key=lambda name: scores[name]["bleu"]["value"])
        found["best_peer"] = compare_outputs(test.data, peers[best], outputs, (best, "this system"))

    def _topics(self, test: ScoredSet) -> dict[object, list[str]] | None:
        from anaphora_nmt.memory.topics import TopicModel

        path = self._paths.prepared / "topics.npz"
        if not path.exists():
            return None
        model = TopicModel.load(path)
        documents = _by_document(test.data.sources, test.data.documents)
        found = {name: model.infer(sources) for name, sources in documents.items()}
        return {name: [word for word, _ in topic.words] for name, topic in found.items() if topic}

    @cached_property
    def _common(self) -> MeasureResources:
        from anaphora_nmt.data.binary_corpus import BinaryCorpus
        from anaphora_nmt.errors import CorpusError
        from anaphora_nmt.text.vocabulary import Vocabulary
        from anaphora_nmt.training.alignment import Links
        from experiments.measures.lexicon import Lexicon, count_lexicon, read_cedict
        from experiments.measures.outputs import MeasureResources
        from experiments.measures.sentence_encoder import SentenceEncoder
        from experiments.measures.word_vectors import WordVectors, train_word_vectors

        prepared, shared = self._paths.prepared, self._runs / SHARED
        lexicon_path, vectors_path = shared / "lexicon.json.gz", shared / "vectors.npz"
        links_path = prepared / "train.links.npz"
        source, target = (
            Vocabulary.load(prepared / "source.model"),
            Vocabulary.load(prepared / "target.model"),
        )
        if links_path.exists() and not lexicon_path.exists():
            corpus, links = BinaryCorpus.load(prepared / "train.npz"), Links.load(links_path)
            count_lexicon(corpus, (links.pairs, links.offsets), source, target).save(lexicon_path)
        if not vectors_path.exists():
            side = BinaryCorpus.load(prepared / "train.npz").target
            train_word_vectors(target.decode(side[n]) for n in range(len(side))).save(vectors_path)
        lexicon = Lexicon.load(lexicon_path) if lexicon_path.exists() else None
        resources = MeasureResources(lexicon=lexicon, vectors=WordVectors.load(vectors_path))
        if self._encoder is not None:
            resources = replace(resources, encoder=SentenceEncoder(self._encoder))
        try:
            return replace(resources, dictionary=read_cedict(), dictionary_name="CC-CEDICT")
        except CorpusError:
            if lexicon is None:
                return resources
        words = {word: list(lexicon.of(word, 0.1)) for word in lexicon.translations}
        return replace(resources, dictionary=words, dictionary_name="counted in alignments")


def _by_document(lines: Sequence[str], documents: Sequence[object]) -> dict[object, list[str]]:
    found: dict[object, list[str]] = {}
    for line, document in zip(lines, documents, strict=True):
        found.setdefault(document, []).append(line)
    return found
