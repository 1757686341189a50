"""Windows: an installer made by Inno Setup; it installs for one user and needs no administrator rights."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from installers.documents import documents, windows_registry
from installers.paths import PACKAGING, ROOT, installer_names, version
from installers.pictures import draw_icon_file

SCRIPT = PACKAGING / "windows" / "anaphora.iss"


def build_setup(frozen: Path, out: Path) -> Path:
    """Make an installer of the folder `frozen`; raises FileNotFoundError without Inno Setup."""
    write_included_files(out)
    installer = out / installer_names()["windows"]
    values = {
        "Version": version(),
        "Frozen": str(frozen.resolve()),
        "Made": str(out.resolve()),
        "Out": installer.stem,
        "Licence": str(ROOT / "LICENSE"),
    }
    definitions = [f"/D{name}={value}" for name, value in values.items()]
    subprocess.run([str(find_compiler()), "/Q", *definitions, str(SCRIPT)], check=True)
    return installer


def write_included_files(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    # Inno Setup recognises UTF-8 by the byte order mark.
    (out / "associations.iss").write_text(windows_registry(documents()), "utf-8-sig")
    draw_icon_file(out / "anaphora.ico")


def find_compiler() -> Path:
    if found := shutil.which("iscc"):
        return Path(found)
    for variable in ("ProgramFiles(x86)", "ProgramFiles", "LOCALAPPDATA"):
        for folder in ("Inno Setup 6", "Programs/Inno Setup 6"):
            path = Path(os.environ.get(variable, "")) / folder / "ISCC.exe"
            if path.is_file():
                return path
    raise FileNotFoundError("Inno Setup 6 is not installed: https://jrsoftware.org/isdl.php")
