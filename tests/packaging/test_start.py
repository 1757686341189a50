"""The source of PyTorch for `start.py`."""

from __future__ import annotations

import http.server
import importlib.util
import shutil
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "packaging" / "start.py"
PIP = [
    sys.executable,
    "-m",
    "pip",
    "--isolated",
    "download",
    "--quiet",
    "--disable-pip-version-check",
    "--dest",
]


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("start", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module.sys, "platform", "linux")
    monkeypatch.setattr(module, "has_nvidia_driver", lambda: False)
    return module


@pytest.fixture
def index(tmp_path: Path) -> Iterator[str]:
    """A package index on this machine, which has a wheel that is called torch."""
    import zipfile

    folder = tmp_path / "index" / "torch"
    folder.mkdir(parents=True)
    name = "torch-1.0-py3-none-any.whl"
    with zipfile.ZipFile(folder / name, "w") as wheel:
        wheel.writestr("torch-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: torch\nVersion: 1.0\n")
        wheel.writestr("torch-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        wheel.writestr("torch-1.0.dist-info/RECORD", "")
    (folder / "index.html").write_text(f'<a href="{name}">{name}</a>')

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


@pytest.mark.slow
def test_the_cpu_build_is_taken_where_it_can_be_had(
    start: ModuleType,
    index: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture,
) -> None:
    monkeypatch.setattr(start, "CPU_WHEELS", index)
    start.install_torch([*PIP, tmp_path])
    assert (tmp_path / "torch-1.0-py3-none-any.whl").exists()
    assert capfd.readouterr().out == f"PyTorch: the build for CPUs, from {index}.\n"


@pytest.mark.slow
def test_the_ordinary_index_is_taken_where_it_cannot(
    start: ModuleType,
    index: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture,
) -> None:
    closed = "http://127.0.0.1:9"
    for address in (closed, f"{index}/nothing"):
        monkeypatch.setattr(start, "CPU_WHEELS", address)
        start.install_torch([*PIP, tmp_path])
        assert capfd.readouterr().out == f"PyTorch: from the ordinary index, as {address} cannot be had.\n"
    assert not list(tmp_path.glob("*.whl"))


@pytest.mark.slow
def test_a_gpu_keeps_the_ordinary_build(
    start: ModuleType,
    index: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture,
) -> None:
    monkeypatch.setattr(start, "CPU_WHEELS", index)
    monkeypatch.setattr(start, "has_nvidia_driver", lambda: True)
    start.install_torch([*PIP, tmp_path])
    assert "for the NVIDIA GPU" in capfd.readouterr().out and not list(tmp_path.glob("*.whl"))


def test_without_a_compiler_and_an_index_a_line_explains_it(
    start: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine, copied = SCRIPT.parents[1] / "engine" / "anaphora_nmt", tmp_path / "anaphora_nmt"
    shutil.copytree(engine / "native", copied / "native", ignore=shutil.ignore_patterns("library"))
    shutil.copy(engine / "__init__.py", copied)
    monkeypatch.setattr(start, "ROOT", tmp_path)
    monkeypatch.setattr(start, "python", lambda: sys.executable)
    environment = {"PYTHONPATH": tmp_path, "PATH": tmp_path, "CXX": "no-compiler", "PIP_NO_INDEX": "1"}
    for name, value in environment.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    assert not start.build_native()
    assert "drafts are made by PyTorch" in capsys.readouterr().out
