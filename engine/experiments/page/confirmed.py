"""The results page's table of the memories when a translator confirms each sentence."""

from __future__ import annotations

from experiments.measures.scored_sets import FILES
from experiments.page.markdown import commands, difference, probability, table
from experiments.page.results import CONFIRMED_SETS, SIGNIFICANT, Results, RunResult

_TEXT = """\
The history of the tables above is what a system has translated itself, as in the papers. Here each reference
enters the memory before the next sentence is translated, as if a translator had confirmed it: what a memory
can do with a history that is right. The baseline has no memory, so its translations are the same. Not
counted as an improvement above."""
_COMMAND = """\
python -m experiments train {} --alone --runs RUNS --data PREPARED --pretrained MODEL --beam {} \
--sets {}=DATA/{}"""
_COLUMNS = ("system", "baseline", "BLEU", "Δ", "p (bootstrap)", "p (documents)", "p (signs)", "chrF2", "Δ")


def confirmed_section(results: Results) -> str:
    """Scores with references as the history; empty where nothing was translated so."""
    tables = []
    for name in CONFIRMED_SETS:
        runs = [run for run in results.measured() if run.comparison(name)]
        if runs:
            rows = [_row(run, name) for run in runs]
            shown = table([name, *_COLUMNS[1:]], rows)
            names = dict.fromkeys(one for run in runs for one in (run.system.baseline or "", run.name))
            beams = {run.sets[name]["beam"] for run in runs}
            made = _COMMAND.format(",".join(names), min(beams), name, FILES[name].as_posix())
            tables.append(f"{shown}\n\n" + commands(made, "python -m experiments measure RUNS/* --data DATA"))
    if not tables:
        return ""
    return f"## With a translator's confirmations\n\n{_TEXT}\n\n" + "\n\n".join(tables)


def _row(run: RunResult, name: str) -> list[str]:
    evaluation, tests = run.sets[name]["evaluation"], run.comparison(name)
    assert tests is not None
    return [
        run.label,
        f"`{run.system.baseline}`",
        f"{evaluation['bleu']['value']:.2f}",
        difference(tests, SIGNIFICANT),
        *(probability(tests[kind]) for kind in ("bleu", "by_document", "signs")),
        f"{evaluation['chrf']['value']:.2f}",
        f"{tests['chrf']['difference']:+.2f}",
    ]
