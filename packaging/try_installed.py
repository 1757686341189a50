"""Installs the .deb in a clean Debian and works with it as a user without rights: no Python, no compiler.

    sudo .venv/bin/python packaging/try_installed.py build/anaphora-linux-amd64.deb --before OLDER.deb

It makes the clean root with debootstrap (bookworm, minbase) and installs the older package with what it
depends on. In its window a Word document is opened, drafted and confirmed by keyboard; the package is
upgraded while that window is open; the new version goes on with the project, exports the document, and
starts once more. Then the package is removed: projects and settings stay. What the window shows is read as a
screen reader reads it, and kept as pictures with `--pictures`. Without `--before` the package is installed
over itself.

Needed: rights to chroot and to mount, a network, debootstrap, the extra `installers`, and what
`tests/app/support/desktop.py` names (Xvfb, openbox, xdotool, dbus, at-spi2-core).
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "app" / "support"))

import docx
from by_keyboard import frame, is_at, says
from desktop import Desktop, Thing, found, until

USER = "somebody"
HOME = f"home/{USER}"
DATA = f"{HOME}/.local/share/anaphora"
MIRROR, RELEASE = "http://deb.debian.org/debian", "bookworm"
FONTS = "fonts-wqy-microhei"
"""For the pictures: the package recommends larger ones, which every desktop has."""
LINES = ("区块链是一种分布式账本。", "账本保存每个交易。", "每个节点读取账本。", "我们比较模型的性能。")
SECONDS = 120.0


def main() -> int:
    """Try a package; returns the exit status."""
    parser = argparse.ArgumentParser(description="Try a .deb in a clean Debian.")
    parser.add_argument("package", type=Path)
    parser.add_argument("--before", type=Path, help="the package of the version before")
    parser.add_argument(
        "--root", type=Path, default=Path("/var/tmp/anaphora-root"), help="a clean root, kept"
    )
    parser.add_argument("--pictures", type=Path, help="folder for pictures of the window")
    options = parser.parse_args()
    root: Path = options.root
    make_root(root)
    with tempfile.TemporaryDirectory(prefix="anaphora-trial-", dir="/tmp") as place, mounted(root):
        own(root, Path(place))
        install(root, options.before or options.package)
        check("no Python in the clean root", not (root / "usr" / "bin" / "python3").exists())
        translate(root)
        write_document(root / HOME / "ledger.docx")
        own(root, root / HOME)
        trial = Trial(root, Path(place), options.pictures)
        try:
            trial.work_and_upgrade(options.package)
            trial.go_on_and_export()
            trial.open_sample()
        finally:
            trial.close()
    remove(root)
    return 0


def check(what: str, holds: object) -> None:
    """Say what was found; the end where it does not hold."""
    print(("ok    " if holds else "FAILED ") + what, flush=True)
    if not holds:
        sys.exit(1)


def make_root(root: Path) -> None:
    """A clean system, with a user without rights and without work of an earlier trial."""
    if not (root / "usr" / "bin" / "apt-get").exists():
        subprocess.run(["debootstrap", "--variant=minbase", RELEASE, str(root), MIRROR], check=True)
    if not (root / "usr" / "share" / "fonts").exists():
        run(root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", FONTS)
    if not (root / HOME).exists():
        run(root, "useradd", "--create-home", USER)
    if (root / "usr" / "bin" / "anaphora").exists():
        run(root, "apt-get", "remove", "-y", "-qq", "anaphora")
    shutil.rmtree(root / HOME)
    (root / HOME).mkdir()
    own(root, root / HOME)


def ids(root: Path) -> tuple[int, int]:
    """Numbers of the user and the group in the root."""
    lines = (root / "etc" / "passwd").read_text("utf-8").splitlines()
    (fields,) = (line.split(":") for line in lines if line.startswith(f"{USER}:"))
    return int(fields[2]), int(fields[3])


def own(root: Path, folder: Path) -> None:
    """Give a folder and all in it to the user."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, *ids(root), follow_symlinks=False)


def run(root: Path, *command: str) -> None:
    """Run a command in the root as its administrator."""
    environment = {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "DEBIAN_FRONTEND": "noninteractive",
        "LANG": "C.UTF-8",
    }
    subprocess.run(["chroot", str(root), *command], check=True, env=environment)


def as_user(root: Path, *command: str, **environment: str) -> list[str]:
    """A command in the root as the user."""
    given = {"HOME": f"/{HOME}", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", **environment}
    variables = [f"{name}={value}" for name, value in given.items()]
    return ["chroot", f"--userspec={USER}", str(root), "env", "-i", *variables, *command]


@contextmanager
def mounted(root: Path) -> Iterator[None]:
    """With /proc and /dev, as programs expect them, and /tmp, where the sockets of the desktop lie."""
    for name in ("proc", "dev", "tmp"):
        subprocess.run(["mount", "--bind", f"/{name}", str(root / name)], check=True)
    try:
        yield
    finally:
        for name in ("tmp", "dev", "proc"):
            subprocess.run(["umount", "--lazy", str(root / name)], check=False)


def install(root: Path, package: Path) -> None:
    """Install the package, or install it over another one or itself."""
    shutil.copyfile(package, root / "var" / "anaphora.deb")
    command = ("apt-get", "install", "-y", "-qq", "--reinstall", "--no-install-recommends")
    run(root, *command, "--allow-downgrades", "/var/anaphora.deb")
    told = subprocess.run(as_user(root, "anaphora", "--version"), capture_output=True, text=True, check=True)
    check(f"installed: {told.stdout.strip()}", (root / "usr" / "bin" / "anaphora").is_symlink())


def translate(root: Path) -> None:
    """Without a window, by the same program."""
    (root / HOME / "a.txt").write_text("账本保存每个交易。\n", "utf-8")
    own(root, root / HOME)
    begun = time.monotonic()
    subprocess.run(as_user(root, "sh", "-c", "cd && anaphora translate a.txt -o b.txt"), check=True)
    text = (root / HOME / "b.txt").read_text("utf-8")
    check(f"translated in {time.monotonic() - begun:.1f} s: {text.strip()}", "ledger" in text.lower())


def write_document(path: Path) -> None:
    """A Word document with a bold word and a table."""
    document = docx.Document()
    for line in LINES[:2]:
        document.add_paragraph(line)
    paragraph = document.add_paragraph("每个")
    paragraph.add_run("节点").bold = True
    paragraph.add_run("读取账本。")
    document.add_table(1, 1).cell(0, 0).text = LINES[3]
    document.save(str(path))


def remove(root: Path) -> None:
    """Remove the package: what the user has stays as it is."""
    before = work_of(root)
    run(root, "apt-get", "purge", "-y", "-qq", "anaphora")
    check("the command is gone", not (root / "usr" / "bin" / "anaphora").exists())
    check("nothing of the program is left", not (root / "usr" / "lib" / "anaphora").exists())
    settings = [name for name in before if name.endswith((".ini", ".conf"))]
    check(f"settings stay: {', '.join(settings)}", settings and work_of(root) == before)
    check("projects stay", any((root / DATA / "projects").glob("*.anaphora")))


def work_of(root: Path) -> dict[str, bytes]:
    """The user's files and what is in them."""
    files = (path for path in sorted((root / HOME).rglob("*")) if path.is_file())
    return {str(path.relative_to(root / HOME)): path.read_bytes() for path in files}


class Trial(Desktop):
    """A screen of the user's, on which the installed program runs. Its own programs run as the user, too."""

    def __init__(self, root: Path, place: Path, pictures: Path | None) -> None:
        self._root, self._pictures = root, pictures
        self._seen: list[list[str]] = []
        self._program: subprocess.Popen[bytes] | None = None
        if pictures is not None:
            pictures.mkdir(parents=True, exist_ok=True)
        # AT-SPI answers only who is the same user; the right to chroot is kept for later.
        become(*ids(root))
        super().__init__(place, (1440, 900))

    def close(self) -> None:
        """End everything, and be the administrator again."""
        super().close()
        administrate()

    def open(self, *arguments: str) -> Thing:
        """Start the program; its window, with all drafts."""
        given = ("DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")
        told = {name: self._environment[name] for name in given}
        told |= {"QT_QPA_PLATFORM": "xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1"}
        command = as_user(self._root, "anaphora", *arguments, **told)
        begun = time.monotonic()
        self._program = subprocess.Popen(command, preexec_fn=administrate)
        self._programs.append(self._program)
        (app,) = until(self.apps, "the program")
        until(lambda: any(each.role == "frame" for each in app.children()), "the window")
        shown = time.monotonic() - begun
        until(lambda: self.rows(app) and self.rows(app)[0][3], "the first draft")
        check(f"window after {shown:.1f} s, first draft after {time.monotonic() - begun:.1f} s", True)
        until(says(app, "label", "^Everything is drafted"), "all drafts")
        return app

    def end(self) -> None:
        """The system ends the program, as at the end of a session."""
        assert self._program is not None
        # It is the user's own process, behind `chroot` and `env`, which have become it.
        self._program.terminate()
        status = self._program.wait(SECONDS)
        check(f"it ended by itself ({status})", status == 0)
        until(lambda: not self.apps(), "its end")

    def rows(self, app: Thing) -> list[list[str]]:
        """The rows of the table: number and state, source, state, translation; without marks of tags."""
        table = found(frame(app), "table", "^Segments$")
        cells = [each.name for each in table.children() if each.role == "cell"] if table else []
        names = [re.sub(r"‹\d+›", "", name) for name in cells]
        return [names[at : at + 4] for at in range(0, len(names), 4)]

    def keep_picture(self, name: str) -> None:
        """Keep what the screen shows."""
        if self._pictures is not None:
            picture = self.picture()
            with administrator():
                picture.save(str(self._pictures / f"{name}.png"))

    def confirm(self, app: Thing, segment: int) -> None:
        """Confirm the segment that has the keyboard."""
        until(lambda: is_at(self, segment, "Machine draft"), f"segment {segment}")
        self.press("ctrl+Return")
        until(lambda: self.rows(app)[segment - 1][0] == f"Segment {segment}, Confirmed", "the confirmation")

    def work_and_upgrade(self, package: Path) -> None:
        """Draft and confirm a Word document; another version is installed while it is open."""
        app = self.open(f"/{HOME}/ledger.docx")
        rows = self.rows(app)
        check(f"the document is shown: {[row[1] for row in rows]}", [row[1] for row in rows] == [*LINES])
        check(f"and drafted: {[row[3] for row in rows]}", all(row[3] for row in rows))
        self.confirm(app, 1)
        self.keep_picture("before")
        with administrator():
            install(self._root, package)
        self.confirm(app, 2)
        check("the window that was open goes on", self.rows(app)[1][0] == "Segment 2, Confirmed")
        self._seen = self.rows(app)
        self.end()

    def go_on_and_export(self) -> None:
        """The new version has what was done; the document is exported, and the same after another start."""
        app = self.open(f"/{HOME}/ledger.docx")
        rows = self.rows(app)
        done = [(row[0], row[3]) for row in rows[:2]]
        check(f"what was confirmed is there: {done}", done == [(row[0], row[3]) for row in self._seen[:2]])
        self.confirm(app, 3)
        self.keep_picture("after")
        self.press("ctrl+s")
        until(says(app, "dialog", ""), "the dialog of the export")
        time.sleep(1.0)  # it is told of before it is painted
        self.keep_picture("export")
        self.press("Return")
        until(lambda: self.exported(), "the exported document")
        self.check_document(app)
        self._seen = self.rows(app)
        self.end()
        app = self.open(f"/{HOME}/ledger.docx")
        check("after another start everything is the same", self.rows(app) == self._seen)
        self.end()

    def exported(self) -> list[Path]:
        """Other Word documents than the original."""
        return [each for each in (self._root / HOME).glob("*.docx") if each.name != "ledger.docx"]

    def check_document(self, app: Thing) -> None:
        """The exported document says what the window shows, and has its form."""
        (path,) = self.exported()
        document = docx.Document(str(path))
        texts = [each.text for each in document.paragraphs] + [document.tables[0].cell(0, 0).text]
        check(f"{path.name}: {texts}", texts == [row[3] for row in self.rows(app)])
        bold = [run.text for run in document.paragraphs[2].runs if run.bold]
        check(f"what is bold stays bold: {bold}", bold)

    def open_sample(self) -> None:
        """The sample, in a window of its own."""
        app = self.open("--sample")
        self.keep_picture("sample")
        rows = self.rows(app)
        check(f"the sample: {len(rows)} rows in view", len(rows) > 5 and all(row[3] for row in rows))
        self.end()


def administrate() -> None:
    """Take back the administrator's rights."""
    os.setresuid(0, 0, 0)
    os.setresgid(0, 0, 0)


@contextmanager
def administrator() -> Iterator[None]:
    """With the administrator's rights for a while."""
    user, group = os.getuid(), os.getgid()
    administrate()
    try:
        yield
    finally:
        become(user, group)


def become(user: int, group: int) -> None:
    """Be a user, who may become the administrator again."""
    os.setresgid(group, group, 0)
    os.setresuid(user, user, 0)


if __name__ == "__main__":
    sys.exit(main())
