"""Which systems `python -m experiments.gpu` trains, in which order, how many at once and for how long."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Job:
    """A system to train and translate with.

    Attributes:
        needs: systems that must be done before. shares: what it must not run beside (features of one base).
        updates: at scale 1. memories: whether it trains memories on a frozen model.
    """

    name: str
    needs: tuple[str, ...]
    shares: str | None
    updates: int
    memories: bool


@dataclass
class Schedule:
    """Which jobs run: as many as there is room for, in order, none before what it needs."""

    jobs: Sequence[Job]
    room: int
    done: set[str] = field(default_factory=set)
    running: dict[str, Any] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    late: set[str] = field(default_factory=set)

    def end(self, name: str, status: int) -> None:
        """A job's process has ended: 0 is done, 3 out of time, everything else a failure."""
        (self.done if status == 0 else self.late if status == 3 else self.failed).add(name)
        print(
            f"end {name}: {('done' if status == 0 else 'out of time' if status == 3 else 'FAILED')}",
            flush=True,
        )

    def ready(self) -> list[Job]:
        """Jobs to start now."""
        started: list[Job] = []
        names = set(self.running)
        shared = {job.shares for job in self.jobs if job.name in names}
        for job in self.jobs:
            free = len(names) < self.room and job.name not in names | self.done | self.failed | self.late
            if free and set(job.needs) <= self.done and (job.shares is None or job.shares not in shared):
                started.append(job)
                names.add(job.name)
                shared.add(job.shares)
        return started


def jobs_of(names: Sequence[str], more: Path | None = None) -> list[Job]:
    """The systems and what they start from or are compared with, in an order that keeps the GPU busy."""
    from experiments.systems import load_systems
    from experiments.training import needed_by

    systems = load_systems(more)
    order: dict[str, None] = {}
    for name in names:
        order.update(dict.fromkeys(needed_by(systems, name)))
    jobs = []
    for name in order:
        system = systems[name]
        part = system.training or system.second_pass
        memories = system.second_pass is not None
        needs = (system.initial,) if system.initial in order else ()
        shares = system.initial if memories else None
        jobs.append(Job(name, needs, shares, part.updates if part else 0, memories))
    waited_for = {name: sum(name in job.needs for job in jobs) for name in order}
    return sorted(jobs, key=lambda job: (bool(job.needs), -waited_for[job.name]))


def makespan(
    jobs: Sequence[Job], seconds: Mapping[str, float], room: int, done: Collection[str] = ()
) -> float:
    """How long the schedule takes when each job takes so many seconds and some are done."""
    schedule = Schedule(jobs, room, set(done))
    now = 0.0
    while len(schedule.done) < len(jobs):
        for job in schedule.ready():
            schedule.running[job.name] = now + seconds[job.name]
        now, first = min((end, name) for name, end in schedule.running.items())
        del schedule.running[first]
        schedule.done.add(first)
    return now


def choose_scale(
    jobs: Sequence[Job],
    per_update: Mapping[str, float],
    fixed: float,
    room: int,
    budget: float,
    done: Collection[str] = (),
) -> float:
    """How much longer than configured (or shorter) to train, so that everything takes `budget` seconds.

    Args:
        per_update: seconds an update of each system takes.
        fixed: seconds that a job takes besides: starting, translating.
    """

    def takes(scale: float) -> float:
        left = [job for job in jobs if job.name not in done]
        seconds = {job.name: fixed + scale * job.updates * per_update[job.name] for job in left}
        return makespan(jobs, seconds, room, done)

    low, high = 0.001, 3.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if takes(middle) <= budget else (low, middle)
    return round(low, 4)
