"""Keep a run of the embedded model for good: its configuration, data, curve and scores, in a lasting table.

    python -m experiments.trials.candidates NAME --run RUN --prepared P [--scores EVALUATED …] [--note TEXT]
    python -m experiments.trials.candidates NAME --run RUNS/SYSTEM [--prepared P] [--note TEXT]
    python -m experiments.trials.candidates --table

RUN is a folder of `anaphora-nmt train`, or of an experiment (`python -m experiments.gpu restore` brings it
back), whose own measures are taken along, and which names its data by its own hash. The first two write
`embedded/NAME.json` in the laboratory (again for a run that went on, or was scored since); all three write
`EMBEDDED.md`. EVALUATED is a folder that `anaphora-nmt evaluate` wrote, named SET-BEAM (dev-1).
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[1]
RECORDS = HERE / "embedded"
HEAD = """# Runs of the embedded model

Every run that a choice came from, newest last; made by `python -m experiments.trials.candidates --table` from
`embedded/*.json`, which hold the whole configurations and curves. Losses are nats a piece on dev without
memory and without smoothing. Scores are sacrebleu's BLEU without memory,
by set and beam size.

| run | encoder layers (frozen) | decoder | updates | target pieces | rate | batch | dev | scores | note |
|---|---|---|---:|---:|---:|---:|---:|---|---|
"""


def main() -> None:
    """Record a run, or only write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("name", nargs="?")
    parser.add_argument("--run", type=Path)
    parser.add_argument("--prepared", type=Path)
    parser.add_argument("--scores", type=Path, nargs="*", default=[])
    parser.add_argument("--note", default="")
    parser.add_argument("--table", action="store_true")
    arguments = parser.parse_args()
    if arguments.name:
        record = read_run(arguments.run, arguments.prepared, arguments.scores, arguments.note)
        RECORDS.mkdir(exist_ok=True)
        path = RECORDS / f"{arguments.name}.json"
        path.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
    elif not arguments.table:
        parser.error("give a NAME, or --table")
    rows = [(path.stem, json.loads(path.read_text("utf-8"))) for path in RECORDS.glob("*.json")]
    rows.sort(key=lambda row: (row[1]["pieces_seen"], row[0]))
    (HERE / "EMBEDDED.md").write_text(HEAD + "".join(row(*each) for each in rows), "utf-8")


def read_run(run: Path, prepared: Path | None, scores: list[Path], note: str) -> dict[str, Any]:
    """What is kept of a run."""
    state, data = read_state(run)
    if prepared is not None:
        data = {"data_sha256": hashlib.sha256((prepared / "train.npz").read_bytes()).hexdigest()}
    curve = [json.loads(line) for line in (run / "curve.jsonl").read_text("utf-8").splitlines()]
    found = read_measures(run)
    for folder in scores:
        for path in sorted(folder.glob("*.json")):
            values = json.loads(path.read_text("utf-8"))
            if "bleu" in values:
                found[f"{folder.name} {path.stem}"] = {key: values[key] for key in ("bleu", "chrf")}
    return {
        **state,
        **data,
        "curve": curve,
        "scores": found,
        "note": note,
    }


def read_state(run: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Configuration and progress, and what names the data, as far as the run itself says."""
    if (run / "system.json").exists():
        record = json.loads((run / "system.json").read_text("utf-8"))
        system = record["system"]
        state = {"update": record["updates"], "pieces_seen": record["pieces_seen"]}
        kept = ("initial", "parameters", "training_seconds", "device", "seed")
        state |= {key: {**system, **record}[key] for key in kept}
        return {**state, "model": system["model"], "training": system["training"]}, {
            "data_hash": record["data_hash"]
        }
    state = json.loads((run / "last" / "state.json").read_text("utf-8"))
    return {key: state[key] for key in ("update", "epoch", "pieces_seen", "model", "training")}, {}


def read_measures(run: Path) -> dict[str, Any]:
    """Scores that `python -m experiments measure` wrote into an experiment's run; its model has no memory."""
    found = {}
    for path in sorted(run.glob("measures.*.json")):
        values = json.loads(path.read_text("utf-8"))
        if values["set"].endswith("-confirmed"):
            continue
        name = f"{values['set'].removeprefix('docs-')}-{values['beam']} none"
        found[name] = {key: values["evaluation"][key] for key in ("bleu", "chrf")}
    return found


def row(name: str, record: dict[str, Any]) -> str:
    """A line of the table."""
    encoder, decoder, training = record["model"]["encoder"], record["model"]["decoder"], record["training"]
    loss = next((point["dev_loss"] for point in reversed(record["curve"]) if "dev_loss" in point), None)
    alone = {
        key.removesuffix(" none"): value for key, value in record["scores"].items() if key.endswith(" none")
    }
    scores = ", ".join(f"{key} {value['bleu']['value']:.2f}" for key, value in alone.items())
    cells = (
        name,
        f"{encoder['kind']} {encoder['layers']} ({encoder['frozen_layers']})",
        f"{decoder['kind']} {decoder['layers']}, D = {decoder['width']}",
        f"{record['update']:,}",
        f"{record['pieces_seen']:,}",
        f"{training['learning_rate']:g}",
        f"{training['batch_tokens']:,}",
        "" if loss is None else f"{loss:.3f}",
        scores,
        record["note"],
    )
    return "| " + " | ".join(cells) + " |\n"


if __name__ == "__main__":
    main()
