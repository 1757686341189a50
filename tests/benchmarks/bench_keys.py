"""Elapsed time from a key press until its letter is visible, in a real X window during drafting.

The app runs as a separate process on a separate X server (Xvfb, with openbox). The XTEST extension presses
keys at the speed of a fast typist, and screenshots are taken until the letter has its final colours, without
the blinking caret. Meanwhile a document of 3,000 sentences is drafted; with few sentences, nothing is,
so the processor time is that of the keys only. The output is the median, 95th percentile and maximum of the
time, the machine's load, and the processor time of the window's thread for each key.

Run: python tests/benchmarks/bench_keys.py [--keys 150] [--sentences 3000]
(needs Xvfb, openbox, xdotool; python-xlib)
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import psutil
from PySide6.QtGui import QColor
from Xlib import XK, X, display
from Xlib.ext import xtest

from anaphora.editor.appearance.theme import LIGHT

SIZE = (1440, 900)
SENTENCES = 3000
PARTS = ("账本", "区块", "交易", "文件", "目录", "记录", "消息", "请求", "缓存", "模型")
WHO = ("节点", "用户", "服务器", "系统", "程序", "客户", "读者", "作者")
LETTERS = "mnwumxw"
ROUND = 42
"""Number of letters after which the text is cleared, so that it fits on one line."""
PAUSE_S = (0.12, 0.28)
REST_S = 0.12
"""Seconds without a change after which the pixels of a letter are final."""
WAIT_S = 3.0
GLYPH = 5
"""Number of compared columns of a letter, fewer than the narrowest letter has."""
IDLE_S = 8.0


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the screen, in pixels."""

    left: int
    top: int
    width: int
    height: int


class Screen:
    """The screen, keyboard and mouse of the X server."""

    def __init__(self, name: str) -> None:
        self._display = display.Display(name)
        self._root = self._display.screen().root

    def picture(self, box: Box) -> bytes:
        """The pixels of a part of the screen, four bytes each, row by row."""
        whole = (box.left, box.top, box.width, box.height)
        return bytes(self._root.get_image(*whole, X.ZPixmap, 0xFFFFFFFF).data)

    def press(self, name: str, *modifiers: str) -> float:
        """Press and release a key; return the time of the press."""
        codes = [self._display.keysym_to_keycode(XK.string_to_keysym(each)) for each in (*modifiers, name)]
        for code in codes:
            xtest.fake_input(self._display, X.KeyPress, code)
        pressed = time.perf_counter()
        self._display.flush()
        for code in reversed(codes):
            xtest.fake_input(self._display, X.KeyRelease, code)
        self._display.flush()
        return pressed

    def click(self, left: int, top: int) -> None:
        xtest.fake_input(self._display, X.MotionNotify, x=left, y=top)
        for kind in (X.ButtonPress, X.ButtonRelease):
            xtest.fake_input(self._display, kind, 1)
        self._display.sync()


@contextmanager
def program(*command: str, log: Path, **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program, and terminate it at the end."""
    with log.open("ab") as out:
        started = subprocess.Popen(command, stdout=out, stderr=out, **options)
    try:
        yield started
    finally:
        started.terminate()
        try:
            started.wait(20)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


def start_server(stack: ExitStack, folder: Path) -> dict[str, str]:
    """Start an X server with a window manager; return the environment for its programs."""
    reading, writing = os.pipe()
    screen = f"{SIZE[0]}x{SIZE[1]}x24"
    server = ("Xvfb", "-displayfd", str(writing), "-screen", "0", screen, "-nolisten", "tcp", "-r")
    stack.enter_context(program(*server, log=folder / "server.log", pass_fds=(writing,)))
    os.close(writing)
    with os.fdopen(reading) as pipe:
        name = f":{pipe.readline().strip()}"
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "QT_", "DBUS_"))}
    environment = kept | {
        "DISPLAY": name,
        "QT_QPA_PLATFORM": "xcb",
        "HOME": str(folder),
        "ANAPHORA_DATA": str(folder / "data"),
    }
    stack.enter_context(program("openbox", log=folder / "manager.log", env=environment))
    return environment


def write_document(folder: Path, sentences: int = SENTENCES) -> Path:
    """Write a text; by default, drafting it takes longer than the benchmark."""
    path = folder / "long.zh.txt"
    lines = [
        f"{WHO[row % len(WHO)]}{row}读取每个{PARTS[row % len(PARTS)]}，并且保存第{row}个记录。"
        for row in range(sentences)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def find_editor(screen: Screen) -> Box:
    """The box of the editor: the largest frame in the focus colour."""
    accent = QColor(LIGHT.accent)
    wanted = bytes((accent.blue(), accent.green(), accent.red()))
    pixels, (width, height) = screen.picture(Box(0, 0, *SIZE)), SIZE
    lines: list[tuple[int, int, int]] = []
    for row in range(height):
        line = pixels[4 * width * row : 4 * width * (row + 1)]
        length, best = 0, (0, 0)
        for column in range(width):
            length = length + 1 if line[4 * column : 4 * column + 3] == wanted else 0
            best = max(best, (length, column))
        if best[0] > 200:
            lines.append((row, best[1] - best[0] + 1, best[0]))
    for row, left, length in lines:
        for below, start, size in reversed(lines):
            if below > row + 20 and (start, size) == (left, length):
                return Box(left, row + 2, length, below - row - 3)
    raise LookupError(f"no editor with the focus is on the screen: {lines}")


def changed_columns(box: Box, before: bytes, after: bytes) -> list[int]:
    """The columns in which two pictures differ."""
    stride = 4 * box.width
    return [
        column
        for column in range(box.width)
        if any(
            before[at : at + 3] != after[at : at + 3] for at in range(4 * column, stride * box.height, stride)
        )
    ]


def columns(box: Box, picture: bytes, left: int) -> bytes:
    """`GLYPH` columns of a picture, from `left`."""
    stride = 4 * box.width
    return b"".join(
        picture[at + 4 * left : at + 4 * (left + GLYPH)] for at in range(0, stride * box.height, stride)
    )


def time_key(screen: Screen, box: Box, letter: str) -> tuple[float, int] | None:
    """Seconds until a letter is visible, and the number of different screenshots; None if it never is."""
    before = screen.picture(box)
    pressed = screen.press(letter)
    frames: list[tuple[float, bytes]] = []
    last, changed = before, pressed
    while (now := time.perf_counter()) < pressed + WAIT_S:
        picture = screen.picture(box)
        if picture != last:
            last, changed = picture, now
            frames.append((time.perf_counter(), picture))
        if frames and now > changed + REST_S and len(changed_columns(box, before, last)) > GLYPH:
            break
    different = changed_columns(box, before, last)
    if len(different) <= GLYPH:
        return None
    # The first two changed columns are those of the old caret.
    left = min(different[0] + 3, box.width - GLYPH)
    wanted = columns(box, last, left)
    shown = next(at for at, picture in frames if columns(box, picture, left) == wanted)
    return shown - pressed, len(frames)


def cpu_of(app: psutil.Process) -> tuple[float, float]:
    """Processor seconds of the window's thread, and of the whole process."""
    main = next(thread for thread in app.threads() if thread.id == app.pid)
    times = app.cpu_times()
    return main.user_time + main.system_time, times.user + times.system


def measure(screen: Screen, app: psutil.Process, keys: int) -> None:
    """Type, and print the results."""
    box, dice = find_editor(screen), random.Random(1)
    before, began = cpu_of(app), time.perf_counter()
    time.sleep(IDLE_S)
    idle = [
        (now - then) / (time.perf_counter() - began) for then, now in zip(before, cpu_of(app), strict=True)
    ]
    times: list[float] = []
    pictures, missed, typed = 0, 0, 0
    before, began = cpu_of(app), time.perf_counter()
    while typed < keys:
        if typed % ROUND == 0:
            screen.press("a", "Control_L")
            screen.press("Delete")
            time.sleep(0.5)
        timing = time_key(screen, box, LETTERS[typed % len(LETTERS)])
        typed += 1
        if timing is None:
            missed += 1
        else:
            times.append(timing[0])
            pictures += timing[1]
        time.sleep(dice.uniform(*PAUSE_S))
    took = time.perf_counter() - began
    spent = [now - then for then, now in zip(before, cpu_of(app), strict=True)]
    times.sort()
    p95 = times[min(int(0.95 * len(times)), len(times) - 1)]
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"{len(times)} letters, {missed} not seen within {WAIT_S:g} s")
    print(
        f"until the letter shows: median {1000 * median(times):.0f} ms, p95 {1000 * p95:.0f} ms, "
        f"longest {1000 * times[-1]:.0f} ms"
    )
    print(
        f"processor time of the window's thread: {1000 * (spent[0] - idle[0] * took) / typed:.1f} ms a key, "
        f"beyond {100 * idle[0]:.0f} % of a core at rest"
    )
    print(f"the app meanwhile: {spent[1] / took:.2f} cores (at rest {idle[1]:.2f}), most of it drafting")
    print(f"load of the machine: {load} on {os.cpu_count()} cores")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--keys", type=int, default=150)
    parser.add_argument("--sentences", type=int, default=SENTENCES)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        environment = start_server(stack, folder)
        command = (sys.executable, "-m", "anaphora.main", str(write_document(folder, options.sentences)))
        app = stack.enter_context(program(*command, log=folder / "app.log", env=environment))
        search = ("xdotool", "search", "--sync", "--onlyvisible", "--name", "long.zh.txt")
        subprocess.run(search, env=environment, check=True, capture_output=True, timeout=120)
        screen, began = Screen(environment["DISPLAY"]), time.perf_counter()
        process = psutil.Process(app.pid)
        while process.cpu_times().user < 8 and time.perf_counter() < began + 40:
            time.sleep(0.5)  # the model is loaded, and drafts have begun
        time.sleep(5)
        screen_check(screen, folder)
        measure(screen, process, options.keys)


def screen_check(screen: Screen, folder: Path) -> None:
    """Wait until the editor has the focus."""
    for _ in range(60):
        try:
            find_editor(screen)
        except LookupError:
            time.sleep(0.5)
        else:
            return
    raise LookupError((folder / "app.log").read_text("utf-8", "replace"))


if __name__ == "__main__":
    main()
