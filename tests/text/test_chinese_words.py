"""Words of Chinese are cut by one dictionary, loaded once."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from anaphora_text.chinese_words import (
    cut,
    frequency,
    general_share,
    parts,
    segmenter,
    tagged,
    tagger,
    word_class,
)


def test_words_classes_and_parts() -> None:
    assert cut("分布式账本记录交易", guess=False) == ["分布式", "账本", "记录", "交易"]
    assert (word_class("账本"), word_class("没有这个词")) == ("n", "")
    assert frequency("合同") > 0 == frequency("没有这个词")
    assert parts("失业问题") == ("失业", "问题")
    assert parts("脚步声") == ("脚步",)


def test_tagger_and_segmenter_share_one_dictionary() -> None:
    code = (
        "from anaphora_text.chinese_words import segmenter, tagger\n"
        "import jieba, jieba.posseg\n"
        "assert segmenter() is jieba.dt is tagger().tokenizer and tagger() is jieba.posseg.dt\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert segmenter().initialized and tagger().tokenizer is segmenter()


def test_threads_that_ask_at_the_same_time_load_the_tagger_once() -> None:
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


def test_characters_that_nobody_writes_side_by_side_are_not_tagged_for_minutes() -> None:
    assert [(word.word, word.flag) for word in tagged("王强说")] == [("王强", "nr"), ("说", "v")]
    rare = "".join(chr(0x9000 + 7 * number) for number in range(400))
    begin = time.process_time()
    assert tagged(250 * rare) == []
    assert time.process_time() - begin < 5


def test_words_that_the_dictionary_lacks_are_guessed_unless_told_otherwise() -> None:
    text = "王小明来到杭研大厦"
    assert cut(text) == cut(text, guess=True) == ["王小明", "来到", "杭研", "大厦"]
    assert cut(text, guess=False) == ["王小明", "来到", "杭", "研", "大厦"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("人们", ()),  # a single character on both sides
        ("科学家们", ("科学家",)),  # 科学·家们 has no second word, and 们 is a single character
        ("国家领导人", ("国家", "领导人")),
        ("老人家里", ("老人", "家里")),
        ("一两万美元", ("一两", "万美元")),  # 382 · 2034 is more than 40 · 5382
        ("一半多一点", ("一半", "多一点")),  # 4586 · 215 is more than 20 · 14165
        ("曌曌曌", ()),
    ],
)
def test_a_compound_is_cut_where_its_words_are_most_frequent(word: str, expected: tuple[str, ...]) -> None:
    assert parts(word) == expected


def test_shares_are_of_all_words() -> None:
    assert general_share("的") == pytest.approx(frequency("的") / segmenter().total)
    assert 0.005 < general_share("的") < 0.006 and general_share("没有这个词") == 0


def test_ordinary_and_foreign_characters_are_tagged_however_many_there_are() -> None:
    long = "王强和他的朋友在北京研究分布式账本。" * 10
    assert "".join(word.word for word in tagged(long)) == long
    foreign = "\u0416\u0e01" * 60  # no Chinese, and nothing that the tagger has seen
    assert "".join(word.word for word in tagged(foreign)) == foreign
    rare = "".join(chr(0x9FA6 + number) for number in range(52))
    assert tagged(rare[:51]) != [], "50 pairs"
    assert tagged(rare) == []
