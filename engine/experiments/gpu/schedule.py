"""Which systems `python -m experiments.gpu` trains, in which order and how many at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Job:
    """A system to train and translate with; `needs` names those that must be done before."""

    name: str
    needs: tuple[str, ...]


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
        of_status = {0: (self.done, "done"), 3: (self.late, "out of time")}
        ended, said = of_status.get(status, (self.failed, "FAILED"))
        ended.add(name)
        print(f"end {name}: {said}", flush=True)

    def ready(self) -> list[Job]:
        known = self.running.keys() | self.done | self.failed | self.late
        free = [job for job in self.jobs if job.name not in known and set(job.needs) <= self.done]
        return free[: max(0, self.room - len(self.running))]


def jobs_of(names: Sequence[str], more: Path | None = None) -> list[Job]:
    """The systems and what they start from or are compared with, in an order that keeps the GPU busy."""
    from anaphora_nmt.training.configuration import in_order
    from experiments.systems import load_systems

    systems = load_systems(more)
    order = in_order(systems, names)
    jobs = []
    for name in order:
        initial = systems[name].initial
        jobs.append(Job(name, (initial,) if initial in order else ()))
    waited_for = {name: sum(name in job.needs for job in jobs) for name in order}
    return sorted(jobs, key=lambda job: (bool(job.needs), -waited_for[job.name]))
