"""Rows of a batch by their columns, in the precision that they are kept in."""

from __future__ import annotations

import torch

from anaphora_nmt.memory.confirmed_slots import rows_of


def test_rows_are_those_of_the_columns_also_where_training_is_in_half_precision() -> None:
    rows = torch.arange(24, dtype=torch.float16).view(2, 4, 3)
    columns = torch.tensor([[0, 3, 3], [2, 1, 0]])
    with torch.autocast("cpu", torch.bfloat16):
        found = rows_of(rows, columns)
    assert found.dtype == torch.float16
    assert torch.equal(found, torch.stack([rows[0][columns[0]], rows[1][columns[1]]]))
    deeper = rows_of(rows, columns[..., None].expand(2, 3, 2))
    assert deeper.shape == (2, 3, 2, 3) and torch.equal(deeper[:, :, 1], found)
    assert torch.equal(rows_of(rows[:1], columns), rows[0][columns])
