"""How long a model of the size of Mozilla's `base` takes to draft the sample in the window.

    python tests/benchmarks/bench_downloaded_model.py

The model has random weights at the sizes of zh-en `base`: 6 encoder layers and 2 of SSRU, width 512, inner
2,048, 64,000 pieces. Its drafts end after as many pieces as those of the own model have in the mean, since
one number of its decoder counts the steps (`tests/app/support/mozilla_models.py`): both make about the same
number of steps. Each model drafts in a process of its own, from the document's opening to the last draft;
printed is processor time, with what the window does beside, and what a piece takes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))

END_BIAS = -21.0
"""By it the drafts of the sample are as long as those of the app's own model, 14.6 pieces in the mean."""


def make_base(folder: Path) -> None:
    """Write the model's files."""
    from mozilla_models import BASE, pieces_of, weights
    from shortlists import random_shortlist

    from anaphora.shipped import sample_document

    folder.mkdir(parents=True)
    texts = sample_document().read_text("utf-8").splitlines()
    (folder / "model.zhen.intgemm.alphas.bin").write_bytes(weights(BASE, (64_000, 64_000), True, END_BIAS))
    (folder / "vocab.zhen.spm").write_bytes(pieces_of(texts, 64_000))
    (folder / "lex.50.50.zhen.s2t.bin").write_bytes(random_shortlist(64_000, 64_000))


def draft_sample(model: Path) -> dict[str, float]:
    """Draft the sample in a window with a model; what that took."""
    from anaphora.composition import make_window
    from anaphora.engine.worker import default_loader
    from anaphora.views.appearance.application import make_application
    from anaphora_nmt.api import Translator

    application = make_application()
    window = make_window(application, default_loader(model, "cpu", 1))
    loaded: list[object] = []
    window.services.worker.loaded.connect(loaded.append)
    window.show()
    window.services.worker.start()
    while not loaded:
        application.processEvents()
        time.sleep(0.01)
    begun = time.process_time(), time.perf_counter()
    window.controller.open(window.services.sample)
    drafting = window.services.drafting
    while not drafting.progress.done == drafting.progress.total > 0 or drafting.progress.active:
        application.processEvents()
        time.sleep(0.002)
    taken = time.process_time() - begun[0], time.perf_counter() - begun[1]
    rows = range(window.model.rowCount())
    drafts = [each.target for row in rows if (each := window.model.segment(row)) is not None]
    target = Translator.load(model, "cpu", 1)._bundle.target
    pieces = sum(len(target.encode(draft)) + 1 for draft in drafts if draft)
    return {"processor": taken[0], "clock": taken[1], "pieces": pieces, "drafts": len(drafts)}


def main() -> None:
    from anaphora.shipped import default_model

    with tempfile.TemporaryDirectory() as place:
        base = Path(place) / "base"
        make_base(base)
        found = {}
        for name, model in (("own", default_model()), ("base", base)):
            environment = os.environ | {
                "ANAPHORA_DATA": f"{place}/data-{name}",
                "QT_QPA_PLATFORM": "offscreen",
            }
            command = [sys.executable, __file__, str(model)]
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
            found[name] = taken = json.loads(done.stdout.splitlines()[-1])
            each = 1000 * taken["processor"] / taken["pieces"]
            print(
                f"{name}: {taken['processor']:.2f} s of processor time, {taken['clock']:.2f} s, "
                f"{taken['drafts']} drafts of {taken['pieces']} pieces, {each:.2f} ms a piece"
            )
        print(f"ratio of processor time: {found['base']['processor'] / found['own']['processor']:.2f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(draft_sample(Path(sys.argv[1]))), flush=True)
        os._exit(0)
    main()
