"""Installs the .deb in a clean Debian and works with it as a user without rights: no Python, no compiler.

    sudo python packaging/try_installed.py build/anaphora_0.4.0_amd64.deb

It makes the clean root with debootstrap (bookworm, minbase), installs the package with what it depends on,
translates a document without a window, opens the sample under Xvfb, looks for the window and for drafts in
its project, starts again with the project there, installs the package once more over itself, and removes it:
projects stay. Needed here: debootstrap, Xvfb, xdotool, a network, and rights to chroot and to mount /proc.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

USER, DATA = "somebody", "home/somebody/.local/share/anaphora"
MIRROR, RELEASE = "http://deb.debian.org/debian", "bookworm"
SECONDS, WORK = 300.0, 60.0
"""The longest that is waited for a window, and how long it is left to draft."""


def main() -> int:
    """Try a package; returns the exit status."""
    parser = argparse.ArgumentParser(description="Try a .deb in a clean Debian.")
    parser.add_argument("package", type=Path)
    parser.add_argument(
        "--root", type=Path, default=Path("/var/tmp/anaphora-root"), help="a clean root, kept"
    )
    parser.add_argument("--picture", type=Path, help="where to put a picture of the window (ImageMagick)")
    options = parser.parse_args()
    root: Path = options.root
    make_root(root)
    with mounted(root), display() as screen:
        install(root, options.package)
        check("no Python in the clean root", not (root / "usr" / "bin" / "python3").exists())
        translate(root)
        for time_of in ("first", "second"):
            open_sample(root, screen, time_of, options.picture)
        install(root, options.package)
        open_sample(root, screen, "after the upgrade", None)
        run(root, "apt-get", "remove", "-y", "anaphora")
        check("the command is gone", not (root / "usr" / "bin" / "anaphora").exists())
        check("projects stay", any((root / DATA / "projects").glob("*.anaphora")))
    return 0


def check(what: str, holds: bool) -> None:
    """Say what was found; the end where it does not hold."""
    print(("ok    " if holds else "FAILED ") + what, flush=True)
    if not holds:
        sys.exit(1)


def make_root(root: Path) -> None:
    """A clean system, with a user without rights."""
    if not (root / "usr" / "bin" / "apt-get").exists():
        subprocess.run(["debootstrap", "--variant=minbase", RELEASE, str(root), MIRROR], check=True)
    if not (root / "home" / USER).exists():
        run(root, "useradd", "--create-home", USER)
    shutil.rmtree(root / DATA, ignore_errors=True)


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
    given = {"HOME": f"/home/{USER}", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", **environment}
    variables = [f"{name}={value}" for name, value in given.items()]
    return ["chroot", f"--userspec={USER}", str(root), "env", "-i", *variables, *command]


@contextmanager
def mounted(root: Path) -> Iterator[None]:
    """With /proc and /dev, as programs expect them."""
    for name in ("proc", "dev"):
        subprocess.run(["mount", "--bind", f"/{name}", str(root / name)], check=True)
    try:
        yield
    finally:
        for name in ("dev", "proc"):
            subprocess.run(["umount", "--lazy", str(root / name)], check=False)


@contextmanager
def display() -> Iterator[str]:
    """A screen; its socket is an abstract one, which a root shares."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x900x24"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as server:
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        try:
            yield f":{number}"
        finally:
            server.terminate()


def install(root: Path, package: Path) -> None:
    """Install the package, or install it over itself."""
    shutil.copyfile(package, root / "tmp" / "anaphora.deb")
    run(root, "apt-get", "install", "-y", "--reinstall", "--no-install-recommends", "/tmp/anaphora.deb")
    check("installed", (root / "usr" / "bin" / "anaphora").is_symlink())


def translate(root: Path) -> None:
    """Without a window, by the same program."""
    home = root / "home" / USER
    (home / "a.txt").write_text("账本保存每个交易。\n", "utf-8")
    begun = time.monotonic()
    subprocess.run(as_user(root, "sh", "-c", "cd && anaphora translate a.txt -o b.txt"), check=True)
    text = (home / "b.txt").read_text("utf-8")
    check(f"translated in {time.monotonic() - begun:.1f} s: {text.strip()}", "ledger" in text.lower())


def open_sample(root: Path, screen: str, name: str, picture: Path | None) -> None:
    """Start the window on the sample, wait for it and for drafts in its project, and end it."""
    begun = time.monotonic()
    with subprocess.Popen(as_user(root, "anaphora", "--sample", DISPLAY=screen)) as program:
        search = ["xdotool", "search", "--onlyvisible", "--name", "Anaphora"]
        found = {**os.environ, "DISPLAY": screen}
        shown = until(
            lambda: subprocess.run(search, env=found, capture_output=True, check=False).returncode == 0
        )
        check(f"{name} start: the window is there after {time.monotonic() - begun:.1f} s", shown)
        time.sleep(WORK)
        if picture is not None:
            subprocess.run(["import", "-window", "root", str(picture)], env=found, check=False)
        program.terminate()
    check(f"{name} start: it ended by itself ({program.returncode})", program.returncode == 0)
    # While a window has the project open, nobody else reads it.
    check(f"{name} start: {drafts(root)} drafts are in the project", drafts(root) > 0)


def drafts(root: Path) -> int:
    """Segments with a text in the sample's project."""
    for path in (root / DATA / "projects").glob("sample*.anaphora"):
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as project:
            try:
                return int(project.execute("SELECT count(*) FROM segments WHERE target <> ''").fetchone()[0])
            except sqlite3.Error:
                return 0
    return 0


def until(holds: Callable[[], bool]) -> bool:
    """Wait for something; whether it came."""
    end = time.monotonic() + SECONDS
    while not (found := holds()) and time.monotonic() < end:
        time.sleep(0.2)
    return found


if __name__ == "__main__":
    sys.exit(main())
