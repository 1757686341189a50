"""The results page in Markdown, from the files of runs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anaphora_nmt.errors import CorpusError

Json = dict[str, Any]
TUNED_ON = ("docs-dev", "docs-dev-confirmed")
SIGNIFICANT = 0.05
NONE = "–"
_COMBINED = "Combinations that no paper has"
_HEAD = """\
PREPARED is the output of `anaphora-nmt prepare`; the runs in `engine/experiments/results` used only the part
that `engine/experiments/README.md` names. TVSUB is the output of `prepare-tvsub`, MODEL the model folder on
which the systems are based, DATA the folder of the corpora, and RUNS the folder of the runs. A row is made by

    python -m experiments train BASELINE,SYSTEM --runs RUNS --data PREPARED --pretrained MODEL \\
        --beam BEAM --sets SETS
    python -m experiments measure RUNS/* --data DATA

For the tables on TVSub, MODEL is left out, and TVSUB replaces PREPARED. BEAM is the row's beam size, and SETS
its test set with the file, such as docs-test=DATA/docs-zh-en/test.jsonl.xz.

BLEU and chrF2 are computed by sacrebleu. Δ is the difference from the system's baseline, with the same
start, data, budget and beam. *p* (bootstrap): paired bootstrap over segments (Koehn, 2004); *p* (documents):
the same over whole documents; both with 1,000 samples, so p is at least 0.002; *p* (signs): the sign test of
Collins et al. (2005). All tests are two-sided. **Bold**: Δ > 0 with p < 0.05, over documents if a system
reads other sentences (then segments of a document are not independent), otherwise over segments. †: the
translations were not stored, so p was computed with the run and cannot be computed again; such a row is
never bold. Systems were tuned on docs-dev, but not on the other sets. “Printed” is the result of the paper
on its own data: its differences can be compared with ours, but not its scores. Titles name the differences
from the paper. A system reads its own translations as the history, as in the papers; on sets that end in
“-confirmed”, each reference enters the memory before the next sentence, as if a translator had confirmed
it."""
_COLUMNS = (
    *("system", "baseline", "set", "beam", "BLEU", "Δ", "p (bootstrap)", "p (documents)", "p (signs)"),
    *("chrF2", "document BLEU", "printed", "where"),
)


@dataclass(frozen=True)
class RunResult:
    """The results of a run: its record, and its scores by test set (`measures.<set>.json`).

    Attributes:
        paper: the results in the paper.
        kept: the test sets whose translations are stored.
    """

    name: str
    title: str
    baseline: str | None
    paper: Json
    config: Json
    sets: Mapping[str, Json]
    kept: frozenset[str] = frozenset()

    @property
    def label(self) -> str:
        return f"{self.title} (`{self.name}`)"

    @property
    def family(self) -> str:
        return str(self.config.get("family", "cpu"))

    def comparison(self, test: str) -> Json | None:
        return self.sets[test]["comparison"] if test in self.sets else None

    def gain(self, test: str) -> str:
        tests = self.comparison(test)
        if not tests:
            return NONE
        bleu = tests["bleu"]
        text = f"{bleu['difference']:+.2f}"
        if test not in self.kept:
            return f"{text} †"
        judged = tests["by_document"] if self._reads_context() else bleu
        is_gain = bleu["difference"] > 0 and judged is not None and judged["p"] < SIGNIFICANT
        return f"**{text}**" if is_gain else text

    def _reads_context(self) -> bool:
        memory = self.config.get("memory") or {}
        values = (value for name, value in memory.items() if name not in ("drafts", "read"))
        return bool((self.config.get("model") or {}).get("camn")) or any(values)


Runs = Mapping[str, RunResult]


def load_results(folder: Path) -> Runs:
    if not folder.is_dir():
        raise CorpusError(f"{folder} is not a folder of runs")
    return {path.parent.name: _load_run(path.parent) for path in sorted(folder.glob("*/system.json"))}


def sort_runs(runs: Iterable[RunResult]) -> list[RunResult]:
    return sorted(runs, key=lambda run: (run.baseline is not None, run.name))


def _load_run(folder: Path) -> RunResult:
    record = read_json(folder / "system.json")
    sets = {path.name.split(".")[1]: read_json(path) for path in sorted(folder.glob("measures.*.json"))}
    kept = frozenset(path.name.split(".")[1] for path in folder.glob("outputs.*.json"))
    try:
        values = record["title"], record["baseline"], record["paper"], record["system"]
    except KeyError as error:
        raise CorpusError(f"{folder / 'system.json'} lacks {error}; run the experiment again") from error
    return RunResult(folder.name, *values, sets, kept)


def read_json(path: Path) -> Json:
    try:
        values: Json = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CorpusError(f"{path} cannot be read ({error}); run the experiment again") from error
    return values


def results_page(results: Runs, command: str) -> str:
    return f"# Results\n\nMade by `{command}` from the runs' own files.\n{_HEAD}\n\n{_systems(results)}\n"


def _systems(results: Runs) -> str:
    groups: dict[tuple[str, str], dict[str, RunResult]] = {}
    for run in sort_runs(results.values()):
        if run.baseline is None:
            continue
        citation = run.paper.get("citation") or _COMBINED
        rows = groups.setdefault((citation, run.family), {})
        if run.baseline in results:
            rows.setdefault(run.baseline, results[run.baseline])
        rows.setdefault(run.name, run)
    papers_first = sorted(groups.items(), key=lambda item: (item[0][0] == _COMBINED, item[0]))
    sections = [_group(*key, sort_runs(rows.values())) for key, rows in papers_first]
    return "## Systems and their baselines\n\n" + "\n\n".join(sections)


def _group(citation: str, family: str, runs: Sequence[RunResult]) -> str:
    title = f"### {citation}{': from scratch, on TVSub' if family == 'paper' else ''}"
    return f"{title}\n\n{_table(_COLUMNS, [_row(run, name) for run in runs for name in sorted(run.sets)])}"


def _row(run: RunResult, name: str) -> list[str]:
    scores, tests = run.sets[name]["evaluation"], run.comparison(name) or {}
    kinds = () if name in TUNED_ON else ("bleu", "by_document", "signs")
    return [
        run.label,
        f"`{run.baseline}`" if run.baseline else NONE,
        name,
        str(run.sets[name]["beam"]),
        _value(scores["bleu"]),
        run.gain(name),
        *([_probability(tests.get(kind)) for kind in kinds] or [NONE] * 3),
        *(_value(scores["chrf"]), _value(scores["document_bleu"])),
        *(_printed(run), run.paper.get("where") or NONE),
    ]


def _printed(run: RunResult) -> str:
    baseline, system = run.paper.get("baseline"), run.paper.get("value")
    if system is None:
        return NONE
    if baseline is None or baseline == system:
        return f"{system:.2f}"
    return f"{baseline:.2f} → {system:.2f} ({system - baseline:+.2f})"


def _value(score: Json | None) -> str:
    value: Any = score and score["value"]
    return NONE if value is None else f"{value:.2f}"


def _table(columns: Sequence[str], body: Sequence[Sequence[str]]) -> str:
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *body]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _probability(test: Json | None) -> str:
    if not test:
        return NONE
    minimum = 2 / (test["samples"] + 1) if "samples" in test else 0.001
    return f"≤ {minimum:.3f}" if test["p"] <= minimum else f"{test['p']:.3f}"
