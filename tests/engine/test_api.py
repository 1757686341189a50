"""The engine's interface with the real included model."""

from __future__ import annotations

import json
import pickle
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.errors import Cancelled, ModelFileError, UnknownSegmentError
from anaphora_nmt.evaluation.report import measure_repetition
from anaphora_nmt.native.library import native_library
from anaphora_nmt.types import (
    MemoryUse,
    SearchOptions,
    SourceSegment,
    Suggestion,
    TokenTrace,
)
from anaphora_text.tags import PAIRED

LINES = [
    "本指南介绍张量和变量的基础知识。",
    "张量是多维数组。",
    "使用张量进行运算可能会很慢。",
    "变量保存模型的状态。",
    "请参阅张量指南，了解更多详细信息。",
]
CACHES = ("word_caches",)
ALL_MEMORIES = SearchOptions(memories={"word_caches": True})
NO_MEMORY = SearchOptions(memories={"word_caches": False})


def uses_of(token: TokenTrace, memory: str) -> list[MemoryUse]:
    return [use for use in token.uses if use.memory == memory]


@pytest.fixture()
def opened(translator: Translator) -> Iterator[Translator]:
    translator.open_document("d", [SourceSegment(str(n), line) for n, line in enumerate(LINES)])
    yield translator
    translator.close_document("d")


def drafts(translator: Translator, order: list[int]) -> dict[int, str]:
    return {n: translator.translate("d", str(n)).text for n in order}


@pytest.mark.slow
def test_drafts_are_sentences(opened: Translator) -> None:
    texts = [text for _, text in sorted(drafts(opened, list(range(len(LINES)))).items())]
    assert all(len(text.split()) >= 3 for text in texts)
    found = measure_repetition(LINES, texts)
    assert (found.looping, found.empty, found.runaway) == (0, 0, 0)
    assert any("tensor" in text.lower() for text in texts)


@pytest.mark.slow
def test_batched_equals_one_by_one(opened: Translator) -> None:
    together = opened.corpus(batch=5).translate([LINES], NO_MEMORY)[0]
    alone = [opened.translate("d", str(n), NO_MEMORY).text for n in range(len(LINES))]
    assert together == alone


@pytest.mark.slow
def test_float32_on_demand(translator: Translator) -> None:
    exact = Translator.load(embedded_model(), device="cpu", threads=1, int8=False)
    assert exact.info.precision == "float32"
    assert exact.corpus().drafter.searcher is exact.corpus().drafter.model
    if translator.info.device == "cpu" and native_library() is not None:
        assert translator.info.precision == "int8"
    drafted = [each.corpus().translate([LINES], NO_MEMORY)[0] for each in (exact, translator)]
    assert sum(one == other for one, other in zip(*drafted, strict=True)) >= 3


@pytest.mark.slow
def test_a_beam_prefers_hypotheses_that_cover_the_source(opened: Translator) -> None:
    def found(weight: float) -> list[Suggestion]:
        # earlier drafts are not in the memory, because the weight changes them too
        options = SearchOptions(5, n_best=5, coverage=weight, memories={"confirmed": False})
        return [opened.translate("d", str(n), options) for n in range(len(LINES))]

    plain, covering = found(0.0), found(2.0)
    for one, other in zip(plain, covering, strict=True):
        assert {one.text, *one.alternatives} == {other.text, *other.alternatives}
    assert any(one.text != other.text for one, other in zip(plain, covering, strict=True))
    words = [sum(len(each.text.split()) for each in side) for side in (plain, covering)]
    assert words[1] > words[0]


@pytest.mark.slow
def test_documents_side_by_side_equal_one_after_the_other(opened: Translator) -> None:
    documents = [LINES[:3], [*LINES[2:4], "\u3000", *LINES[4:]], LINES[1:4]]
    together = opened.corpus(batch=8).translate(documents, SearchOptions(beam_size=2))
    for document, expected in zip(documents, together, strict=True):
        opened.open_document("d", [SourceSegment(str(n), line) for n, line in enumerate(document)])
        alone = [opened.translate("d", str(n), SearchOptions(beam_size=2)).text for n in range(len(document))]
        assert alone == expected


@pytest.mark.slow
def test_a_segments_memory_depends_on_earlier_segments(opened: Translator) -> None:
    drafts(opened, [0, 1, 2])
    before = opened.memory("d", "2")
    text = opened.translate("d", "2").text
    opened.remember("d", "4", "Later text never counts.")
    opened.translate("d", "3")
    after = opened.memory("d", "2")
    assert before.sections == after.sections
    assert opened.translate("d", "2").text == text


@pytest.mark.slow
def test_out_of_order_equals_in_order(opened: Translator) -> None:
    in_order = drafts(opened, [0, 1, 2, 3, 4])
    view = opened.memory("d", "4")
    opened.open_document("d", [SourceSegment(str(n), line) for n, line in enumerate(LINES)])
    opened.restore("d", [(str(n), in_order[n], False) for n in (3, 0, 2, 1)])
    again = opened.memory("d", "4")
    assert view.sections == again.sections
    assert opened.translate("d", "4").text == in_order[4]


def test_resegmentation_with_an_unknown_id_is_an_error(opened: Translator) -> None:
    segments = [SourceSegment("0", LINES[0])]
    for moved in ({"unknown": "0"}, {"0": "unknown"}):
        with pytest.raises(UnknownSegmentError):
            opened.resegment_document("d", segments, moved)


@pytest.mark.slow
def test_resegmentation_keeps_the_other_segments_contributions(opened: Translator) -> None:
    texts = drafts(opened, [0, 1, 2, 3])
    opened.remember("d", "0", "A hypertensor is a multidimensional array.")
    joined = [
        SourceSegment("0", LINES[0]),
        SourceSegment("j", LINES[1] + LINES[2]),
        SourceSegment("n", LINES[3]),
    ]
    joined.append(SourceSegment("4", LINES[4]))
    kept = opened.resegment_document("d", joined, {"0": "0", "3": "n", "4": "4"})
    assert kept == {"0", "n"}, "the joined segment is new, the last one had nothing"
    opened.restore("d", [("j", f"{texts[1]} {texts[2]}", False)])
    view = opened.memory("d", "4")
    opened.open_document("d", joined)
    targets = [("0", "A hypertensor is a multidimensional array.", True), ("n", texts[3], False)]
    opened.restore("d", [*targets, ("j", f"{texts[1]} {texts[2]}", False)])
    fresh = opened.memory("d", "4")
    assert view.sections == fresh.sections


def test_remembering_changes_the_view_and_can_be_undone(opened: Translator) -> None:
    drafts(opened, [0, 1])
    before = opened.memory("d", "2")
    changed = opened.remember("d", "1", "A hypertensor is a multidimensional array.")
    seen = opened.memory("d", "2")
    assert changed.revision > before.memory.revision
    slots = seen.section("confirmed", "slots").entries
    assert any(slot.label == "hypertensor" and slot.confirmed for slot in slots)
    assert any(word.label == "hypertensor" for word in seen.section("word_caches", "dynamic").entries)
    opened.forget("d", "1")
    restored = opened.memory("d", "2")
    assert restored.sections == before.sections


@pytest.mark.slow
def test_the_next_draft_uses_a_confirmed_term(translator: Translator) -> None:
    lines = ["装饰器改变函数的行为。", "使用装饰器定义函数。", "装饰器是一种函数。"]
    translator.open_document("t", [SourceSegment(str(n), line) for n, line in enumerate(lines)])
    before = [translator.translate("t", str(n)).text for n in range(3)]
    assert not any("wrapper" in text for text in before)
    translator.remember("t", "0", "A wrapper changes the behaviour of a function.")
    assert "wrapper" in translator.translate("t", "2").text
    translator.forget("t", "0")
    assert [translator.translate("t", str(n)).text for n in range(3)] == before


@pytest.mark.slow
def test_drafted_words_have_their_own_weight_and_label(tmp_path: Path) -> None:
    for file in embedded_model().iterdir():
        (tmp_path / file.name).symlink_to(file)
    config = json.loads((tmp_path / "config.json").read_text("utf-8"))
    config["memory"]["confirmed"]["draft_weight"] = 0.15
    (tmp_path / "config.json").unlink()
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")
    translator = Translator.load(tmp_path, device="cpu", threads=1)
    sources = ("编写一个基本训练循环。", "编写一个训练循环。")
    translator.open_document("little", [SourceSegment(str(n), text) for n, text in enumerate(sources)])
    first, second = (translator.translate("little", str(n), SearchOptions(beam_size=1)).text for n in (0, 1))

    def share_and_uses() -> tuple[float, list[MemoryUse]]:
        tokens = translator.explain("little", "1", second).tokens
        uses = [use for token in tokens for use in uses_of(token, "confirmed")]
        return max(token.share_of("confirmed") for token in tokens), uses

    drafted, uses = share_and_uses()
    assert drafted > 0 and uses and not any(use.confirmed for use in uses)
    translator.count_draft("little", "0", False)
    assert share_and_uses() == (0, []), "another text replaces the draft"
    translator.count_draft("little", "0", True)
    assert share_and_uses()[0] == drafted
    translator.remember("little", "0", first)
    confirmed, uses = share_and_uses()
    assert confirmed > drafted, "the same words count in full once a human has confirmed them"
    assert uses and all(use.confirmed for use in uses)


def test_a_confirmed_word_returns_completely(translator: Translator) -> None:
    """One piece in its middle is improbable, as the model would end the word there."""
    lines = ("自动微分", "自动微分（AD）很有用。", "自动微分很有用。", "自动微分是一种计算导数的方法。")
    translator.open_document("whole", [SourceSegment(str(place), line) for place, line in enumerate(lines)])
    try:
        before = [translator.translate("whole", str(place)).text for place in range(1, 4)]
        assert all(text.startswith("Automatic differentiation") for text in before)
        translator.remember("whole", "0", "Auto-differentiation")
        after = [translator.translate("whole", str(place)).text for place in range(1, 4)]
    finally:
        translator.close_document("whole")
    assert [text.split()[0] for text in after] == ["Auto-differentiation"] * 3


def test_an_explanation_names_the_confirmed_words_that_a_draft_follows(translator: Translator) -> None:
    sources = ("编写一个基本训练循环。", "编写一个训练循环。")
    translator.open_document("follow", [SourceSegment(str(n), text) for n, text in enumerate(sources)])
    translator.remember("follow", "0", "Write a basic training cycle.")
    draft = translator.translate("follow", "1", SearchOptions(beam_size=1)).text
    assert "cycle" in draft
    explained = translator.explain("follow", "1", draft)
    token = next(token for token in explained.tokens if token.word.startswith("cycle"))
    use = uses_of(token, "confirmed")[0]
    assert (use.label, use.segment, use.confirmed) == ("cycle", "0", True)
    assert 0 < use.strength <= token.share_of("confirmed") <= 1
    assert use.influence is not None and use.influence > 0.5
    assert explained.tokens[0].share_of("confirmed") >= 0
    translator.close_document("follow")


def test_a_draft_never_replaces_confirmed_text(opened: Translator) -> None:
    opened.remember("d", "0", "Zanzibar is confirmed.")
    opened.translate("d", "0")
    slots = opened.memory("d", "1").section("confirmed", "slots").entries
    assert any(slot.label == "Zanzibar" for slot in slots)


def test_cancelling_changes_nothing(opened: Translator) -> None:
    opened.translate("d", "0")
    before = opened.memory("d", "2")
    with pytest.raises(Cancelled):
        opened.translate("d", "1", cancel=lambda: True)
    assert opened.memory("d", "2") == before


@pytest.mark.slow
def test_calls_from_several_threads_run_one_at_a_time(opened: Translator) -> None:
    """Two simultaneous searches with the same cached steps ended the process."""
    drafted = opened.translate("d", "1").text
    others: list[str] = []

    def other() -> None:
        others.append(opened.translate("d", "1").text)
        opened.close_document("nothing")

    threads: list[threading.Thread] = []

    def asked() -> bool:
        if not threads:
            threads.append(threading.Thread(target=other, daemon=True))
            threads[0].start()
            threads[0].join(0.3)
            assert not others
        return False

    assert opened.translate("d", "1", cancel=asked).text == drafted
    threads[0].join(60)
    assert others == [drafted]


def test_an_explanation_accounts_for_every_word(opened: Translator) -> None:
    drafts(opened, [0, 1])
    target = "Using {1}tensors{/1} can be slow."
    explanation = opened.explain("d", "2", target, options=ALL_MEMORIES)
    assert [target[token.start : token.end] for token in explanation.tokens] == [
        token.word for token in explanation.tokens
    ]
    assert "tensors" in [token.word for token in explanation.tokens]
    for token in explanation.tokens:
        assert sum(token.attention) == pytest.approx(1.0, abs=1e-3)
        assert len(token.attention) == len(explanation.source_words)
        assert token.log_probability <= 0
        assert token.shares.keys() == {"confirmed", *CACHES}
        assert all(0 <= share <= 1 for share in token.shares.values())
        for use in token.uses:
            assert 0 <= use.strength <= 1.001
            assert use.influence is not None
        slots = explanation.view.section("confirmed", "slots").entries
        shown = {(slot.label, slot.segment) for slot in slots}
        assert {(use.label, use.segment) for use in uses_of(token, "confirmed")} <= shown
    assert any(uses_of(token, "confirmed") for token in explanation.tokens)
    as_drafted = opened.explain("d", "2", target)
    read = {name for token in as_drafted.tokens for name in CACHES if uses_of(token, name)}
    assert not read, "caches are not read"
    source = LINES[2]
    assert all(source[word.start : word.end] == word.word for word in explanation.source_words)
    assert pickle.loads(pickle.dumps(explanation)) == explanation
    assert opened.memory("d", "2") == explanation.view


def test_attention_finds_the_source_of_a_word(opened: Translator) -> None:
    explanation = opened.explain("d", "3", "Variables hold the state of the model.", influence=False)
    words = [word.word for word in explanation.source_words]
    attended = {
        token.word: words[max(range(len(words)), key=lambda n: token.attention[n])]
        for token in explanation.tokens
    }
    assert attended["Variables"] in ("变", "量", "变量")
    assert attended["model"] == "模型"


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("请在 2019 年 11 月 21 日之前升级到 3.11.7 版本。", ["2019", "11", "21", "3.11.7"]),
        ("详情请访问 https://example.org/a_b?c=1#d 。", ["https://example.org/a_b?c=1#d"]),
        ("调用 os.path.join() 函数并传入 my_arg。", ["os.path.join()", "my_arg"]),
        ("使用 --no-cache 选项，把文件保存到 /var/lib/data/x.json。", ["--no-cache", "/var/lib/data/x.json"]),
        ("单击{1/}按钮，然后按 {2/}。", ["{1/}", "{2/}"]),
        ("准确率提高了 12.5%，从 80% 到 92.5%。", ["12.5%", "80%", "92.5%"]),
    ],
)
def test_numbers_addresses_code_and_tags_survive(
    translator: Translator, source: str, kept: list[str]
) -> None:
    translator.open_document("t", [SourceSegment("0", source)])
    suggestion = translator.translate("t", "0")
    assert all(string in suggestion.text for string in kept), suggestion.text
    assert not suggestion.warnings


@pytest.mark.slow
def test_names_are_consistent_and_follow_confirmed_segments(
    translator: Translator,
) -> None:
    lines = ["王强说他明天去维尔纽斯。", "王强在维尔纽斯很高兴。"]
    translator.open_document("n", [SourceSegment(str(n), line) for n, line in enumerate(lines)])
    for n in range(2):
        assert {"Wang Qiang", "Vilnius"} <= _names(translator.translate("n", str(n)))
    translator.remember("n", "0", "Wong Keung says he will go to Vilnius tomorrow.")
    assert "Wang Qiang" not in translator.translate("n", "1").text
    translator.forget("n", "0")
    assert "Wang Qiang" in translator.translate("n", "1").text
    translator.close_document("n")


def _names(suggestion: Suggestion) -> set[str]:
    return {name for name in ("Wang Qiang", "Vilnius") if name in suggestion.text}


def test_paired_tags_survive_around_words(translator: Translator) -> None:
    translator.open_document("t", [SourceSegment("0", "点击{1}保存{/1}按钮，打开{2}新文件{/2}。")])
    text = translator.translate("t", "0").text
    assert sorted(PAIRED.findall(text)) == ["{/1}", "{/2}", "{1}", "{2}"]
    assert text.index("{1}") < text.index("{/1}")
    assert text.index("{2}") < text.index("{/2}")


@pytest.mark.parametrize("source", ["", "   ", "…", "{1/}", "a" * 300, "，。" * 50, "😀", "\ue000\ue001"])
@pytest.mark.slow
def test_odd_segments_give_a_draft_or_nothing(translator: Translator, source: str) -> None:
    translator.open_document("t", [SourceSegment("0", source), SourceSegment("1", "张量")])
    assert isinstance(translator.translate("t", "0", SearchOptions(beam_size=1)).text, str)
    assert translator.translate("t", "1", SearchOptions(beam_size=1)).text


@pytest.mark.slow
def test_a_sentence_of_thousands_of_characters_is_translated_in_parts(translator: Translator) -> None:
    source = ("该函数返回一个新的张量，并保存模型的状态，" * 125)[:2500]
    translator.open_document("t", [SourceSegment("0", source)])
    text = translator.translate("t", "0", SearchOptions(beam_size=1)).text
    assert len(text.split()) > 250
    translator.explain("t", "0", text, influence=False)


def test_paragraphs_of_one_segment_stay_paragraphs(translator: Translator) -> None:
    translator.open_document("lines", [SourceSegment("0", "打开配置文件。\n\n{1}端口{/1}默认为 8080。")])
    text = translator.translate("lines", "0", SearchOptions(beam_size=1)).text
    first, blank, second = text.split("\n")
    assert first and not blank and "8080" in second and "{1}" in second and "{/1}" in second
    translator.close_document("lines")


def test_unknown_segments_are_reported(translator: Translator) -> None:
    with pytest.raises(UnknownSegmentError, match="not open"):
        translator.translate("nowhere", "0")
    translator.open_document("t", [SourceSegment("0", "张量")])
    with pytest.raises(UnknownSegmentError, match="'7'"):
        translator.translate("t", "7")


@pytest.mark.parametrize("damage", ["missing folder", "no config", "cut weights", "bad vocabulary", "newer"])
@pytest.mark.slow
def test_a_damaged_model_is_refused_with_advice(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "model"
    if damage != "missing folder":
        shutil.copytree(embedded_model(), folder)
    if damage == "no config":
        (folder / "config.json").unlink()
    elif damage == "cut weights":
        data = (folder / "trained.safetensors").read_bytes()
        (folder / "trained.safetensors").write_bytes(data[: len(data) // 2])
    elif damage == "bad vocabulary":
        (folder / "target.model").write_bytes(b"not a model")
    elif damage == "newer":
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, "format": 99}))
    with pytest.raises(ModelFileError, match=r"[Ii]nstall|[Uu]pdate|choose another"):
        Translator.load(folder, device="cpu")


def test_tags_inside_words_and_around_citations_stay_on_them(translator: Translator) -> None:
    lines = [
        "二氧化碳（CO{1}2{/1}）和水（H{2}2{/2}O）参与反应。",
        "房间面积为25m{1}2{/1}，体积为60m{2}3{/2}。",
        "他说{1}[1]{/1}：“你好。”",
        "浓度为5×10{1}−3{/1} mol·L{2}-1{/2}。",
    ]
    translator.open_document("tags", [SourceSegment(str(n), line) for n, line in enumerate(lines)])
    drafts = [translator.translate("tags", str(n)) for n in range(len(lines))]
    texts = [draft.text for draft in drafts]
    assert [draft.warnings for draft in drafts] == [()] * len(lines)  # CO2 is there, with a pair in it
    kept = (
        ("CO{1}2{/1}", "H{2}2{/2}O"),
        ("25m{1}2{/1}", "60m{2}3{/2}"),
        ("{1}[1]{/1}",),
        ("5×10{1}−3{/1}", "mol·L{2}-1{/2}"),
    )
    assert [[part in text for part in parts] for text, parts in zip(texts, kept, strict=True)] == [
        [True] * len(parts) for parts in kept
    ]


RESTORED = (("0", "A tensor is an array.", True), ("1", "The model is trained.", False), ("2", "", False))


def test_a_restored_memory_is_equal_and_reports_progress(translator: Translator) -> None:
    segments = [SourceSegment(str(n), text) for n, text in enumerate(("张量是数组。", "训练模型。", "空。"))]
    translator.open_document("r", segments)
    progress: list[tuple[int, int]] = []
    version = translator.restore("r", RESTORED, lambda: False, lambda *at: progress.append(at))
    assert progress == [(1, 3), (2, 3), (3, 3)] and version.revision >= 2
    whole = translator.memory("r", "2")
    memory = translator.opened("r").memory
    assert [memory.is_confirmed(index) for index in range(3)] == [True, False, False]
    translator.open_document("r", segments)
    asked = iter([False, True])
    with pytest.raises(Cancelled):
        translator.restore("r", RESTORED, lambda: next(asked))
    memory = translator.opened("r").memory
    assert memory.is_confirmed(0) and memory.contribution(1) is None, "what was restored so far stays"
    translator.open_document("r", segments)
    translator.remember("r", *RESTORED[0][:2])
    assert translator.restore("r", RESTORED[1:]).revision == version.revision
    assert translator.memory("r", "2") == whole
    translator.close_document("r")
    translator.close_document("r")  # it is closed


def test_count_draft_includes_or_excludes_a_draft(translator: Translator) -> None:
    translator.open_document("c", [SourceSegment("0", "张量是数组。"), SourceSegment("1", "训练模型。")])
    translator.restore("c", [("0", "A tensor is an array.", False)])
    memory = translator.opened("c").memory
    assert memory.contribution(0) is not None
    first = translator.count_draft("c", "0", False)
    assert memory.contribution(0) is None and translator.count_draft("c", "0", False) == first
    assert translator.count_draft("c", "0", True).revision == first.revision + 1
    assert memory.contribution(0) is not None
    translator.close_document("c")


def test_a_source_stretch_includes_the_words_that_it_touches(translator: Translator) -> None:
    line, target = "张量是多维数组。", "A tensor is a multidimensional array."
    translator.open_document("s", [SourceSegment("0", line)])
    words = translator.explain("s", "0", target, influence=False).source_words
    first, second = words[0], words[1]
    stretches = [
        (first.start, first.end),
        (first.start, second.start + 1),
        (first.start, second.end),
        (first.end - 1, first.end),
    ]
    found = translator.stretch_influences("s", "0", target, stretches)
    assert [(each.start, each.end) for each in found] == stretches
    one, both, whole, part = (each.words for each in found)
    assert one == part != both == whole, "touched words are left out"
    translator.close_document("s")
