"""The order in which the engine works, and what interrupts what."""

from __future__ import annotations

from anaphora.engine.jobs import (
    AlignJob,
    DraftJob,
    ExplainJob,
    JobQueue,
    MarkJob,
    RememberJob,
    ResegmentJob,
    Urgency,
)


def draft(segment: str, urgency: Urgency = Urgency.BATCH) -> DraftJob:
    return DraftJob("d", segment, 0, urgency)


def explain(ticket: int) -> ExplainJob:
    return ExplainJob("d", "s", "text", ticket)


def test_the_users_requests_go_before_the_batch():
    queue = JobQueue()
    queue.put(AlignJob("d", "s", "text"), draft("1"), draft("2", Urgency.FOLLOW_UP), explain(1))
    queue.put(draft("3", Urgency.PROMPT), RememberJob("d", "0", "x"))
    order = [type(queue.take()).__name__ for _ in range(6)]
    assert order == ["RememberJob", "DraftJob", "ExplainJob", "DraftJob", "DraftJob", "AlignJob"]


def test_marks_come_after_drafts_and_only_of_what_is_in_view():
    queue = JobQueue()
    first, second, third = (MarkJob("d", segment, "text") for segment in "123")
    queue.put_marks([first, second])
    assert queue.take() == first
    queue.put(draft("1"))
    assert queue.should_stop()
    queue.put_back(first)
    assert queue.take() == draft("1")
    assert queue.take() == first
    queue.put_marks([first, third])
    assert not queue.should_stop(), "it is still in view"
    assert queue.take() == third
    queue.put_marks([])
    assert queue.should_stop(), "it is out of view"
    queue.put_back(third)
    queue.put(AlignJob("d", "s", "text"))
    assert queue.take() == AlignJob("d", "s", "text")


def test_the_latest_explanation_wins_over_waiting_and_running_ones():
    queue = JobQueue()
    queue.put(explain(1))
    running = queue.take()
    assert running is not None
    assert not queue.should_stop()
    queue.put(explain(2))
    queue.put(explain(3))
    assert queue.should_stop()
    queue.put_back(running)
    assert queue.take() == explain(3)


def test_an_interrupted_draft_comes_next_again():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"))
    running = queue.take()
    assert running is not None
    queue.put(explain(1))
    assert queue.should_stop()
    queue.put_back(running)
    assert queue.take() == explain(1)
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


def test_cancelled_drafts_do_not_come_back():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"))
    running = queue.take()
    assert running is not None
    queue.cancel_drafts()
    assert queue.should_stop()
    queue.put_back(running)
    assert queue.waiting_drafts() == 0
    queue.put(explain(1))
    assert queue.take() == explain(1)


def test_a_segment_taken_over_by_the_user_is_not_drafted():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"))
    queue.discard_draft("1")
    assert queue.take() == draft("2")


def test_a_draft_that_is_asked_for_while_it_is_made_is_made_once():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"))
    running = queue.take()
    assert running is not None
    queue.put(draft("1", Urgency.PROMPT))
    assert queue.should_stop()
    queue.put_back(running)
    assert [queue.take(), queue.take()] == [draft("1", Urgency.PROMPT), draft("2")]
    assert queue.waiting_drafts() == 1, "the one that runs"


def test_an_interrupted_draft_begins_again_in_its_place():
    queue = JobQueue()
    queue.put(draft("1"), draft("2"))
    running = queue.take()
    assert running is not None
    queue.put(explain(1))
    assert queue.should_stop()
    queue.put_back(running)
    assert [queue.take() for _ in range(3)] == [explain(1), draft("1"), draft("2")]


def test_a_closed_queue_ends_the_thread():
    queue = JobQueue()
    queue.put(draft("1"))
    queue.take()
    queue.close()
    assert queue.should_stop()
    assert queue.take() is None


def test_a_resegmented_document_drops_questions_about_its_former_segments() -> None:
    queue = JobQueue()
    remember, align = RememberJob("d", "1", "x"), AlignJob("d", "1", "x")
    resegmentation = ResegmentJob("d", (), (), ())
    queue.put(remember, align, ExplainJob("d", "1", "x", 1), DraftJob("d", "2", 0), resegmentation)
    assert [queue.take() for _ in range(3)] == [remember, resegmentation, DraftJob("d", "2", 0)]
    queue.put(AlignJob("d", "3", "y"))
    assert queue.take() == AlignJob("d", "3", "y"), "the old one is gone"
