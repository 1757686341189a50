"""Numbers and identifiers that are carried over or lost."""

from __future__ import annotations

import pytest

from anaphora_nmt.evaluation.report import Copying, KeptStrings, measure_copying


@pytest.mark.parametrize(
    ("source", "output", "numbers", "identifiers"),
    [
        ("共有 2048 个文件。", "There are 2048 files.", (1, 1), (0, 0)),
        ("共有 2048 个文件。", "There are 20480 files.", (0, 1), (0, 0)),
        ("共有２０４８个文件。", "There are 2,048 files.", (1, 1), (0, 0)),
        ("增长 3.5 到 50%。", "It grew by 3.5 to 51%.", (1, 2), (0, 0)),
        ("使用 os.path.join() 函数", "Use os.path.join() here", (0, 0), (1, 1)),
        ("设置 max_size 的值", "Set maxsize", (0, 0), (0, 1)),
        ("见 https://example.org/a/b。", "See https://example.org/a/b.", (0, 0), (1, 1)),
        ("把 42 和 42 相加", "Add 42 to itself", (1, 2), (0, 0)),
        ("把 42 加到自己", "Add 42 to 42", (1, 1), (0, 0)),
        ("没有可以复制的。", "Nothing to copy.", (0, 0), (0, 0)),
        ("一共 3 个", "Three of them", (0, 0), (0, 0)),
    ],
)
def test_one_pair(source: str, output: str, numbers: tuple, identifiers: tuple) -> None:
    assert measure_copying([source], [output]) == Copying(KeptStrings(*numbers), KeptStrings(*identifiers))


def test_pairs_add_up() -> None:
    result = measure_copying(["写 10 和 a_b", "写 20"], ["Write 10 and a_b", "Write it"])
    assert result == Copying(KeptStrings(1, 2), KeptStrings(1, 1))
    assert result.numbers.share == 0.5
    assert KeptStrings(0, 0).share == 1
