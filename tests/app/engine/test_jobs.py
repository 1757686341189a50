"""The order in which the engine works, and what interrupts what."""

from __future__ import annotations

import random

import pytest

from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.engine.job_queue import JobQueue
from anaphora.engine.jobs import (
    DraftJob,
    Job,
    RememberJob,
    Request,
    ResegmentJob,
    Urgency,
    open_job,
    source_segment,
)
from anaphora_nmt.types import SourceSegment


def draft(segment: str, urgency: Urgency = Urgency.BATCH) -> DraftJob:
    return DraftJob("d", segment, 0, urgency)


def request(urgency: Urgency, key: str | None = None) -> Request:
    return Request("d", urgency, lambda context, answer: None, print, key)


def explain() -> Request:
    return request(Urgency.INSPECT, "current segment")


def test_the_users_requests_go_before_the_batch():
    queue = JobQueue()
    explained, aligned, remember = explain(), request(Urgency.ALIGN), RememberJob("d", "0", "x")
    queue.put(aligned, draft("1"), draft("2", Urgency.FOLLOW_UP), explained)
    queue.put(draft("3", Urgency.PROMPT), remember)
    drafts = [draft("3", Urgency.PROMPT), draft("2", Urgency.FOLLOW_UP), draft("1")]
    assert [queue.take() for _ in range(6)] == [remember, drafts[0], explained, *drafts[1:], aligned]


def test_marks_come_after_drafts_and_only_of_what_is_in_view():
    queue = JobQueue()
    first, second, third = (request(Urgency.MARK, segment) for segment in "123")
    queue.put_only(Urgency.MARK, [first, second])
    assert queue.take() == first
    queue.put(draft("1"))
    assert queue.should_stop()
    queue.put_back(first)
    assert queue.take() == draft("1")
    assert queue.take() == first
    queue.put_only(Urgency.MARK, [request(Urgency.MARK, "1"), third])
    assert not queue.should_stop(), "it is still in view"
    assert queue.take() == third
    queue.put_only(Urgency.MARK, [])
    assert queue.should_stop(), "it is out of view"
    queue.put_back(third)
    queue.put(aligned := request(Urgency.ALIGN))
    assert queue.take() == aligned


def test_the_latest_explanation_wins_over_waiting_and_running_ones():
    queue = JobQueue()
    queue.put(explain())
    running = queue.take()
    assert running is not None
    assert not queue.should_stop()
    queue.put(explain())
    queue.put(latest := explain())
    assert queue.should_stop()
    queue.put_back(running)
    assert queue.take() == latest
    queue.put(draft("1"))
    assert queue.take() == draft("1"), "the one between was replaced"


def test_an_interrupted_draft_comes_next_again():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"))
    running = queue.take()
    assert running is not None
    queue.put(explained := explain())
    assert queue.should_stop()
    queue.put_back(running)
    assert queue.take() == explained
    assert queue.take() == draft("1")


def test_pause_holds_the_batch_but_not_the_user():
    queue = JobQueue()
    queue.put(draft("1"))
    queue.take()
    queue.set_paused(True)
    assert queue.should_stop()
    queue.put(draft("2", Urgency.PROMPT))
    assert queue.take() == draft("2", Urgency.PROMPT)
    assert not queue.should_stop()


def test_a_segment_taken_over_by_the_user_is_not_drafted():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"))
    queue.discard_drafts({"1"})
    assert queue.take() == draft("2")


def test_a_draft_that_is_requested_while_it_is_made_is_made_once():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"))
    running = queue.take()
    assert running is not None
    queue.put(draft("1", Urgency.PROMPT))
    assert queue.should_stop()
    queue.put_back(running)
    assert [queue.take(), queue.take()] == [draft("1", Urgency.PROMPT), draft("2")]
    assert queue.has_drafts(), "the one that runs"


def test_an_interrupted_draft_begins_again_in_its_place():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"))
    running = queue.take()
    assert running is not None
    queue.put(explained := explain())
    assert queue.should_stop()
    queue.put_back(running)
    assert [queue.take() for _ in range(3)] == [explained, draft("1"), draft("2")]


def test_a_closed_queue_ends_the_thread():
    queue = JobQueue()
    queue.put(draft("1"))
    queue.take()
    queue.close()
    assert queue.should_stop()
    assert queue.take() is None


def test_a_resegmented_document_drops_questions_about_its_former_segments() -> None:
    queue = JobQueue()
    remember, align = RememberJob("d", "1", "x"), request(Urgency.ALIGN)
    resegmentation = ResegmentJob("d", (), CHINESE_TO_ENGLISH)
    queue.put(remember, align, explain(), DraftJob("d", "2", 0), resegmentation)
    assert [queue.take() for _ in range(3)] == [remember, resegmentation, DraftJob("d", "2", 0)]
    queue.put(later := request(Urgency.ALIGN))
    assert queue.take() == later, "the old one is gone"


def test_segments_that_a_join_did_not_touch_stay_the_same() -> None:
    segments = tuple(Segment(key, "账本。") for key in ("1", "2", "4"))
    job = ResegmentJob("d", segments, CHINESE_TO_ENGLISH, frozenset({"2", "4"}), (("5", "4"),))
    assert job.kept() == {"1": "1", "5": "4"}


@pytest.mark.parametrize("seed", range(40))
def test_many_at_once_are_what_they_are_one_by_one(seed: int) -> None:
    chosen = random.Random(seed)

    def some(count: int) -> list[Job]:
        kinds = (
            lambda: request(chosen.choice((Urgency.ALIGN, Urgency.INSPECT)), chosen.choice(("a", "b", None))),
            lambda: draft(
                chosen.choice("123"), chosen.choice((Urgency.BATCH, Urgency.FOLLOW_UP, Urgency.PROMPT))
            ),
            lambda: RememberJob("d", chosen.choice("123"), "x"),
        )
        return [chosen.choice(kinds)() for _ in range(count)]

    together, alone = JobQueue(), JobQueue()
    first, second = some(6), some(12)
    for queue in (together, alone):
        queue.put(*first)
        assert queue.take() is not None
    together.put(*second)
    for job in second:
        alone.put(job)
    assert together.should_stop() == alone.should_stop()
    taken = []
    for queue in (together, alone):
        queue.put(last := request(max(Urgency)))
        taken.append([*iter(queue.take, last)])
    assert taken[0] == taken[1]


def test_a_draft_waits_once_and_a_later_one_is_not_lost_to_one_that_is_put_back():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"), draft("1"))
    assert queue.take() == draft("2")
    queue.put(later := DraftJob("d", "2", 1))
    queue.put_back(draft("2"))
    assert [queue.take(), queue.take()] == [later, draft("1")]
    queue.put(last := request(max(Urgency)))
    assert queue.take() is last


def test_what_stands_in_a_document_is_what_its_memory_begins_with() -> None:
    segments = (
        Segment("1", "账本。", SegmentState("The ledger.", Status.CONFIRMED)),
        Segment("2", "账本。", SegmentState("The book.", Status.DRAFT)),
        Segment("3", "账本。", SegmentState("A book.", Status.EDITED)),
        Segment("4", "账本。", SegmentState("  ", Status.EDITED)),
        Segment("5", "账本。"),
        Segment("6", "Text.", SegmentState("文字。", Status.CONFIRMED)),
    )
    job = open_job("d", segments, CHINESE_TO_ENGLISH)
    assert job.targets == (("1", "The ledger.", True), ("2", "The book.", False), ("3", "A book.", False))
    assert job.segments == segments


def test_of_questions_with_one_key_the_latest_counts() -> None:
    asked = request(Urgency.INSPECT, "a")
    assert request(Urgency.INSPECT, "a").replaces(asked)
    assert not request(Urgency.INSPECT, "b").replaces(asked)
    assert not request(Urgency.MARK, "a").replaces(asked)
    assert not request(Urgency.INSPECT).replaces(request(Urgency.INSPECT)), "each is answered"
    assert not asked.replaces(draft("1"))
    awaited = [urgency for urgency in Urgency if request(urgency).is_awaited]
    assert awaited == [urgency for urgency in Urgency if urgency <= Urgency.SUGGEST]


def test_the_engine_learns_how_long_a_translation_may_be() -> None:
    assert source_segment(Segment("1", "账本。")) == SourceSegment("1", "账本。", 0)
    limited = Segment("1", "账本。", notes=(Note(NoteKind.LENGTH_LIMIT, "20 char"),))
    assert source_segment(limited) == SourceSegment("1", "账本。", 20)
