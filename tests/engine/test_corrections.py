"""Corrections: whole words, learned from post-edits, followed by drafts of the included model."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from anaphora_nmt.api import Translator
from anaphora_nmt.errors import SteeringError
from anaphora_nmt.pipeline.correcting.aligned_words import TargetWords
from anaphora_nmt.pipeline.correcting.corrected_drafts import drops_corrected
from anaphora_nmt.pipeline.correcting.replaced_words import apply_replacements, replacements
from anaphora_nmt.pipeline.opened.document_corrections import CorrectedPhrase
from anaphora_nmt.types import (
    Correction,
    MemoryPack,
    SearchOptions,
    SourceSegment,
    SourceTerm,
    WhatIf,
    corrections_from_plain,
    corrections_to_plain,
)

SOURCES = (
    "收到告警后，请检查设备。",
    "系统每小时发送一次告警。",
    "在设置页面关闭告警。",
    "打开软件工程。",
    "该工程的名称保存在配置文件中。",
    "每个工程都有一个配置文件。",
    "管理员可以查看所有告警。",
    "配置文件保存在磁盘上。",
)
DOCUMENT = "d"
Opener = Callable[..., Translator]


@pytest.fixture()
def open_texts(translator: Translator) -> Iterator[Callable[..., Translator]]:
    def open_them(*sources: str) -> Translator:
        translator.open_document(DOCUMENT, [SourceSegment(str(n), text) for n, text in enumerate(sources)])
        return translator

    yield open_them
    translator.close_document(DOCUMENT)


@pytest.fixture()
def opened(open_texts: Opener) -> Translator:
    return open_texts(*SOURCES)


def draft(translator: Translator, segment: int, **options: object) -> str:
    return translator.translate(DOCUMENT, str(segment), SearchOptions(**options)).text  # type: ignore[arg-type]


def correct(translator: Translator, segment: int, old: str, new: str) -> None:
    """Replace a word in a draft and confirm it."""
    text = draft(translator, segment)
    assert old in text
    translator.remember(DOCUMENT, str(segment), text.replace(old, new))


def learned_corrections(translator: Translator) -> list[tuple[str, str, str]]:
    return [(each.source, each.rejected, each.chosen) for each in translator.corrections(DOCUMENT)]


@pytest.mark.parametrize(
    ("phrase", "text", "places"),
    [
        ("工程", "软件工程的工程师做工程。", [(9, 11)]),
        ("封装", "为封装库选择封装。", [(1, 3), (6, 8)]),
        ("cache", "Caches and the cache-line of a Cache", [(15, 20), (31, 36)]),
        ("cache", "no such word", []),
        ("合同", "解除本合同后，该合同法失效。", [(3, 5)]),
    ],
)
def test_a_longer_word_that_contains_a_phrase_is_another_word(phrase, text, places) -> None:
    assert Correction(phrase, "x", "y").places_in(text) == places


def test_corrections_convert_to_plain_values() -> None:
    given = (
        Correction("告警", "alarm", "alert", "7", fit=-0.5),
        Correction("工程", "", "project", everywhere=True, fit=0.0),
    )
    assert corrections_from_plain(corrections_to_plain(given)) == given
    for strange in ("text", [{"source": "告警"}], [{"source": "a", "chosen": 1}], [[1]]):
        with pytest.raises(SteeringError):
            corrections_from_plain(strange)  # type: ignore[arg-type]


def test_later_drafts_follow_a_replaced_word(opened: Translator) -> None:
    before = [draft(opened, number) for number in range(len(SOURCES))]
    correct(opened, 0, "alarm", "alert")
    assert learned_corrections(opened) == [("告警", "alarm", "alert")]
    after = [opened.translate(DOCUMENT, str(number)) for number in range(1, len(SOURCES))]
    for suggestion, old, source in zip(after, before[1:], SOURCES[1:], strict=True):
        if "告警" in source:
            assert "alert" in suggestion.text and "alarm" not in suggestion.text
            assert [each.chosen for each in suggestion.corrections] == ["alert"] * ("alarm" in old)
        else:
            assert suggestion.text == old


def test_earlier_drafts_follow_corrections_too(opened: Translator) -> None:
    assert "alarm" in draft(opened, 2)
    correct(opened, 6, "alarms", "alerts")
    assert learned_corrections(opened) == [("告警", "alarm", "alert")]  # two plurals
    assert "alert" in draft(opened, 2) and "alarm" not in draft(opened, 2)


def test_corrections_have_the_right_inflection(opened: Translator) -> None:
    correct(opened, 0, "alarm", "alert")
    assert "all alerts" in draft(opened, 6)
    correct(opened, 4, "project", "undertaking")
    assert draft(opened, 5).startswith("Each undertaking ")


def test_a_compound_is_one_phrase_and_its_part_another_word(opened: Translator) -> None:
    correct(opened, 4, "project", "undertaking")
    assert "undertaking" not in draft(opened, 3)
    opened.remember(DOCUMENT, "3", "Open the program engineering.", "Open the program of engineers.")
    opened.forget(DOCUMENT, "3")
    opened.remember(DOCUMENT, "3", "Open the software engineering.", "Open the program engineering.")
    assert ("软件工程", "program engineering", "software engineering") in learned_corrections(opened)


@pytest.mark.parametrize(
    ("segment", "edited", "confirmed"),
    [
        (0, "After receiving the alarm, check the device.", "After receiving an alarm, check that device."),
        (0, "After receiving the alarm, check devices.", "After receiving the alarms, check a device."),
        (0, "After receiving the alarm, check the device.", "Check the device after receiving the alarm."),
        (0, "After receiving the alarm, check the device.", "Once notified, somebody has to inspect it."),
        (5, "Each runtime has a configuration file.", "Each Runtimes has a configuration file."),
        (5, "Each sub-project has a configuration.", "Each of the sub projects has a configuration."),
        (5, "Each configuration file is here.", "Each file is here."),
    ],
    ids=["articles", "inflection", "order", "rewritten", "plural", "hyphen", "left out"],
)
def test_an_unclear_replacement_teaches_nothing(opened: Translator, segment, edited, confirmed) -> None:
    opened.remember(DOCUMENT, str(segment), confirmed, edited)
    assert learned_corrections(opened) == []


def test_undoing_a_confirmation_removes_its_corrections(opened: Translator) -> None:
    before = draft(opened, 6)
    correct(opened, 0, "alarm", "alert")
    assert draft(opened, 6) != before
    opened.forget(DOCUMENT, "0")
    assert learned_corrections(opened) == [] and draft(opened, 6) == before


def test_confirming_the_rejected_word_later_revokes_a_correction(opened: Translator) -> None:
    correct(opened, 0, "alarm", "alert")
    opened.remember(DOCUMENT, "2", "Close the alarm on the Settings page.", draft(opened, 2))
    (old, new) = opened.corrections(DOCUMENT)
    assert old.revoked_by == "2" and (new.rejected, new.chosen) == ("alert", "alarm")
    assert "alarm" in draft(opened, 6)
    opened.forget(DOCUMENT, "2")
    assert "alert" in draft(opened, 6)


def test_two_agreeing_corrections_replace_another_rendering(opened: Translator) -> None:
    text = draft(opened, 6)
    assert "alarms" in text
    opened.correct(DOCUMENT, (), (Correction("告警", "notice", "alert", "0"),))
    assert draft(opened, 6) == text
    opened.correct(DOCUMENT, (), (Correction("告警", "message", "alert", "1"),))
    assert "alerts" in draft(opened, 6)


def test_one_of_two_renderings_is_written_and_the_other_offered(opened: Translator) -> None:
    correct(opened, 0, "alarm", "alert")
    correct(opened, 2, "alert", "warning")
    suggestion = opened.translate(DOCUMENT, "6", SearchOptions(n_best=3))
    texts = (suggestion.text, suggestion.alternatives[0])
    found = sorted(word for text in texts for word in ("alerts", "warnings") if word in text)
    assert found == ["alerts", "warnings"]


def test_terms_take_precedence_over_corrections(opened: Translator) -> None:
    correct(opened, 0, "alarm", "alert")
    place = SOURCES[6].index("告警")
    term = SourceTerm(place, place + 2, ("warning", "warnings"))
    text = opened.translate(DOCUMENT, "6", terms=(term,)).text
    assert "warnings" in text and "alert" not in text


def test_a_draft_with_a_correction_is_not_withheld(opened: Translator) -> None:
    usable = {number: opened.translate(DOCUMENT, str(number)).quality for number in (2, 6)}
    correct(opened, 0, "alarm", "alert")
    for number, before in usable.items():
        suggestion = opened.translate(DOCUMENT, str(number))
        assert "alert" in suggestion.text and suggestion.quality is not None and before is not None
        assert suggestion.quality.unusable <= before.unusable


def test_a_preview_uses_corrections_and_changes_nothing(opened: Translator) -> None:
    correct(opened, 0, "alarm", "alert")
    with_it = draft(opened, 6)
    (preview,) = opened.preview(DOCUMENT, ["6"], WhatIf(corrections=()))
    assert "alarms" in preview.text and preview.corrections == ()
    assert draft(opened, 6) == with_it


def test_removing_and_adding_a_correction_restores_it(opened: Translator) -> None:
    correct(opened, 0, "alarm", "alert")
    learned = opened.corrections(DOCUMENT)
    assert opened.correct(DOCUMENT, learned) == ()
    assert opened.correct(DOCUMENT, (), learned) == learned


def test_a_correction_applies_only_within_its_scope(opened: Translator) -> None:
    text = draft(opened, 6)
    opened.correct(DOCUMENT, (), (Correction("告警", "alarm", "alert", scope="2"),))
    assert "alert" in draft(opened, 2) and draft(opened, 6) == text


def test_packs_contain_corrections(opened: Translator) -> None:
    pack = MemoryPack("other", (), (Correction("告警", "alarm", "alert"),))
    assert MemoryPack.from_bytes(pack.to_bytes()) == pack
    opened.bring_in(DOCUMENT, (pack,))
    assert "alerts" in draft(opened, 6)
    opened.bring_in(DOCUMENT, ())
    assert "alarms" in draft(opened, 6)


def test_corrections_follow_new_segment_ids(opened: Translator) -> None:
    correct(opened, 0, "alarm", "alert")
    segments = [SourceSegment(f"n{number}", text) for number, text in enumerate(SOURCES)]
    ids = {str(number): each.id for number, each in enumerate(segments)}
    opened.resegment_document(DOCUMENT, segments, ids)
    (kept,) = opened.corrections(DOCUMENT)
    assert kept.segment == "n0"
    assert "alert" in opened.translate(DOCUMENT, "n6").text


def test_an_explanation_names_the_corrections_that_a_text_follows(opened: Translator) -> None:
    correct(opened, 0, "alarm", "alert")
    found = opened.explain(DOCUMENT, "6", draft(opened, 6), influence=False)
    assert [(each.source, each.segment) for each in found.corrections] == [("告警", "0")]
    assert opened.explain(DOCUMENT, "6", "Admins see all alarms.", influence=False).corrections == ()


def test_a_repetition_is_what_was_confirmed_to_the_letter(open_texts: Opener) -> None:
    texts = ("在设置页面关闭告警。", *SOURCES[:1], "在设置页面关闭告警。")
    translator = open_texts(*texts)
    kept = "Close the alarm on the Settings page."
    translator.remember(DOCUMENT, "0", kept, kept)
    correct(translator, 1, "alarm", "alert")
    assert draft(translator, 2) == kept


def test_a_source_of_any_length_is_confirmed_in_seconds(open_texts: Opener) -> None:
    translator = open_texts(SOURCES[0] * 4000)
    text = "After receiving the alarm, check the device. " * 4000
    begun = time.process_time()
    translator.remember(DOCUMENT, "0", text.replace("alarm", "alert"), text)
    assert time.process_time() - begun < 5


def test_a_word_that_is_repeated_many_times_is_checked_quickly(open_texts: Opener) -> None:
    alert = Correction("告警", "alarm", "alert", "0")
    translator = open_texts(SOURCES[0], SOURCES[0] * 20)
    times = []
    for given in ((), (alert,)):
        translator.correct(DOCUMENT, (), given)
        begun = time.process_time()
        text = draft(translator, 1)
        times.append(time.process_time() - begun)
    assert "alarm" not in text and times[1] < 3 * times[0]
    text = "Check the alarm here. " * 2000
    begun = time.process_time()
    found = replacements(text, TargetWords(text, (), (), (), ()), range(1), [alert])
    assert found and len(found) == 2000 and "alarm" not in apply_replacements(text, found)[0]
    assert time.process_time() - begun < 2.5


def test_a_rendering_that_does_not_fit_the_sentence_is_not_written(opened: Translator) -> None:
    """It is much less likely there than in the sentence where it was chosen."""
    before = draft(opened, 6)
    opened.correct(DOCUMENT, (), (Correction("告警", "alarm", "banana", "0", fit=0.0),))
    assert draft(opened, 6) == before
    opened.correct(DOCUMENT, opened.corrections(DOCUMENT), (Correction("告警", "alarm", "banana", "0"),))
    assert "bananas" in draft(opened, 6)


def test_a_word_of_another_sense_is_not_written(open_texts: Opener) -> None:
    translator = open_texts("但实际上，这是一个灵活的开源项目，功能规划和实施始终在进行。")
    translator.correct(DOCUMENT, (), (Correction("项目", "project", "item", "9", fit=-3.09),))
    assert "open source project" in draft(translator, 0)


def test_an_adjective_is_written_before_a_noun_alone(open_texts: Opener) -> None:
    sources = ("你可以记录循环依赖路径。", "要解决这个问题，请尝试打破循环。", "检查循环依赖。")
    translator = open_texts(*sources)
    before = [draft(translator, number) for number in range(3)]
    assert all("loop" in text for text in before)
    correct(translator, 0, "loop", "circular")
    assert draft(translator, 1) == before[1]
    assert "circular dependenc" in draft(translator, 2)


def test_no_word_is_written_twice() -> None:
    text = "Set the line stroke."
    places = ((0, 3), (4, 7), (8, 12), (13, 19))
    words = TargetWords(text, tuple(text[:-1].split()), places, (0, -1, 1, 2), places)
    written = [
        replacements(text, words, range(1, 2), [Correction("线", "line", to)]) for to in ("edge", "stroke")
    ]
    assert written[0] and written[0][0].texts == ("edge",)
    assert not written[1]


@pytest.mark.parametrize(
    ("text", "rejected", "chosen", "written"),
    [
        ("Review the request content.", "review", "moderation", None),  # an imperative
        ("It is used to review the content.", "review", "moderation", None),  # an infinitive
        ("The content review is new.", "review", "moderation", "The content moderation is new."),  # a noun
        ("It needs the use of tags.", "use", "utilize", None),  # no noun
        ("It verifies the authenticity.", "verify", "authenticate", None),  # its own family
        ("It runs the pre-packaged tool.", "packaging", "bundler", None),  # an unknown word
        ("Fire channels are free.", "fire channel", "fire lane", "Fire lanes are free."),  # a plural
        ("Deploy it (1 copy) here.", "copy", "replicas", "Deploy it (1 replica) here."),  # one
        ("It horizontally patrols the code.", "patrol", "inspection", None),  # a verb after an adverb
        ("Track all code blocks here.", "code block", "chunk", "Track all chunks here."),  # one word for two
        ("If you need to support browsers", "support", "Antd", None),  # a name after to
        ("Headers containing the ID are new.", "contain", "include", None),  # a preposition
        ("Fill in the commit description.", "commit", "submit", None),  # a noun that the dictionary lacks
        ("Add a follow-up commit.", "commit", "submit", None),  # a noun after an adjective
        ("It is preset to hide files.", "preset", "default", None),  # a participle
        ("You get and update these keys.", "update", "renewal", None),  # a verb before these
        ("Go from the head of the cursor.", "cursor", "head", None),  # twice
        ("The box of the store is new.", "store", "stored goods", "The box of the stored goods is new."),
        ("You pay a penalty.", "penalty", "liquidated damages", "You pay liquidated damages."),
    ],
)
def test_a_word_of_another_part_of_speech_or_number_is_not_written(
    text: str, rejected: str, chosen: str, written: str | None
) -> None:
    correction = Correction("词", rejected, chosen)
    (place,) = (match.span() for match in correction.rejected_places(text))
    words = TargetWords(text, (rejected,), (place,), (0,), (place,))
    found = replacements(text, words, range(1), [correction])
    assert apply_replacements(text, found or []) == [written or text]


CONTRACT = (
    "甲方保证对该商铺拥有合法的出租权。",
    "利用该商铺从事违法活动的。",
    "物业管理费由运河物业服务中心收取。",
    "运河物业服务中心负责公共区域的保洁。",
    "该插件用于创建路由。",
    "插件已安装。",
)


@pytest.fixture()
def contract(open_texts: Opener) -> Translator:
    return open_texts(*CONTRACT)


@pytest.mark.parametrize(
    ("segment", "source", "old", "new"),
    [(0, "商铺", "store", "premises"), (2, "运河", "River", "Canal"), (4, "插件", "plugin", "plug-in")],
    ids=["a plural for a singular", "without its neighbour", "with a hyphen"],
)
def test_typed_text_is_learned_exactly_and_followed(
    contract: Translator, segment: int, source: str, old: str, new: str
) -> None:
    assert old in draft(contract, segment + 1)
    correct(contract, segment, old, new)
    assert (source, old, new) in learned_corrections(contract)
    assert f" {new} " in f" {draft(contract, segment + 1)} "


def test_an_unchanged_word_revokes_nothing(opened: Translator) -> None:
    correct(opened, 0, "alarm", "alert")
    opened.remember(DOCUMENT, "2", "Close the alarm on the Settings page.", "Close the alarm on the page.")
    assert not any(each.revoked_by for each in opened.corrections(DOCUMENT))


def test_memory_does_not_replace_a_rejected_word_by_another() -> None:
    phrases = [CorrectedPhrase(0, 3, (Correction("违约金", "penalty", "liquidated damages"),))]
    plain = "shall pay the penalty"
    assert drops_corrected(phrases, plain, "shall pay the rent")
    assert not drops_corrected(phrases, plain, "shall pay liquidated damages")
    assert not drops_corrected(phrases, plain, "must pay the penalty")


@pytest.mark.parametrize(
    ("source", "edited", "confirmed", "learned"),
    [
        (
            "仓单遗失的，甲方应当立即书面通知乙方。",
            "If the warehouse is lost, the Party A should immediately notify Party B in writing.",
            "If the warehouse receipt is lost, the Party A should immediately notify Party B in writing.",
            ("仓单", "warehouse", "warehouse receipt"),
        ),
        (
            "乙方应当安装排烟设备。",
            "Party B should install smoking equipment.",
            "Party B should install smoke exhaust equipment.",
            ("排烟", "smoking", "smoke exhaust"),
        ),
        (
            "乙方应当具备储存危险物品的相应条件。",
            "Party B should have the appropriate conditions for storing dangerous goods.",
            "Party B should have the appropriate conditions for storing hazardous goods.",
            ("危险物品", "dangerous goods", "hazardous goods"),
        ),
        (
            "屏幕显示故障码时，请参考下表。",
            "When the screen displays a fault code, please refer to the following table.",
            "When the screen displays an error code, please refer to the following table.",
            ("故障码", "fault code", "error code"),
        ),
        (
            "请勿触摸热床。",
            "Do not touch the hot bed.",
            "Do not touch the print bed.",
            ("热床", "hot bed", "print bed"),
        ),
        (
            "定期在丝杆上涂抹润滑脂。",
            "Use the slime on the pole.",
            "Use the slime on the lead screw.",
            ("丝杆", "pole", "lead screw"),
        ),
        (
            "乙方应当每季度清洗一次组件。",
            "Party B should clean up components once every quarter.",
            "Party B should clean up modules once every quarter.",
            ("组件", "component", "module"),
        ),
        (
            "巡检记录应当由运维人员签字。",
            "The inspection records should be signed by the operations personnel.",
            "The inspection records should be signed by the maintenance staff.",
            ("运维人员", "operations personnel", "maintenance staff"),
        ),
        (
            "搬动除湿机之前，请先清空水箱。",
            "Before moving the dehumidifier, clear the tank first.",
            "Before moving the dehumidifier, empty the tank first.",
            ("清空", "clear", "empty"),
        ),
        (
            "小区的建筑面积为十二万平方米，共有住宅九百六十户。",
            "The building area of the family is 120,000 m², with 960 houses in the family.",
            "The building area of the compound is 120,000 m², with 960 houses in the compound.",
            ("小区", "family", "compound"),
        ),
        (
            "业主装修房屋的，应当事先告知乙方。",
            "The Party B should be told in advance to the owner's house.",
            "The Party B should be told in advance to the homeowner's house.",
            ("业主", "owner", "homeowner"),
        ),
        (
            "童锁功能可以防止儿童误操作。",
            "The child lock function prevents children from mis-operating.",
            "The safety lock function prevents children from mis-operating.",
            ("童锁", "child lock", "safety lock"),
        ),
        (
            "您可以看到重调度已完成。",
            "You can see that the scheduling is complete.",
            "You can see that the rescheduling is complete.",
            ("重调度", "scheduling", "rescheduling"),
        ),
        (
            "把更新代码提交到自己的分支中。",
            "Commit the update code to your own branch.",
            "Submit the update code to your own branch.",
            ("提交", "commit", "submit"),
        ),
        (
            "协商不成的，任何一方可以向人民法院起诉。",
            "Any one may sue in the court.",
            "Either Party may sue in the court.",
            ("任何一方", "any one", "either Party"),
        ),
        (
            "globalExtra (可选) - 会与任意进程产生的崩溃报告一起发送的额外注解。",
            "globalExtra (optional) - Additional annotations that will be sent with the crash report.",
            "globalExtra (optional) - Extra annotations that will be sent with the crash report.",
            ("额外", "additional", "extra"),
        ),
    ],
    ids=[
        "a noun more",
        "a noun before a kept one",
        "a plural",
        "a suffix",
        "single characters",
        "a place",
        "a particle",
        "single characters between",
        "please",
        "twice",
        "a name elsewhere",
        "with a kept part",
        "a prefix",
        "without to",
        "a pronoun",
        "a capital of its place",
    ],
)
def test_the_phrase_is_the_whole_word_that_was_corrected(
    open_texts, source, edited, confirmed, learned
) -> None:
    translator = open_texts(source)
    translator.remember(DOCUMENT, "0", confirmed, edited)
    assert learned_corrections(translator) == [learned]


def test_two_words_of_a_short_sentence_are_two_corrections(open_texts: Opener) -> None:
    translator = open_texts("打印前必须调平热床。")
    edited = "The hot bed must be flattened before printing."
    translator.remember(DOCUMENT, "0", "The print bed must be leveled before printing.", edited)
    found = {("热床", "hot bed", "print bed"), ("调平", "flattened", "leveled")}
    assert {*learned_corrections(translator)} == found


def test_a_word_added_elsewhere_is_not_part_of_the_correction(open_texts: Opener) -> None:
    translator = open_texts("用户可以使用附带的充电器为设备充电。")
    edited = "Users can charge the device with the charger."
    confirmed = "Users can charge the device with the included charger."
    translator.remember(DOCUMENT, "0", confirmed, edited)
    assert learned_corrections(translator) == []


def test_a_plural_takes_article_and_verb_along(open_texts: Opener) -> None:
    source = "仓储物出库时，双方应当共同清点数量。"
    translator = open_texts(source, source[:-1])
    assert "the warehouse is" in draft(translator, 1)
    translator.correct(DOCUMENT, (), (Correction("仓储物", "warehouse", "stored goods", "0"),))
    assert "the stored goods are" in draft(translator, 1)


def test_a_rendering_in_two_words_gives_way_as_a_whole(open_texts: Opener) -> None:
    source = "储存期限届满，甲方应当凭仓单提取仓储物。"
    translator = open_texts(source)
    assert "extract the warehouse storage on" in draft(translator, 0)
    translator.correct(DOCUMENT, (), (Correction("仓储物", "warehouse", "stored goods", "9"),))
    assert "extract the stored goods on" in draft(translator, 0)


def test_a_compound_replaces_its_last_word_too(open_texts: Opener) -> None:
    translator = open_texts("您的宇宙飞船已经拥有最大数量的太阳能板模块！")
    assert "Your universe ship has" in draft(translator, 0)
    translator.correct(DOCUMENT, (), (Correction("宇宙飞船", "universe", "spaceship", "9"),))
    assert "Your spaceship has" in draft(translator, 0)


def test_a_correction_overrides_a_dictionary_hint(opened: Translator) -> None:
    opened.correct(DOCUMENT, (), (Correction("告警", "alarm", "alert", "0"),))
    place = SOURCES[6].index("告警")
    hint = SourceTerm(place, place + 2, ("alarm", "alarms"), guessed=True)
    assert "alerts" in opened.translate(DOCUMENT, "6", terms=(hint,)).text


def test_a_name_is_learned_from_a_rewritten_sentence(open_texts: Opener) -> None:
    sources = ("星图可以导入多种格式的数据。", "本手册介绍如何安装星图。", "请打开星图。")
    translator = open_texts(*sources)
    draft(translator, 0)
    translator.remember(DOCUMENT, "0", "StarMap can import data in many formats.")
    assert [word[::2] for word in learned_corrections(translator)] == [("星图", "StarMap")]
    assert all("StarMap" in draft(translator, segment) for segment in (1, 2))
