import pytest
import torch

from anaphora_nmt.nn.precision import mixed_precision, multiplies_bfloat16

CPU = torch.device("cpu")


@pytest.mark.parametrize(
    ("found", "fast"),
    [
        ({"avx2": True}, False),
        ({"avx512_f": True, "avx512_bf16": False, "amx_bf16": False}, False),
        ({"avx512_bf16": True}, True),
        ({"amx_bf16": True}, True),
    ],
)
def test_a_cpu_multiplies_in_bfloat16_only_where_it_has_the_instructions(
    found: dict[str, bool], fast: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: found)
    assert multiplies_bfloat16(CPU) is fast
    for wanted in (True, False):
        with mixed_precision(CPU, wanted):
            product = torch.ones(2, 2) @ torch.ones(2, 2)
        assert product.dtype == (torch.bfloat16 if wanted and fast else torch.float32)
