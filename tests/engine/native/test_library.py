"""The native library alone: products of every kernel table, and refused arguments."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from anaphora_nmt.native import build
from anaphora_nmt.native.library import NativeLibrary, is_accurate, native_library, product, tables

IS_BUILT = build.library_path().exists()
TABLES = list(tables(build.library_path())) if IS_BUILT else []
needs_library = pytest.mark.skipif(not IS_BUILT, reason="the native library is not built")
each_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)


def test_the_built_library_is_used() -> None:
    """`packaging/start.py test` sets the environment variable after building the library."""
    if os.environ.get("ANAPHORA_NATIVE") != "1":
        pytest.skip("the library may not be built")
    assert native_library() is not None


@each_table
def test_kernels_pass_their_test(table: NativeLibrary) -> None:
    assert is_accurate(table)


@each_table
@settings(deadline=None, max_examples=25)
@given(
    out=st.integers(1, 100),
    inputs=st.integers(1, 150),
    rows=st.integers(1, 13),
    two_parts=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_products_of_any_shape(
    table: NativeLibrary, out: int, inputs: int, rows: int, two_parts: bool, seed: int
) -> None:
    random = torch.Generator().manual_seed(seed)
    weight = torch.randn(out, inputs, generator=random)
    bias = torch.randn(out, generator=random)
    states = torch.randn(rows, inputs, generator=random) * torch.rand(rows, 1, generator=random) * 100
    exact = states / (states.abs().amax(1, keepdim=True) / 127)
    steps = (exact - exact.round()) * 254
    # At a tie between two steps, fused operations may round to the other one.
    assume(((steps - steps.floor()) - 0.5).abs().min() > 5e-5)
    found = table.product(weight, bias, states, two_parts)
    wanted = product(weight, bias, states, two_parts)
    torch.testing.assert_close(found.double(), wanted, rtol=1e-5, atol=1e-4)
    for row in range(rows):
        assert torch.equal(table.product(weight, bias, states[row : row + 1], two_parts)[0], found[row])


@needs_library
@pytest.mark.parametrize(
    "rows", [torch.ones(2, 8).double(), torch.ones(2, 16)[:, ::2], torch.ones(8, 2).T, torch.ones(2, 9)]
)
def test_other_types_strides_and_shapes_are_refused(rows: torch.Tensor) -> None:
    with pytest.raises(ValueError, match="expected contiguous"):
        TABLES[0].product(torch.ones(4, 8), torch.ones(4), rows)


def test_without_a_compiler_nothing_is_built(tmp_path: Path) -> None:
    environment = {**os.environ, "PATH": str(tmp_path), "CXX": "there-is-no-such-compiler"}
    command = [sys.executable, "-m", "anaphora_nmt.native.build", str(tmp_path / "none.so")]
    assert subprocess.run(command, env=environment).returncode == build.NO_COMPILER
    assert not (tmp_path / "none.so").exists()


@needs_library
def test_it_can_be_switched_off() -> None:
    code = "from anaphora_nmt.native.library import native_library; print(native_library())"
    environment = {**os.environ, "ANAPHORA_NATIVE": "0"}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert found.stdout.strip() == "None"


class Faulty:
    """Kernels with a fault in the products of one part, or of two."""

    def __init__(self, in_two_parts: bool, error: float) -> None:
        self.in_two_parts, self.error = in_two_parts, error

    def product(
        self, weight: torch.Tensor, bias: torch.Tensor, rows: torch.Tensor, two_parts: bool
    ) -> torch.Tensor:
        found = product(weight, bias, rows, two_parts).float()
        if two_parts == self.in_two_parts:
            found[-1, -1] *= 1 + self.error
        return found


@pytest.mark.parametrize("in_two_parts", [False, True])
def test_kernels_with_a_fault_do_not_pass(in_two_parts: bool) -> None:
    assert is_accurate(Faulty(in_two_parts, 0.0))  # type: ignore[arg-type]
    assert not is_accurate(Faulty(in_two_parts, 1e-2))  # type: ignore[arg-type]
