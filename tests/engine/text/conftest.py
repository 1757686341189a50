"""A tiny corpus to train vocabularies from."""

from __future__ import annotations

import pytest

from anaphora_nmt.text.protect import PLACEHOLDERS

SENTENCES = (
    "我们在这里训练一个很小的词表。",
    "这个函数返回文件的名称和大小。",
    f"请把{PLACEHOLDERS[0]}改成{PLACEHOLDERS[1]}，然后重新运行程序。",
    "神经网络的参数保存在文件中。",
    "如果没有网络，程序就不能运行。",
)


@pytest.fixture(scope="session")
def chinese() -> list[str]:
    """Protected Chinese sentences."""
    return list(SENTENCES) * 20


@pytest.fixture(scope="session")
def english() -> list[str]:
    """Protected English sentences."""
    lines = (
        "We train a very small vocabulary here.",
        "The function returns the name and the size of the file.",
        f"Change {PLACEHOLDERS[0]} to {PLACEHOLDERS[1]}, then run the program again.",
        "The parameters of the network are saved in the file.",
        "Without a network the program cannot run.",
    )
    return list(lines) * 20
