"""Eight hours of a translator's work in one process, quickened: what grows, and how long confirming takes.

    python tests/benchmarks/long_day.py MEASURED.jsonl [--documents 200] [--segments 100] [--minutes 50]
        [--small] [--go-on]
    python tests/benchmarks/long_day.py MEASURED.jsonl --draw PLOT.svg

The real window with the model that ships. Documents are opened one after the other, drafted while they are
worked on, each segment is confirmed (a third of them edited before), exported, closed. Every twentieth
project uses another model, a small one, so that the engine changes its model twice for it; every tenth
document the process is stopped for two seconds and woken up, as a sleeping computer does, and the translator
rests for five. As in the application, the C library keeps little and old objects are searched at rest. 20,000
confirmations in eight hours are one in 1.4 seconds; here they follow each other as quickly as `--minutes`
and the machine allow. On a machine that others use, too, `--small` lets new projects use the small model, as
a user may prefer one, and each twentieth the model that ships. A run that was ended goes on behind its last
document with `--go-on`, in another process: its memory begins anew, and is drawn as a curve of its own.

After each document a line is written: resident memory (MiB), open files, threads, sessions and stores that
are alive, the processor time of the window's thread for going on to a segment, changing some and confirming
(milliseconds, median and 95th percentile), and the time from a confirmation to the next draft.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from typing import TextIO

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OMP_NUM_THREADS", "1")
from PySide6.QtCore import QEventLoop, QTimer

from anaphora.application.garbage import RestingCollector
from anaphora.engine.worker import Loader
from anaphora.main import let_rest
from anaphora_text.freed_memory import keep_little

SUPPORT = Path(__file__).parents[1] / "app" / "support"
OTHER_MODEL_EACH, SLEEP_EACH, SLEEP_SECONDS, REST_SECONDS = 20, 10, 2, 5
PATIENCE = 1800.0
"""Seconds by the clock after which the window counts as stuck: others may use the machine, too."""
WAIT_EACH = 30
"""The translator reads what the engine made of so many confirmations."""
WHO = [
    *("账本", "节点", "缓存", "模型", "区块", "交易", "数据", "用户", "系统"),
    *("服务", "文件", "密钥", "日志", "集群", "接口", "线程", "网络", "索引"),
]
HOW = ["", "可以", "必须", "不能", "会", "应该"]
DOES = [
    *("保存", "读取", "更新", "删除", "检查", "发送", "接收"),
    *("比较", "使用", "需要", "返回", "创建", "加密", "验证"),
]
WHICH = ["", "新的", "所有", "旧的", "每个", "本地"]
WHAT = [
    *("记录", "状态", "参数", "结果", "消息", "地址", "名称"),
    *("版本", "配置", "内容", "索引", "目录", "权限", "副本"),
]


def text_of(number: int, segments: int) -> str:
    """A document of different sentences, the same for each number."""
    chosen = random.Random(number)
    lines: dict[str, None] = {}
    while len(lines) < segments:
        parts = (WHO, HOW, DOES, WHICH, WHAT)
        clause = "".join(chosen.choice(part) for part in parts)
        more = f"，{chosen.choice(WHO)}{chosen.choice(DOES)}{chosen.choice(WHAT)}" * (chosen.random() < 0.3)
        lines[f"{clause}{more}。"] = None
    return "\n".join(lines) + "\n"


class Day:
    """The window, and how it is worked in."""

    def __init__(
        self, folder: Path, minutes: float, confirmations: int, loader: Loader | None = None
    ) -> None:
        os.environ["ANAPHORA_DATA"] = str(folder / "data")
        from anaphora.application.window_settings import window_settings
        from anaphora.composition import make_window
        from anaphora.engine.worker import default_loader
        from anaphora.shipped import default_model
        from anaphora.views.appearance.application import make_application

        self.folder = folder
        self.application = make_application()
        settings = window_settings()
        settings.setValue("language", "en")
        settings.setValue("say_at_closing", False)
        loader = loader or default_loader(default_model(), "cpu", 1)
        self.window = make_window(
            self.application, loader, settings, lambda model: default_loader(model, "cpu", 1)
        )
        self.window.resize(1400, 900)
        self.window.show()
        self.window.services.worker.start()
        self.failures: list[str] = []
        self.window.controller.failed.connect(lambda *what: self.failures.append(" ".join(what)))
        self.window.services.worker.failed.connect(self.failures.append)
        self.drafted: dict[str, float] = {}
        self.window.services.worker.drafted.connect(self._note_draft)
        self.exported = 0
        self.window.controller.exported.connect(self._note_export)
        self.loads = 0
        self.window.services.worker.loaded.connect(self._note_load)
        # The collector is not asked for all objects: that spoils tuples that other threads are making.
        self._sessions: list[weakref.ref] = []
        self._stores: list[weakref.ref] = []
        self._end = time.monotonic() + 60 * minutes
        self._left = confirmations

    def _note_draft(self, found) -> None:
        self.drafted[found.job.segment] = time.monotonic()

    def _note_export(self, _: Path) -> None:
        self.exported += 1

    def _note_load(self, _: object) -> None:
        self.loads += 1

    def pump(self, seconds: float) -> None:
        """Let the window live; in a loop of its own, as only that deletes what is to be deleted later."""
        loop = QEventLoop()
        QTimer.singleShot(round(1000 * seconds), loop.quit)
        loop.exec()

    def until(self, done: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise TimeoutError(f"{what}; {self.failures[-3:]}")
            self.pump(0.005)

    def install(self, model: Path, is_preferred: bool) -> None:
        """Install the second model, and let new projects use it if it is to be preferred."""
        from anaphora.models.files import installed_models, prefer_model
        from anaphora.store.locations import models_folder

        models = self.window.services.models
        installed: list[object] = []
        models.installed.connect(installed.append)
        self.window.controller.open(self._write("first.zh.txt", text_of(-1, 3)))
        self.until(lambda: self.window.session is not None, "opening the first document")
        assert models.install(model)
        self.until(lambda: bool(installed), "installing the other model")
        self._is_small = is_preferred
        if is_preferred:
            prefer_model(models_folder(), installed_models(models_folder())[0])
        self.close_document()

    def work(self, number: int, segments: int) -> dict[str, object]:
        """Open, confirm, export and close one document; what was measured."""
        controller = self.window.controller
        begun = time.monotonic()
        controller.open(self._write(f"{number:03d}.zh.txt", text_of(number, segments)))
        self.until(lambda: controller.session is not None, "opening")
        opened = time.monotonic() - begun
        self._sessions.append(weakref.ref(controller.session))
        self._stores.append(weakref.ref(controller.store))
        if number % OTHER_MODEL_EACH == OTHER_MODEL_EACH - 1:
            self._take_other_model()
        if number % SLEEP_EACH == SLEEP_EACH - 1:
            self._sleep()
        ids = [segment.id for segment in controller.session.document]
        self.until(lambda: ids[0] in self.drafted, "the first draft")
        times: list[float] = []
        waits: list[float] = []
        for place, segment_id in enumerate(ids):
            times.append(self._confirm(place, segment_id))
            confirmed = time.monotonic()
            following = ids[place + 1 : place + 2]
            self._left -= 1
            pause = max(self._end - time.monotonic(), 0.0) / max(self._left, 1)
            self.pump(min(max(pause - times[-1] / 1000, 0.0), 1.4))
            if place % WAIT_EACH == WAIT_EACH - 1 and following:
                waits.append(self._wait_for_draft(following[0], confirmed))
        exported = self.exported
        controller.export(self.folder / f"{number:03d}.en.txt")
        self.until(lambda: self.exported > exported, "the export")
        assert len((self.folder / f"{number:03d}.en.txt").read_text("utf-8").splitlines()) == segments
        drafts = len(self.drafted)
        self.close_document()
        times.sort()
        return {
            "process": os.getpid(),
            "document": number + 1,
            "confirmed": (number + 1) * segments,
            "seconds": round(time.monotonic() - begun, 1),
            "open_s": round(opened, 2),
            "drafted": drafts,
            "confirm_ms": round(median(times), 1),
            "confirm_p95_ms": round(times[len(times) * 95 // 100], 1),
            "next_draft_ms": round(median(waits)) if waits else None,
            "loads": self.loads,
            **self._state(),
            "failures": self.failures[-3:],
        }

    def _wait_for_draft(self, segment_id: str, since: float) -> float:
        """Milliseconds until a segment has a draft made after a time."""
        self.until(lambda: self.drafted.get(segment_id, 0.0) > since, "the next draft")
        return 1000 * (self.drafted[segment_id] - since)

    def _confirm(self, place: int, segment_id: str) -> float:
        """Milliseconds of the window's thread to go to a segment, edit some, confirm and show that."""
        window, editing = self.window, self.window.controller.editing
        segment = self.window.controller.session.document.get(segment_id)
        begun = time.thread_time()
        window.table.go_to_row(place)
        if not segment.target.strip():
            editing.type_text(segment_id, f"Sentence {place} of this document says something else.")
        elif place % 3 == 0:
            editing.type_text(segment_id, segment.target.rstrip(".") + " now.")
        assert editing.confirm(segment_id)
        self.application.processEvents()
        return 1000 * (time.thread_time() - begun)

    def _take_other_model(self) -> None:
        models, loads = self.window.services.models, self.loads
        if self._is_small:
            self.drafted.clear()
            models.choose(None)
            self.until(lambda: self.loads > loads, "the model that ships")
            return
        listed: list[tuple] = []
        models.listed.connect(listed.append)
        models.refresh()
        self.until(lambda: bool(listed), "the list of models")
        models.listed.disconnect(listed.append)
        (other,) = [model for model in listed[0] if model.folder.parent == models._folder]
        self.drafted.clear()
        models.choose(other)
        self.until(lambda: self.loads > loads, "the other model")

    def _sleep(self) -> None:
        """All threads stand still, and the clock goes on; then nobody works for a moment."""
        me = os.getpid()
        subprocess.Popen(["sh", "-c", f"kill -STOP {me}; sleep {SLEEP_SECONDS}; kill -CONT {me}"]).wait()
        self.pump(REST_SECONDS)

    def close_document(self) -> None:
        assert self.window.controller.close()
        self.drafted.clear()
        self.pump(0.2)

    def _state(self) -> dict[str, object]:
        from PySide6.QtWidgets import QApplication

        alive = [sum(each() is not None for each in kept) for kept in (self._sessions, self._stores)]
        return {
            "rss_mib": round(resident(), 1),
            "files": len([*Path("/proc/self/fd").iterdir()]),
            "threads": len([*Path("/proc/self/task").iterdir()]),
            "python_threads": threading.active_count(),
            "widgets": len(QApplication.allWidgets()),
            "sessions": alive[0],
            "stores": alive[1],
        }

    def _write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, "utf-8")
        return path

    def end(self) -> None:
        self.window.close()
        self.window.services.worker.stop(30.0)
        self.window.controller.tasks.finish(30000)
        self.window.services.memory.finish()
        self.window.services.terms.finish()
        self.window.services.models.finish()


def resident() -> float:
    """Resident memory in MiB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def draw(measured: Path, out: Path) -> None:
    """Four curves over the confirmations."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    lines = [json.loads(line) for line in measured.read_text("utf-8").splitlines()]
    processes = [list(each) for _, each in itertools.groupby(lines, lambda line: line.get("process"))]
    shown = (
        ("memory, MiB", ("rss_mib",)),
        ("open files", ("files",)),
        ("threads", ("threads",)),
        ("a confirmation, ms of processor time", ("confirm_ms", "confirm_p95_ms")),
    )
    figure, places = pyplot.subplots(2, 2, figsize=(9, 5), sharex=True)
    for axes, (title, names) in zip(places.flat, shown, strict=True):
        for number, name in enumerate(names):
            for some in processes:
                over, values = [line["confirmed"] for line in some], [line[name] for line in some]
                axes.plot(over, values, linewidth=1, color=f"C{number}")
        axes.set_title(title, fontsize=10)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
    for axes in places[1]:
        axes.set_xlabel("confirmations")
    figure.tight_layout()
    figure.savefig(out)


def note(measured: Mapping[str, object], out: TextIO) -> None:
    """Write a line of what was measured, and show it."""
    for each in (out, sys.stdout):
        print(json.dumps(measured), file=each, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("measured", type=Path)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--segments", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=50.0)
    parser.add_argument("--small", action="store_true", help="draft with the small model but for each 20th")
    parser.add_argument("--go-on", action="store_true", help="behind the last document that was measured")
    parser.add_argument("--draw", type=Path, default=None, help="draw what was measured instead")
    arguments = parser.parse_args()
    if arguments.draw is not None:
        draw(arguments.measured, arguments.draw)
        return
    done = len(arguments.measured.read_text("utf-8").splitlines()) if arguments.go_on else 0
    with (
        tempfile.TemporaryDirectory() as made,
        arguments.measured.open("a" if done else "w", encoding="utf-8") as out,
    ):
        folder = Path(made)
        other = folder / "opus-mt-zh-en"
        # In a process of its own: what makes it needs more memory than the app.
        make = "import sys; from pathlib import Path; from small_model import save_small_model as save"
        texts = ("账本保存记录。", "节点读取状态。", "The ledger keeps it.", "A node reads a state.")
        command = [sys.executable, "-c", f"{make}; save(Path(sys.argv[1]), sys.argv[2:])", str(other), *texts]
        subprocess.run(command, cwd=SUPPORT, check=True, capture_output=True)
        keep_little()
        day = Day(folder, arguments.minutes, (arguments.documents - done) * arguments.segments)
        let_rest(day.window, RestingCollector(day.window))
        day.install(other, arguments.small)
        shutil.rmtree(other)
        for number in range(done, arguments.documents):
            note(day.work(number, arguments.segments), out)
        day.end()


if __name__ == "__main__":
    main()
