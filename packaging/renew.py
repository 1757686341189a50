"""Update the lists in `locks` to the newest package versions that pyproject.toml allows, with hashes.

.venv/bin/python packaging/renew.py     after `start.py setup dev`
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib

from start import CPU_WHEELS, LOCKS, ROOT, can_reach

_TORCH_PACKAGES = re.compile("torch|triton|cuda-|nvidia-")


def resolve(*options: str) -> dict[str, str]:
    """Let uv resolve requirements; returns each package's lines of the new list, by their first line."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--upgrade", "--generate-hashes"]
    command += ["--no-header", "--no-annotate", "--python-version", "3.11", *options]
    text = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    return {block.splitlines()[0]: block for block in re.split(r"^(?=\w)", text, flags=re.M) if block}


def write(name: str, packages: dict[str, str]) -> None:
    (LOCKS / f"{name}.txt").write_text("".join(packages.values()), "utf-8")


def main() -> None:
    """Write all lists with the same versions; lists of extras omit the packages of `torch` and `app`."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    if can_reach(CPU_WHEELS):
        linux = ("--python-platform", "x86_64-manylinux_2_28")
        write("torch-cpu", resolve(*linux, "--index-url", CPU_WHEELS, "--no-deps", "--group", "torch"))
    else:
        print(f"{CPU_WHEELS} cannot be reached, so the version of PyTorch stays.")
    everything = LOCKS / "everything.txt"
    everything.write_text((LOCKS / "torch-cpu.txt").read_text("utf-8").split("+")[0], "utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    groups = {name: ("--group", name) for name in project["dependency-groups"]}
    extras = project["project"]["optional-dependencies"]
    universal = ("--universal", "--constraint", str(everything))
    write("everything", resolve(*universal, "pyproject.toml", "--all-extras", *sum(groups.values(), ())))
    always_installed: set[str] = set()
    for name in (*groups, "app", *extras):
        options = groups.get(name) or ("pyproject.toml", *(("--extra", name) if name in extras else ()))
        packages = resolve(*universal, *options)
        added = packages.keys() - always_installed
        if name == "torch":
            added = {each for each in added if _TORCH_PACKAGES.match(each)}
        write(name, {each: lines for each, lines in packages.items() if each in added})
        always_installed |= added if name in ("torch", "app") else set()
    everything.unlink()


if __name__ == "__main__":
    main()
