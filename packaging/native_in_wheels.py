"""Builds the native library into wheels, which are then of one platform; without a compiler into none."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_BUILD = "engine/anaphora_nmt/native/build.py"


class NativeLibraryHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before a wheel is made; an editable installation is left to `packaging/start.py`."""
        if version == "editable":
            return
        builder = _builder(Path(self.root) / _BUILD)
        path = builder.library_path()
        if not path.exists() and not any(builder.build(path, each) for each in builder.compilers()):
            self.app.display_warning("No C++ compiler: a wheel without the native library.")
            return
        build_data["force_include"][str(path)] = f"anaphora_nmt/native/library/{path.name}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = False
        build_data["tag"] = f"py3-none-{_platform()}"


def _builder(path: Path) -> Any:
    """`native/build.py`, which needs nothing but Python, without the packages around it."""
    spec = importlib.util.spec_from_file_location("native_build", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _platform() -> str:
    import sysconfig

    name = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return name if sys.platform != "darwin" else name.replace("universal2", "arm64")
