"""Hints from the dictionary, with which doubtful drafts are redone."""

# mypy: disable-error-code="arg-type, return-value"
# The double of a translator has only the parts used here.
from __future__ import annotations

from collections.abc import Sequence

import pytest
from recording_translator import RecordingTranslator

from anaphora.core.segment import Segment
from anaphora.engine.jobs import DraftJob, OpenJob
from anaphora.engine.worker import EngineWorker
from anaphora.features.dictionary.entries import Dictionary
from anaphora.features.dictionary.hinted_drafts import (
    MAX_HINTS,
    MAX_LOSS,
    draft_with_hints,
    drafter_with_hints,
    lacking_words,
    report_of,
)
from anaphora.features.explain.inspector import preview
from anaphora.features.terms.requests import rewriting
from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.types import (
    Correction,
    DraftQuality,
    MemoryVersion,
    SearchOptions,
    SourceSegment,
    SourceTerm,
    Suggestion,
    WhatIf,
    WordQuality,
)

SOURCE = "乌鸦张开嘴，押金就掉了下来。"
CROW = SourceTerm(0, 2, ("crow", "crows", "raven", "ravens"))


def lacking(
    dictionary: Dictionary,
    draft: str,
    confirmed: Sequence[tuple[str, str]] = (),
    source: str = SOURCE,
    corrections: Sequence[Correction] = (),
):
    found = lacking_words(source, draft, dictionary, confirmed, corrections)
    return {source[term.start : term.end]: term.forms for term in found}


def test_nouns_missing_in_a_draft_are_given_with_plurals(dictionary) -> None:
    assert lacking(dictionary, "The scabs open the mouth, and the rent fell.") == {
        "乌鸦": ("crow", "crows", "raven", "ravens"),
        "押金": ("deposit", "deposits", "down payment", "down payments"),
    }
    assert [*lacking(dictionary, "The ravens lost the rent.")] == ["押金"]
    assert lacking(dictionary, "The crow opened its beak, and the deposit fell.") == {}


def test_a_word_of_the_dictionary_is_not_an_invented_one() -> None:
    words = tuple(
        WordQuality(word, start, start + len(word), 0.1, doubtful=True, invented=True)
        for word, start in (("stair.", 0), ("scabby", 7))
    )
    quality = DraftQuality(0.3, True, words)
    draft = Suggestion("1", "stair. scabby", 0.0, MemoryVersion("d", 1), quality=quality)
    for hints, invented in (((), ["stair.", "scabby"]), ((SourceTerm(0, 2, ("stair",)),), ["scabby"])):
        report = report_of(draft, hints)
        assert report is not None and report.quality is not None
        assert [word.word for word in report.quality.words if word.invented] == invented


def test_confirmed_words_keep_their_translations(dictionary) -> None:
    assert [*lacking(dictionary, "", [("没有押金。", "No pledge.")])] == ["乌鸦"]
    confirmed = [("没有押金。", "No deposits.")]
    assert lacking(dictionary, "", confirmed)["押金"] == ("deposit", "deposits")


def test_a_draft_keeps_its_word_if_others_are_confirmed(dictionary) -> None:
    before = "The crow dropped the deposit."
    found = lacking_words(SOURCE, "", dictionary, [("没有押金。", "No pledge.")], (), before)
    assert [form for term in found for form in term.forms if "deposit" in form] == ["deposit", "deposits"]


def test_a_corrected_word_keeps_its_rejected_translation(dictionary) -> None:
    corrected = (Correction("押金", "deposit", "pledge", "1"),)
    found = lacking(dictionary, "", [("没有押金。", "No pledge.")], corrections=corrected)
    assert found["押金"] == ("deposit", "deposits")


def test_verbs_and_explanations_are_not_hints(dictionary) -> None:
    assert "登记" not in lacking(dictionary, "", source="他去登记。")
    assert [*lacking(dictionary, "", source="解决失业问题")] == ["失业"]  # 问题 every model knows
    assert lacking(dictionary, "", source="协商不成") == {}  # "agreement", but mainly the verb "to consult"
    forms = lacking(dictionary, "", source="因不可抗力不能履行")["不可抗力"]
    assert "force majeure" in forms and not {"unavoidable", "nothing can be done about it"} & {*forms}


def test_the_number_of_hints_is_limited(dictionary) -> None:
    source = "乌鸦、押金、抽屉、雷管、桌子、合同、苹果、椅子。"
    found = lacking_words(source, "", dictionary)
    assert len(found) == MAX_HINTS
    (apple,) = lacking_words("苹果", "", dictionary)
    assert "a apple" in apple.clashes


@pytest.mark.slow
def test_a_draft_is_compared_and_rewritten_with_the_same_words(qtbot, dictionary) -> None:
    """Otherwise hints would look like effects of the memory."""
    source, asked = "乌鸦张开嘴，肉就掉了下来。", []

    def load() -> Translator:
        translator = Translator.load(embedded_model(), "cpu", 1)
        preview = translator.preview

        def noted(document, segments, question, options, cancel, terms):
            asked.append(terms)
            return preview(document, segments, question, options, cancel, terms)

        translator.preview = noted  # type: ignore[method-assign, assignment]
        return translator

    worker = EngineWorker(
        load, draft=drafter_with_hints(lambda _, draft, __: lacking_words(source, draft, dictionary))
    )
    worker.start()
    try:
        with qtbot.waitSignal(worker.drafted, timeout=60000) as made:
            worker.queue.put(OpenJob("d", (Segment("1", source),)), DraftJob("d", "1", 0))
        hints = made.args[0].hints
        assert [term.form_in(made.args[0].suggestion.text) != "" for term in hints] == [True]
        previewed: list[tuple[Suggestion, ...]] = []
        worker.ask(preview("d", ("1",), WhatIf(), previewed.append))
        qtbot.waitUntil(lambda: bool(previewed), timeout=60000)
        assert asked == [{"1": hints}]
        assert previewed[0][0].text == made.args[0].suggestion.text
        rewritten: list[str] = []
        for place, term in enumerate((SourceTerm(5, 6, ("beef",)), SourceTerm(0, 2, ("rook",)))):
            worker.ask(rewriting("d", "1", (term,), rewritten.append, pytest.fail))
            qtbot.waitUntil(lambda place=place: len(rewritten) > place, timeout=60000)
        assert "beef" in rewritten[0] and hints[0].form_in(rewritten[0])
        assert "rook" in rewritten[1] and not hints[0].form_in(rewritten[1])
    finally:
        worker.stop(10.0)


class Engine(RecordingTranslator):
    """An engine with one draft without hints and another with hints, each with a quality."""

    def __init__(self, *drafts: tuple[str, DraftQuality | None]) -> None:
        super().__init__()
        self.given = drafts
        self.kept: tuple[Correction, ...] = ()
        self.asked: list[tuple[SourceTerm, ...]] = []
        self.restored: list[tuple[str, str, bool]] = []

    def restore(self, document, targets, cancel=None, progress=None) -> MemoryVersion:
        self.restored += targets
        return MemoryVersion(document, 2)

    def translate(
        self, document: str, segment: str, options=SearchOptions(), cancel=None, terms=()
    ) -> Suggestion:
        self.asked.append(tuple(terms))
        text, quality = self.given[CROW in terms]
        followed = tuple(each for each in self.kept if each.chosen_in(text))
        return Suggestion(
            segment, text, 0.0, MemoryVersion(document, 1), quality=quality, corrections=followed
        )


def drafted(engine: Engine, terms: Sequence[SourceTerm] = ()):
    return draft_with_hints(engine, "d", "1", SearchOptions(), None, terms, lambda *_: (CROW,))


def doubted(expected: float) -> DraftQuality:
    return DraftQuality(expected, doubtful=True, words=(WordQuality("The", 0, 3, 0.5),))


def test_a_doubtful_draft_is_redone_with_missing_words() -> None:
    engine = Engine(("The scabs", doubted(0.3)), ("The ravens", doubted(0.31 - MAX_LOSS)))
    suggestion, words = drafted(engine)
    assert suggestion.text == "The ravens" and words == (CROW,)
    assert engine.asked == [(), (CROW,)]


def test_an_invented_word_makes_a_draft_doubtful() -> None:
    invented = DraftQuality(0.6, words=(WordQuality("scrabs", 4, 10, 0.1, invented=True),))
    suggestion, _ = drafted(Engine(("The scrabs", invented), ("The ravens", DraftQuality(0.6))))
    assert suggestion.text == "The ravens"


def test_a_much_worse_redraft_is_rejected() -> None:
    engine = Engine(("The scabs", doubted(0.3)), ("crow crow", doubted(0.29 - MAX_LOSS)))
    suggestion, words = drafted(engine)
    assert suggestion.text == "The scabs" and words == ()
    assert engine.asked == [(), (CROW,)] and engine.restored == [("1", "The scabs", False)]


@pytest.mark.slow
def test_a_restored_first_draft_leaves_no_trace_of_the_second() -> None:
    """The redraft has an improbable word; restoring must not search again."""
    segments = [SourceSegment("1", "本协议由甲方与乙方签署。"), SourceSegment("2", "甲方支付费用。")]
    odd = SourceTerm(1, 3, ("zzyzx",))
    translator = Translator.load(embedded_model(), "cpu", 1)
    translator.open_document("d", segments)
    with_odd = translator.translate("d", "1", terms=(odd,))
    among = translator.memory("d", "2")
    once = translator.translate("d", "1")
    alone = translator.memory("d", "2")
    translator.translate("d", "1", terms=(odd,))
    translator.restore("d", [("1", once.text, False)])
    restored = translator.memory("d", "2")

    assert with_odd.text != once.text and among.sections != alone.sections
    assert restored.sections == alone.sections


def test_a_redraft_must_follow_the_corrections() -> None:
    kept = Correction("押金", "rent", "deposit")
    sure = DraftQuality(0.5, True)
    for text, chosen in (("The crow lost the rent", 0), ("The crow lost the deposit", 1)):
        engine = Engine(("The adult lost the deposit", doubted(0.3)), (text, sure))
        engine.kept = (kept,)
        draft, words = drafted(engine)
        assert draft.text == engine.given[chosen][0] and bool(words) == bool(chosen)


def test_certain_drafts_and_words_of_terms_stay() -> None:
    sure = Engine(("The scabs", DraftQuality(0.6)), ("", None))
    assert drafted(sure)[0].text == "The scabs" and len(sure.asked) == 1
    of_another_model = Engine(("The scabs", DraftQuality(0.1)), ("", None))
    assert drafted(of_another_model)[1] == () and len(of_another_model.asked) == 1
    unknown = Engine(("The scabs", None), ("", None))
    assert drafted(unknown)[1] == () and len(unknown.asked) == 1
    called = Engine(("The rook", doubted(0.3)), ("", None))
    assert drafted(called, (SourceTerm(0, 2, ("rook",)),))[0].text == "The rook" and len(called.asked) == 1
