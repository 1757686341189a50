"""The order of the engine's jobs, and interruptions."""

from __future__ import annotations

from anaphora.core.language_pair import CHINESE_TO_ENGLISH
from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.engine.job_queue import JobQueue
from anaphora.engine.jobs import (
    DraftJob,
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


def test_marks_come_after_drafts_and_only_for_visible_segments():
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
    assert not queue.should_stop(), "it is still visible"
    assert queue.take() == third
    queue.put_only(Urgency.MARK, [])
    assert queue.should_stop(), "it is not visible"
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
    assert queue.take() == draft("1"), "the middle one was replaced"


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


def test_pause_stops_the_batch_but_not_user_requests():
    queue = JobQueue()
    queue.put(draft("1"))
    queue.take()
    queue.set_paused(True)
    assert queue.should_stop()
    queue.put(draft("2", Urgency.PROMPT))
    assert queue.take() == draft("2", Urgency.PROMPT)
    assert not queue.should_stop()


def test_a_segment_that_the_user_edits_is_not_drafted():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"))
    queue.discard_drafts({"1"})
    assert queue.take() == draft("2")


def test_a_draft_requested_while_it_runs_is_made_once():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"))
    running = queue.take()
    assert running is not None
    queue.put(draft("1", Urgency.PROMPT))
    assert queue.should_stop()
    queue.put_back(running)
    assert [queue.take(), queue.take()] == [draft("1", Urgency.PROMPT), draft("2")]
    assert queue.has_drafts(), "the running one"


def test_a_closed_queue_ends_the_thread():
    queue = JobQueue()
    queue.put(draft("1"))
    queue.take()
    queue.close()
    assert queue.should_stop()
    assert queue.take() is None


def test_a_resegmented_document_drops_requests_about_old_segments() -> None:
    queue = JobQueue()
    remember, align = RememberJob("d", "1", "x"), request(Urgency.ALIGN)
    resegmentation = ResegmentJob("d", (), CHINESE_TO_ENGLISH)
    queue.put(remember, align, explain(), DraftJob("d", "2", 0), resegmentation)
    assert [queue.take() for _ in range(3)] == [remember, resegmentation, DraftJob("d", "2", 0)]
    queue.put(later := request(Urgency.ALIGN))
    assert queue.take() == later, "the old one is gone"


def test_segments_outside_a_join_keep_their_state() -> None:
    segments = tuple(Segment(key, "账本。") for key in ("1", "2", "4"))
    job = ResegmentJob("d", segments, CHINESE_TO_ENGLISH, frozenset({"2", "4"}), (("5", "4"),))
    assert job.kept_ids() == {"1": "1", "5": "4"}


def test_a_returned_draft_does_not_replace_a_later_one():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"), draft("1"))
    assert queue.take() == draft("2")
    queue.put(later := DraftJob("d", "2", 1))
    queue.put_back(draft("2"))
    assert [queue.take(), queue.take()] == [later, draft("1")]
    queue.put(last := request(max(Urgency)))
    assert queue.take() is last


def test_a_documents_targets_start_its_memory() -> None:
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


def test_only_the_latest_request_with_a_key_counts() -> None:
    earlier = request(Urgency.INSPECT, "a")
    assert request(Urgency.INSPECT, "a").replaces(earlier)
    assert not request(Urgency.INSPECT, "b").replaces(earlier)
    assert not request(Urgency.MARK, "a").replaces(earlier)
    assert not request(Urgency.INSPECT).replaces(request(Urgency.INSPECT)), "each is answered"
    assert not earlier.replaces(draft("1"))
    awaited = [urgency for urgency in Urgency if request(urgency).is_awaited]
    assert awaited == [urgency for urgency in Urgency if urgency <= Urgency.SUGGEST]


def test_the_engine_gets_length_limits() -> None:
    assert source_segment(Segment("1", "账本。")) == SourceSegment("1", "账本。", 0)
    limited = Segment("1", "账本。", notes=(Note(NoteKind.LENGTH_LIMIT, "20 char"),))
    assert source_segment(limited) == SourceSegment("1", "账本。", 20)
