"""Builds the program for computers without Python: a folder, and from it each system's installer.

    python packaging/start.py setup installers
    python packaging/build.py --out build folder     # the folder alone, on any system
    python packaging/build.py --out build deb        # Linux: a Debian package (dpkg-deb)
    python packaging/build.py --out build appimage --runtime runtime-x86_64  # Linux: an AppImage (mksquashfs)
    python packaging/build.py --out build windows    # Windows: an installer (Inno Setup 6)
    python packaging/build.py --out build macos      # macOS: a disk image

Run it with the Python of `packaging/start.py`'s environment: what is installed there goes in, torch as it is
(the build for CPUs is the small one). PyInstaller does it: it is kept well, knows torch and PySide6 by its
hooks, needs no compiler, and its folder starts without unpacking itself. Briefcase wants a Python of its own
for each system; pyside6-deploy compiles everything with Nuitka, torch too, which takes hours.

Several kinds may be named; the folder is made once. Linux is what it was tried on: the other two were never
built. `--repository` is the web address of the GitHub repository in which this version is released: software
centres find its pictures there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from installers.folder import freeze, size
from installers.linux import build_appimage, build_deb
from installers.macos import AD_HOC, build_dmg
from installers.place import ROOT
from installers.windows import build_setup

KINDS = ("folder", "deb", "appimage", "windows", "macos")


def main() -> int:
    options = parse()
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    frozen = options.frozen or freeze(out)
    print(f"{frozen}: {size(frozen) / 1e6:.0f} MB", flush=True)
    for kind in options.kinds:
        if kind == "deb":
            tell(build_deb(frozen, out, options.repository))
        elif kind == "appimage":
            tell(build_appimage(frozen, out, options.runtime, options.repository))
        elif kind == "windows":
            tell(build_setup(frozen, out))
        elif kind == "macos":
            tell(build_dmg(frozen, out, options.identity))
    return 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Build installers.")
    parser.add_argument("kinds", nargs="+", choices=KINDS, metavar="KIND", help=" ".join(KINDS))
    parser.add_argument("--out", type=Path, default=ROOT / "build")
    parser.add_argument("--frozen", type=Path, help="a folder that was built before")
    parser.add_argument("--repository", default="", help="web address of the repository of its releases")
    parser.add_argument("--runtime", type=Path, help="what begins an AppImage (AppImage/type2-runtime)")
    parser.add_argument("--identity", default=AD_HOC, help="certificate to sign with on macOS")
    options = parser.parse_args()
    if "appimage" in options.kinds and options.runtime is None:
        parser.error("an AppImage needs --runtime: runtime-x86_64 of github.com/AppImage/type2-runtime")
    return options


def tell(made: Path) -> None:
    print(f"{made}: {made.stat().st_size / 1e6:.0f} MB", flush=True)


if __name__ == "__main__":
    sys.exit(main())
