"""The source of PyTorch for `start.py`."""

from __future__ import annotations

import hashlib
import http.server
import importlib.util
import os
import re
import shutil
import sys
import threading
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "packaging" / "start.py"


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("start", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module.sys, "platform", "linux")
    monkeypatch.setattr(module, "has_nvidia_driver", lambda: False)
    monkeypatch.setattr(module, "python", lambda: sys.executable)
    return module


@pytest.fixture
def index(start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A local package index with a wheel called torch, which is in the list `torch-cpu`."""
    folder = tmp_path / "index" / "torch"
    folder.mkdir(parents=True)
    name = "torch-1.0-py3-none-any.whl"
    with zipfile.ZipFile(folder / name, "w") as wheel:
        wheel.writestr("torch-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: torch\nVersion: 1.0\n")
        wheel.writestr("torch-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("torch-1.0.dist-info/RECORD", "")
    (folder / "index.html").write_text(f'<a href="{name}">{name}</a>')
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    monkeypatch.setattr(start, "LOCKS", tmp_path)
    (tmp_path / "torch-cpu.txt").write_text(f"torch==1.0 --hash=sha256:{digest}\n")
    (tmp_path / "torch.txt").write_text("")
    for variable, value in {
        "CONFIG_FILE": os.devnull,
        "FIND_LINKS": "",
        "TARGET": tmp_path / "installed",
    }.items():
        monkeypatch.setenv(f"PIP_{variable}", str(value))

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *given: object, **named: object) -> None:
            super().__init__(*given, directory=str(tmp_path / "index"), **named)  # type: ignore[arg-type]

        def log_message(self, *given: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def installed(folder: Path) -> bool:
    return (folder / "installed" / "torch-1.0.dist-info").exists()


@pytest.mark.slow
def test_the_cpu_build_is_installed_if_available(
    start: ModuleType, index: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "CPU_WHEELS", index)
    assert not start.install_torch()
    assert installed(tmp_path)


@pytest.mark.slow
def test_a_file_with_another_hash_is_not_installed(
    start: ModuleType,
    index: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture,
) -> None:
    (tmp_path / "torch-cpu.txt").write_text(f"torch==1.0 --hash=sha256:{'0' * 64}\n")
    monkeypatch.setattr(start, "CPU_WHEELS", index)
    assert not start.install_torch()
    assert "for NVIDIA GPUs" in capfd.readouterr().out and not installed(tmp_path)


@pytest.mark.slow
def test_with_a_gpu_or_without_the_index_the_ordinary_build_is_installed(
    start: ModuleType, index: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(start, "CPU_WHEELS", "http://127.0.0.1:9")
    assert not start.install_torch()
    monkeypatch.setattr(start, "CPU_WHEELS", index)
    monkeypatch.setattr(start, "has_nvidia_driver", lambda: True)
    assert not start.install_torch() and not installed(tmp_path)


def test_each_installed_package_has_hashes() -> None:
    project = tomllib.loads((SCRIPT.parents[1] / "pyproject.toml").read_text("utf-8"))
    extras = {*project["project"]["optional-dependencies"], *project["dependency-groups"], "app", "torch-cpu"}
    texts = {path.stem: path.read_text("utf-8") for path in (SCRIPT.parent / "locks").glob("*.txt")}
    assert texts.keys() == extras
    entry = re.compile(r"[\w.-]+==\S+( ; [^\\\n]+)? \\\n(    --hash=sha256:[0-9a-f]{64}( \\)?\n)+")
    assert {name: entry.sub("", text) for name, text in texts.items()} == dict.fromkeys(extras, "")
    listed = {*re.findall(r"^[\w.-]+", "".join(texts.values()), re.M)}
    wanted = [project["project"]["dependencies"], *project["project"]["optional-dependencies"].values()]
    named = {re.split(r"[^\w-]", each)[0].lower() for group in wanted for each in group}
    assert named - {"anaphora"} <= listed


def test_a_missing_compiler_and_index_are_explained(
    start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine, copied = SCRIPT.parents[1] / "engine" / "anaphora_nmt", tmp_path / "anaphora_nmt"
    shutil.copytree(engine / "native", copied / "native", ignore=shutil.ignore_patterns("library"))
    shutil.copy(engine / "__init__.py", copied)
    monkeypatch.setattr(start, "ROOT", tmp_path)
    environment = {"PYTHONPATH": tmp_path, "PATH": tmp_path, "CXX": "no-compiler", "PIP_NO_INDEX": "1"}
    for name, value in environment.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    assert not start.build_native()
    assert "PyTorch makes the drafts" in capsys.readouterr().out
