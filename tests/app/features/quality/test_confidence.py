"""Marks of doubtful drafts and words, and documents unlike the training texts."""

from __future__ import annotations

from typing import Any

from inverses import inverse_of

from anaphora.core.document import Document
from anaphora.core.draft_report import DraftReport
from anaphora.core.drafts import state_of
from anaphora.core.edits import Resegmentation
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.engine.worker import EngineWorker
from anaphora.features.quality.confidence import FIRST_SETTING, ConfidenceService, read_first
from anaphora.features.quality.expected_quality import FIRST_DRAFTS, MIN_PROPOSALS
from anaphora.project.document.session import DocumentSession
from anaphora_nmt.types import DraftQuality, EngineInfo, WordQuality

INFO = EngineInfo("m", "cpu", 1, "float32", unlike_below=0.4)
INVENTED = WordQuality("grundle", 4, 11, 0.1, True, True)
UNLIKELY = WordQuality("the", 0, 3, 0.1, True)


class Setting:
    """A session with drafts, and a worker whose engine never starts."""

    def __init__(self, count: int = FIRST_DRAFTS + 2) -> None:
        def load() -> Any:
            raise AssertionError("no engine is wanted here")

        self.worker = EngineWorker(load)
        self.service = ConfidenceService(self.worker)
        segments = [Segment(str(number), f"第{number}句", SegmentState()) for number in range(count)]
        self.session = DocumentSession("d", Document("d", segments))
        self.service.open(self.session)
        self.told: list[bool] = []
        self.service.unlike.connect(self.told.append)
        self.worker.loaded.emit(INFO)

    def draft(self, segment: str, text: str, quality: DraftQuality | None) -> None:
        self.session.set_states({segment: SegmentState(text, Status.DRAFT, DraftReport.of(quality))})


def test_a_doubtful_draft_is_marked_until_the_user_works_on_it(qtbot):
    setting = Setting()
    service = setting.service
    with qtbot.waitSignal(service.changed, timeout=30000) as told:
        setting.draft("0", "the lot", DraftQuality(0.2, True, (UNLIKELY,)))
    assert told.args == [("0",)] and service.is_unsure("0") and len(service) == 1
    assert service.doubtful_words("0") == (UNLIKELY,)
    setting.draft("1", "a good draft", DraftQuality(0.8))
    setting.draft("2", "copied", None)
    assert not service.is_unsure("1") and not service.is_unsure("2") and len(service) == 1
    drafted = setting.session.document.get("0").state
    setting.session.set_states({"0": SegmentState("the whole lot", Status.EDITED)})
    assert not service.is_unsure("0") and service.doubtful_words("0") == ()
    setting.session.set_states({"0": drafted})
    assert service.is_unsure("0"), "after undo the word is doubtful again"


def test_an_invented_word_marks_its_draft_but_a_doubtful_one_does_not(qtbot):
    setting = Setting()
    setting.draft("0", "the lot", DraftQuality(0.8, False, (UNLIKELY,)))
    setting.draft("1", "the grundle", DraftQuality(0.8, False, (INVENTED,)))
    assert not setting.service.is_unsure("0") and setting.service.doubtful_words("0") == (UNLIKELY,)
    assert setting.service.is_unsure("1")
    setting.session.set_states({"5": SegmentState("Grundles live here.", Status.CONFIRMED)})
    setting.draft("2", "the grundle", DraftQuality(0.8, False, (INVENTED,)))
    assert not setting.service.is_unsure("2"), "the user has written the word"
    assert not setting.service.is_unsure("1"), "so it is not invented in the earlier draft either"
    setting.session.set_states({"5": SegmentState()})
    assert setting.service.is_unsure("1") and setting.service.is_unsure("2")


def test_marks_are_restored_when_a_session_is_reopened(qtbot):
    setting, again = Setting(), Setting()
    setting.draft("0", "the lot", DraftQuality(0.2, True, (UNLIKELY,)))
    setting.draft("1", "the grundle", DraftQuality(0.8, False, (UNLIKELY, INVENTED)))
    setting.session.set_states({"2": SegmentState("typed", Status.EDITED)})
    again.service.open(DocumentSession("d", Document("d", list(setting.session.document))))
    for key in ("0", "1", "2"):
        assert again.service.is_unsure(key) == setting.service.is_unsure(key)
        assert again.service.doubtful_words(key) == setting.service.doubtful_words(key)
    assert len(again.service) == len(setting.service) == 2


def test_a_project_keeps_that_it_is_unlike_the_training_texts(qtbot):
    setting = Setting()
    kept: dict[str, str] = {}
    setting.service.recall(None, kept.__setitem__)
    for number in range(FIRST_DRAFTS):
        setting.draft(str(number), f"draft {number}", DraftQuality(0.3, True))
    assert setting.told[-1] is True and list(kept) == [FIRST_SETTING]
    setting.service.open(setting.session)
    assert setting.told[-1] is False
    setting.service.recall(read_first(kept[FIRST_SETTING]), kept.__setitem__)
    assert setting.told[-1] is True
    assert read_first("no number") is None and read_first("") is None
    setting.service.restart_estimate()
    for number in range(FIRST_DRAFTS):
        setting.draft(str(number), f"better {number}", DraftQuality(0.7))
    assert setting.told[-1] is False


def test_a_document_is_unlike_when_its_first_drafts_are_poor(qtbot):
    setting = Setting()
    for number in range(FIRST_DRAFTS - 1):
        setting.draft(str(number), f"draft {number}", DraftQuality(0.3, True))
        setting.draft(str(number), f"draft {number} again", DraftQuality(0.3, True))
    assert setting.told == []
    setting.draft(str(FIRST_DRAFTS - 1), "the last", DraftQuality(0.3, True))
    assert setting.told == [True]
    setting.draft(str(FIRST_DRAFTS), "one more", DraftQuality(0.9))
    setting.service.open(setting.session)
    assert setting.told == [True, False], "another document has no drafts yet"
    for number in range(FIRST_DRAFTS):
        setting.draft(str(number), f"draft {number}", DraftQuality(0.5))
    assert setting.told[-1] is False


def test_tentative_drafts_are_counted_and_many_mean_an_unknown_text(qtbot):
    setting = Setting(12)
    service = setting.service
    poor = DraftReport.of(DraftQuality(0.3, True, (INVENTED,), True))
    for number in range(MIN_PROPOSALS):
        assert setting.told == []
        setting.session.set_states({str(number): state_of("the grundle", poor)})
    assert setting.told == [True] and service.proposals == MIN_PROPOSALS
    assert service.is_proposed("0") and not service.is_unsure("0") and service.doubtful_words("0") == ()
    setting.session.set_states({"0": SegmentState("the lot", Status.EDITED)})
    assert not service.is_proposed("0") and setting.told == [True, False]
    again = Setting(12)
    again.service.open(DocumentSession("d", Document("d", list(setting.session.document))))
    assert again.service.proposals == MIN_PROPOSALS - 1


def test_joining_segments_removes_their_marks(qtbot):
    setting = Setting()
    service, document = setting.service, setting.session.document
    for segment in "012":
        setting.draft(segment, "the grundle", DraftQuality(0.2, True, (INVENTED,)))
    assert [service.is_unsure(segment) for segment in "012"] == [True] * 3
    before = (document.get("0"), document.get("1"))
    joined = Segment("0", "第0句第1句", SegmentState("the grundle the grundle", Status.EDITED))
    change = Resegmentation("d", before, (joined,))
    setting.session.apply_resegmentation(change)
    assert [service.is_unsure(segment) for segment in "012"] == [False, False, True] and len(service) == 1
    setting.session.apply_resegmentation(inverse_of(change))
    assert [service.is_unsure(segment) for segment in "012"] == [True] * 3
