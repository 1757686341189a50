"""Build the program for computers without Python: a folder, and installers made from it.

    python packaging/start.py setup installers
    python packaging/build.py --out build folder     # any system: only the folder
    python packaging/build.py --out build deb        # Linux: a Debian package (dpkg-deb)
    python packaging/build.py --out build appimage --runtime runtime-x86_64  # Linux: an AppImage (mksquashfs)
    python packaging/build.py --out build windows    # Windows: an installer (Inno Setup 6)
    python packaging/build.py --out build macos      # macOS: a disk image

Run this script with the Python in `.venv`, because the program contains the packages installed there. The
program is smaller with PyTorch's CPU build. PyInstaller is used because it is well maintained, has hooks for
torch and PySide6, needs no compiler, and makes a folder that starts without unpacking. Briefcase needs
another Python for each system. pyside6-deploy compiles everything, including torch, with Nuitka, which takes
hours.

If several kinds are given, the folder is built only once. Only the installers for Linux have been built and
tested. `--repository` is the web address of the project on GitHub, from which software centres load the
screenshots.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from installers.folder import freeze, size
from installers.linux import build_appimage, build_deb
from installers.macos import AD_HOC, build_dmg
from installers.paths import ROOT
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
            report(build_deb(frozen, out, options.repository))
        elif kind == "appimage":
            report(build_appimage(frozen, out, options.runtime, options.repository))
        elif kind == "windows":
            report(build_setup(frozen, out))
        elif kind == "macos":
            report(build_dmg(frozen, out, options.identity))
    return 0


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Build installers.")
    parser.add_argument("kinds", nargs="+", choices=KINDS, metavar="KIND", help=" ".join(KINDS))
    parser.add_argument("--out", type=Path, default=ROOT / "build")
    parser.add_argument("--frozen", type=Path, help="an existing folder from an earlier build")
    parser.add_argument("--repository", default="", help="web address of the repository of releases")
    parser.add_argument("--runtime", type=Path, help="runtime of an AppImage (AppImage/type2-runtime)")
    parser.add_argument("--identity", default=AD_HOC, help="certificate for signing on macOS")
    options = parser.parse_args()
    if "appimage" in options.kinds and options.runtime is None:
        parser.error("an AppImage needs --runtime: runtime-x86_64 of github.com/AppImage/type2-runtime")
    return options


def report(file: Path) -> None:
    print(f"{file}: {file.stat().st_size / 1e6:.0f} MB", flush=True)


if __name__ == "__main__":
    sys.exit(main())
