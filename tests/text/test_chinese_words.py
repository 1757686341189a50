"""Chinese words are segmented by one dictionary, which is loaded once."""

from __future__ import annotations

import subprocess
import sys
import time

from anaphora_text.chinese_words import (
    cut,
    frequency,
    parts,
    tagged,
    word_class,
)


def test_words_classes_and_parts() -> None:
    assert cut("分布式账本记录交易", guess=False) == ["分布式", "账本", "记录", "交易"]
    assert (word_class("账本"), word_class("没有这个词")) == ("n", "")
    assert frequency("合同") > 0 == frequency("没有这个词")
    assert parts("失业问题") == ("失业", "问题")
    assert parts("脚步声") == ("脚步",)


def test_concurrent_threads_load_the_tagger_once() -> None:
    program = (
        "import sys, threading; sys.setswitchinterval(1e-6)\n"
        "from anaphora_text.chinese_words import tagger\n"
        "found, start = [], threading.Barrier(4)\n"
        "def ask(): start.wait(); found.append(tagger())\n"
        "threads = [threading.Thread(target=ask) for _ in range(4)]\n"
        "[each.start() for each in threads]; [each.join() for each in threads]\n"
        "assert len(found) == 4 and len(set(map(id, found))) == 1"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()


def test_random_characters_are_not_tagged() -> None:
    assert [*tagged("王强说")] == [("王强", "nr"), ("说", "v")]
    rare = "".join(chr(0x9000 + 7 * number) for number in range(400))
    begin = time.process_time()
    assert not tagged(250 * rare)
    assert time.process_time() - begin < 5
