"""The largest values as `Tensor.topk` finds them."""

from __future__ import annotations

import pytest
import torch

from anaphora_nmt.native.library import native_library
from anaphora_nmt.search import largest as module
from anaphora_nmt.search.largest import largest


@pytest.fixture(params=["native", "torch"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the native library, and without it."""
    if request.param == "torch":
        monkeypatch.setattr(module, "native_library", lambda: None)
    elif native_library() is None:
        pytest.skip("the native library is not built")


@pytest.mark.parametrize("width", [10, 100, 128, 1000, 1024, 2560, 2561, 50_000, 50_127])
@pytest.mark.parametrize("count", [1, 4, 10])
def test_they_are_those_of_topk(width: int, count: int) -> None:
    torch.manual_seed(width)
    values = torch.randn(3, width)
    values[1, : width // 2] = float("-inf")
    values[2, -count:] += 10  # behind the last whole chunk
    found, places = largest(values, count)
    expected, at = values.topk(count, dim=1)
    torch.testing.assert_close(found, expected, rtol=0, atol=0)
    assert torch.equal(values.gather(1, places), found)
    assert all(len(set(row)) == count for row in places.tolist())
    finite = expected > float("-inf")  # equal values come in any order
    assert torch.equal(places[finite], at[finite])


@pytest.mark.parametrize("count", [1, 256, 257, 300])
@pytest.mark.parametrize("kind", ["plain", "double", "strided"])
def test_values_of_other_types_and_strides_and_many_of_them(kind: str, count: int) -> None:
    torch.manual_seed(count)
    values = torch.randn(2, 4096, dtype=torch.float64 if kind == "double" else torch.float32)
    values = values.T.contiguous().T if kind == "strided" else values
    found, places = largest(values, count)
    expected, at = values.topk(count, dim=1)
    assert found.dtype == values.dtype and torch.equal(found, expected) and torch.equal(places, at)
