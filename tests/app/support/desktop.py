"""A separate desktop for tests: a real X server, a window manager, a session bus and AT-SPI.

The app runs there as a separate process. Tests send real key strokes and read the app like a screen reader.
The Debian packages of `NEEDED` are required; `missing()` lists missing ones.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from jeepney import DBusAddress, HeaderFields, MatchRule, MessageType, new_method_call
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection
from PySide6.QtGui import QImage

NEEDED = {
    "Xvfb": "xvfb",
    "xdotool": "xdotool",
    "xwd": "x11-apps",
    "xrandr": "x11-xserver-utils",
    "openbox": "openbox",
    "dbus-daemon": "dbus",
    "/usr/libexec/at-spi-bus-launcher": "at-spi2-core",
}
LIBRARIES = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
}
FROM_SOURCE = (sys.executable, "-m", "anaphora.main")
ACCESSIBLE = "org.a11y.atspi.Accessible"
PROPERTIES = "org.freedesktop.DBus.Properties"
ACTIVE, FOCUSABLE, FOCUSED, SELECTED, SHOWING, VISIBLE = 1, 11, 12, 23, 25, 30
"""Bits of AT-SPI states."""
SLOWEST = 240.0
"""Maximum waiting time in seconds; a busy machine needs two minutes for loading the model."""


class GoneError(LookupError):
    """A thing has disappeared."""


def missing() -> list[str]:
    """The Debian packages that are not installed."""
    found = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False).stdout
    return [
        *(package for program, package in NEEDED.items() if shutil.which(program) is None),
        *(package for library, package in LIBRARIES.items() if library not in found),
    ]


def until(found: Callable[[], Any], what: str, seconds: float = SLOWEST) -> Any:
    """Wait until `found()` is true, and return its value; things that disappear are searched for again."""
    end = time.monotonic() + seconds
    while True:
        with contextlib.suppress(GoneError):
            if value := found():
                return value
        assert time.monotonic() < end, f"waited for {what}"
        time.sleep(0.05)


class Thing:
    """An accessible object of AT-SPI."""

    def __init__(self, desktop: Desktop, bus: str, path: str) -> None:
        self._desktop = desktop
        self.bus, self.path = bus, path

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing) and (self.bus, self.path) == (other.bus, other.path)

    def __hash__(self) -> int:
        return hash((self.bus, self.path))

    def __repr__(self) -> str:
        return f"<{self.role} {self.name!r}>"

    @property
    def name(self) -> str:
        return str(self._ask(PROPERTIES, "Get", "ss", (ACCESSIBLE, "Name"))[0][1])

    @property
    def description(self) -> str:
        return str(self._ask(PROPERTIES, "Get", "ss", (ACCESSIBLE, "Description"))[0][1])

    @property
    def role(self) -> str:
        """The role, such as "push button" or "text"."""
        return str(self._ask(ACCESSIBLE, "GetRoleName")[0])

    @property
    def text(self) -> str:
        """The text of a field."""
        return str(self._ask("org.a11y.atspi.Text", "GetText", "ii", (0, -1))[0])

    @property
    def caret(self) -> int:
        """The caret position in a field's text."""
        return int(self._ask(PROPERTIES, "Get", "ss", ("org.a11y.atspi.Text", "CaretOffset"))[0][1])

    @property
    def place(self) -> tuple[int, int, int, int]:
        """Left, top, width and height on the screen."""
        left, top, width, height = self._ask("org.a11y.atspi.Component", "GetExtents", "u", (0,))[0]
        return left, top, width, height

    def has(self, state: int) -> bool:
        words = self._ask(ACCESSIBLE, "GetState")[0]
        return bool(words[state // 32] >> state % 32 & 1)

    def children(self) -> list[Thing]:
        return [Thing(self._desktop, *each) for each in self._ask(ACCESSIBLE, "GetChildren")[0]]

    def all(self, hidden: bool = False) -> Iterator[Thing]:
        """This object and its descendants; only visible ones unless `hidden`."""
        yield self
        for child in self.children():
            if hidden or child.has(VISIBLE):
                yield from child.all(hidden)

    def _ask(self, interface: str, member: str, signature: str = "", body: Sequence[object] = ()) -> Any:
        return self._desktop.ask(self.bus, self.path, interface, member, signature, body)


class Desktop:
    """An X server with a window manager and a session bus; programs run in it.

    Attributes:
        size: size of the screen in pixels.
    """

    def __init__(self, folder: Path, size: tuple[int, int]) -> None:
        self.size = size
        self._folder = folder
        self._programs: list[subprocess.Popen[bytes]] = []
        self._manager: subprocess.Popen[bytes] | None = None
        runtime = folder / "runtime"
        runtime.mkdir(mode=0o700)
        home = {"HOME": str(folder), "XDG_RUNTIME_DIR": str(runtime), "XDG_CACHE_HOME": str(folder / "cache")}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "QT_"))}
        self._environment = kept | home
        reading, writing = os.pipe()
        screen = f"{size[0]}x{size[1]}x24"
        # "-r" disables repeated keys, as a busy machine may hold a key for longer than 0.6 s.
        server = ("Xvfb", "-displayfd", str(writing), "-screen", "0", screen, "-nolisten", "tcp", "-r")
        self._start(*server, keep=(writing,))
        os.close(writing)
        with os.fdopen(reading) as pipe:
            self._environment["DISPLAY"] = f":{pipe.readline().strip()}"
        bus = self._start("dbus-daemon", "--session", "--nofork", "--print-address=1", read=True)
        assert bus.stdout is not None
        address = bus.stdout.readline().decode().strip()
        self._environment["DBUS_SESSION_BUS_ADDRESS"] = address
        until(self._has_manager, "the window manager")
        session = open_dbus_connection(address)
        where = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
        (accessibility,) = session.send_and_get_reply(new_method_call(where, "GetAddress")).body
        session.close()
        self._bus = open_dbus_connection(accessibility)
        self._focused: Thing | None = None
        self._is_busy = False
        self._listen()

    def start_app(self, *arguments: str, program: Sequence[str] = FROM_SOURCE, **environment: str) -> Thing:
        """Start Anaphora and wait for its window."""
        self._environment |= {"QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"} | environment
        self._start(*program, "--threads", "1", *arguments)
        (app,) = until(self.apps, "the app")
        until(lambda: any(each.role == "frame" for each in app.children()), "the window")
        return app

    def apps(self) -> list[Thing]:
        """The running apps that AT-SPI knows, without other programs such as Orca."""
        return [each for each in self._known() if each.name == "Anaphora"]

    def start_orca(self) -> Callable[[], list[str]]:
        """Start the screen reader Orca; the returned function gives all its speech so far.

        Orca buffers its log; a key press makes it write.
        """
        log = self._folder / "orca.debug"
        self._start("orca", "--debug-file", str(log))

        def speech() -> list[str]:
            text = log.read_text("utf-8", errors="replace") if log.exists() else ""
            return re.findall(r"SPEECH OUTPUT: '(.*?)'(?= ?[\[{])", text, re.DOTALL)

        until(lambda: any(each.name == "orca" for each in self._known()), "Orca")
        return speech

    def press(self, *keys: str) -> None:
        """Press keys, with their X names, one after the other."""
        for key in keys:
            until(self._has_keyboard, f"the keyboard, for {key}")
            assert self._run("xdotool", "key", key) == 0, key

    def type(self, text: str) -> None:
        until(self._has_keyboard, f"the keyboard, for {text!r}")
        assert self._run("xdotool", "type", "--delay", "8", text) == 0

    def split(self, *widths: int) -> None:
        """Split the screen into monitors of these widths, side by side."""
        for name in self._monitors():
            self._run("xrandr", "--delmonitor", name)
        left = 0
        for number, width in enumerate(widths):
            place = f"{width}/300x{self.size[1]}/200+{left}+0"
            output = "none" if number else "screen"
            assert self._run("xrandr", "--setmonitor", f"monitor{number}", place, output) == 0
            left += width
        until(lambda: len(self._monitors()) == len(widths), "the monitors")

    @contextmanager
    def busy(self) -> Iterator[None]:
        """In this context the app is stopped; key strokes wait for it."""
        app = self._programs[-1]
        app.send_signal(signal.SIGSTOP)
        self._is_busy = True
        try:
            yield
        finally:
            self._is_busy = False
            app.send_signal(signal.SIGCONT)

    def focused(self) -> Thing | None:
        """The last thing announced as focused; before any announcement, the app is searched."""
        if self._focused is None:
            shown = (each for app in self.apps() for each in app.all())
            found = next((each for each in shown if each.has(FOCUSED)), None)
            # Events received during the search are newer.
            self._focused = self._focused or found
        while True:
            try:
                message = self._bus.receive(timeout=0.01)
            except TimeoutError:
                return self._focused
            self._note(message)

    def picture(self) -> QImage:
        dump = subprocess.run(
            ["xwd", "-root", "-silent"], env=self._environment, capture_output=True, check=True
        ).stdout
        header = struct.unpack(">25I", dump[:100])
        length, width, height, bits, stride, colours = (header[at] for at in (0, 4, 5, 11, 12, 19))
        pixels = dump[length + 12 * colours :]
        # Some servers use three bytes per pixel, others four.
        kind = QImage.Format.Format_BGR888 if bits == 24 else QImage.Format.Format_RGB32
        return QImage(pixels, width, height, stride, kind).copy()

    def outline(self) -> str:
        """The contents of the app, one line for each thing, and the focused thing."""
        lines: list[str] = []

        def add(thing: Thing, depth: int) -> None:
            lines.append(f"{'  ' * depth}{thing.role} {thing.name!r}")
            for child in thing.children():
                if child.has(VISIBLE):
                    add(child, depth + 1)

        try:
            for app in self.apps():
                add(app, 0)
            lines.append(f"focus: {self.focused()}")
        except (GoneError, TimeoutError) as problem:
            lines.append(f"({problem})")
        return "\n".join(lines)

    def ask(
        self, bus: str, path: str, interface: str, member: str, signature: str, body: Sequence[object]
    ) -> Any:
        """Call a method on the AT-SPI bus and wait for its answer."""
        call = new_method_call(DBusAddress(path, bus, interface), member, signature or None, tuple(body))
        serial = next(self._bus.outgoing_serial)
        self._bus.send(call, serial=serial)
        end = time.monotonic() + SLOWEST
        while True:
            answer = self._bus.receive(timeout=max(0.0, end - time.monotonic()))
            if answer.header.fields.get(HeaderFields.reply_serial) != serial:
                self._note(answer)
            elif answer.header.message_type is MessageType.error:
                raise GoneError(f"{member} of {path}: {answer.body}")
            else:
                return answer.body

    def end_app(self) -> None:
        """Terminate the program that was started last, like the system does."""
        app = self._programs.pop()
        app.terminate()
        app.wait(SLOWEST)

    def close(self) -> None:
        """End all programs of the desktop."""
        self._bus.close()
        for program in reversed(self._programs):
            program.terminate()
        for program in self._programs:
            try:
                program.wait(10)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()
            if program.stdout is not None:
                program.stdout.close()
        # Programs started by D-Bus for the session end with its runtime folder's owner.
        for process in psutil.process_iter(["environ"]):
            is_ours = any(str(self._folder) in value for value in (process.info["environ"] or {}).values())
            if is_ours and process.pid != os.getpid():
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.terminate()

    def _known(self) -> list[Thing]:
        return Thing(self, "org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root").children()

    def _monitors(self) -> list[str]:
        asked = ("xrandr", "--listactivemonitors")
        answer = subprocess.run(asked, env=self._environment, check=True, capture_output=True, text=True)
        return re.findall(r"^ \d+: [+*]*(\S+)", answer.stdout, re.MULTILINE)

    def _has_manager(self) -> bool:
        """True if the window manager runs; it is started again if it has ended."""
        if self._run("xdotool", "get_num_desktops") == 0:
            return True
        if self._manager is None or self._manager.poll() is not None:
            self._manager = self._start("openbox")
        return False

    def _has_keyboard(self) -> bool:
        """True if X sends keys to the window that the app considers active.

        A dialog that opens or closes is active, or no longer, in the app at once, and for X when the window
        manager has come to it. Keys that are pressed between the two go to a window that takes none.
        """
        if self._is_busy:
            return True
        active = next(
            (window for app in self.apps() for window in app.children() if window.has(ACTIVE)), None
        )
        asked = ("xdotool", "getwindowfocus", "getwindowname")
        answer = subprocess.run(
            asked, env=self._environment, check=False, capture_output=True, timeout=SLOWEST
        )
        return active is not None and answer.stdout.decode().rstrip("\n") == active.name

    def _note(self, message: Any) -> None:
        fields = message.header.fields
        if fields.get(HeaderFields.member) != "StateChanged" or message.body[:2] != ("focused", 1):
            return
        self._focused = Thing(self, fields[HeaderFields.sender], fields[HeaderFields.path])

    def _listen(self) -> None:
        registry = DBusAddress(
            "/org/a11y/atspi/registry", "org.a11y.atspi.Registry", "org.a11y.atspi.Registry"
        )
        event = "object:state-changed:focused"
        self._bus.send_and_get_reply(new_method_call(registry, "RegisterEvent", "sass", (event, [], "")))
        rule = MatchRule(type="signal", interface="org.a11y.atspi.Event.Object", member="StateChanged")
        self._bus.send_and_get_reply(message_bus.AddMatch(rule))

    def _start(self, *command: str, read: bool = False, keep: Sequence[int] = ()) -> subprocess.Popen[bytes]:
        log = (self._folder / f"{Path(command[0]).name}.log").open("ab")
        with log:
            program = subprocess.Popen(
                command,
                env=self._environment,
                stdout=subprocess.PIPE if read else log,
                stderr=log,
                pass_fds=keep,
            )
        self._programs.append(program)
        return program

    def _run(self, *command: str) -> int:
        return subprocess.run(
            command, env=self._environment, check=False, capture_output=True, timeout=SLOWEST
        ).returncode


def found(within: Thing, role: str, name: str = "") -> Thing | None:
    """The first visible thing of a role whose name matches a regular expression."""
    for each in within.all():
        if each.role == role and re.search(name, each.name):
            return each
    return None
