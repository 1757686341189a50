"""Many machines that translate side by side, by Ray Data: one row a document, an actor a process."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, redirect_stdout
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anaphora.cli.batch.plan import Job
from anaphora.cli.batch.translating import Settings, at_work, load_model
from anaphora.cli.outcome import FAILED, Outcome
from anaphora.cli.storage import place_of
from anaphora.core.errors import AnaphoraError, Message
from anaphora.system.shipped import default_model, glossary, version

if TYPE_CHECKING:
    from ray import ObjectRef

ATTEMPTS = 3
"""Attempts at a document: a process mostly ends because its machine was taken away."""
_FAILED_STARTS = 5
"""The run is given up after this many processes in a row end before they have their model."""
_REACHED_SECONDS = 10.0


class ClusterError(AnaphoraError):
    """Ray or its cluster is missing or cannot do the work."""


@dataclass(frozen=True, slots=True)
class Carried:
    """Files and settings that processes on other machines need from the first machine.

    Attributes:
        help_files, model_files: the files of each folder, in the cluster's memory; None if there is
            none, or it comes with the app.
    """

    settings: Settings
    version: str
    help_files: ObjectRef[dict[str, bytes]] | None
    model_files: ObjectRef[dict[str, bytes]] | None


class Cluster:
    """The processes of a Ray cluster; used like a `Pool`."""

    def __init__(self, settings: Settings, address: str, size: int | None = None) -> None:
        """
        Args:
            address: "auto", the cluster that this machine belongs to; "local", one that lasts as long as the
                run; or host and port.
            size: how many processes at most; None: as many as there are cores, or GPUs.
        """
        self._settings = settings
        self._address = address
        self._size = size
        self._held = ExitStack()

    def __enter__(self) -> Cluster:
        """Connect to the cluster; ClusterError: Ray or the cluster is missing."""
        # Nothing leaves the machines: a cluster that is begun here would report that it is used.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # what it logs stands in its own files
        try:
            import ray
            import ray.data
        except ImportError as error:
            raise ClusterError(
                Message(
                    "Ray, which is needed to use several machines, is not installed: {reason}.", reason=error
                ),
                "Install anaphora[cluster] on each machine. Ray supports Linux and macOS, but not "
                "every version of Python.",
            ) from error
        before = signal.getsignal(signal.SIGTERM)
        try:
            _try_to_reach(self._address)
            ray.init(
                self._address,
                include_dashboard=None if self._address != "local" else False,
                log_to_driver=False,
                logging_level=logging.ERROR,
            )
        except (OSError, ValueError) as error:
            raise ClusterError(
                Message(
                    "No Ray cluster was found at “{address}”: {reason}.",
                    address=self._address,
                    reason=str(error).rstrip("."),
                ),
                "Start one with `ray start --head`, or use “local” to start one for this run only.",
            ) from error
        except RuntimeError as error:  # it has another version of Ray or Python, for one
            raise ClusterError(
                Message(
                    "The Ray cluster at “{address}” cannot be used: {reason}.",
                    address=self._address,
                    reason=" ".join(str(error).split()).rstrip("."),
                ),
                "Install the same versions of Python, Ray and Anaphora on each machine.",
            ) from error
        finally:
            signal.signal(signal.SIGTERM, before)  # Ray takes it, to end at once
        self._held.callback(ray.shutdown)
        # Ray prints which machines and processes it has lost; what is printed there is for results.
        self._held.enter_context(redirect_stdout(sys.stderr))
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Outcome]]:
        """Translate documents, begun in this order as processes become free; each as soon as it is done.
        ClusterError: the processes cannot be started."""
        if not jobs:
            return
        import ray
        from ray.exceptions import RayError

        waiting = {job.name: job for job in jobs}
        begun = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(Beginnings).remote()
        _set_up(ray.data.DataContext.get_current())
        rows = ray.data.from_items(list(map(_row_of, jobs)), override_num_blocks=len(jobs))
        most = min(self._size or len(jobs), len(jobs))  # Ray starts no more than there are cores for
        done = rows.map_batches(
            TranslatingActor,
            batch_size=1,
            batch_format="numpy",
            fn_constructor_args=(self._carried(), begun),
            compute=ray.data.ActorPoolStrategy(
                min_size=1,
                max_size=most,
                initial_size=min(self._fitting(ray.cluster_resources()), most),
                max_tasks_in_flight_per_actor=2,
            ),
            num_cpus=self._settings.threads or 1,
            num_gpus=1 if self._uses_gpus else 0,
        )
        try:
            for row in done.iter_rows():
                outcome = Outcome.from_plain(json.loads(row["outcome"]))
                # If the answer was lost with its machine, the document is translated and reported again.
                if (job := waiting.pop(outcome.name, None)) is not None:
                    yield job, outcome
        except RayError as error:
            reason = str(error).strip().splitlines()[-1]
            raise ClusterError(
                Message("The processes of the cluster cannot be used: {reason}.", reason=reason),
                "The same version of Anaphora must be installed on each machine.",
            ) from error
        for job in waiting.values():
            yield job, Outcome(job.name, FAILED, _LOST)

    @property
    def _uses_gpus(self) -> bool:
        return self._settings.device != "cpu"

    def _fitting(self, resources: Mapping[str, float]) -> int:
        has = resources.get("GPU", 0) if self._uses_gpus else resources.get("CPU", 0)
        return max(1, int(has / (1 if self._uses_gpus else self._settings.threads or 1)))

    def _carried(self) -> Carried:
        import ray

        folders = (self._settings.help_folder, self._settings.model)
        help_files, model_files = (
            None if folder is None or folder == default_model() else ray.put(_files_of(folder))
            for folder in folders
        )
        return Carried(self._settings, version(), help_files, model_files)


class Beginnings:
    """Counts how often each document has been begun; one for all processes of a run."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def begin(self, name: str) -> int:
        self._counts[name] += 1
        return self._counts[name]


class TranslatingActor:
    """One process of a cluster: it translates the documents of the rows that it is given."""

    def __init__(self, carried: Carried, begun: Any) -> None:
        """
        Args:
            begun: the actor of `Beginnings`; Ray Data itself would begin one for ever that ends its process.
        """
        import ray

        self._begun = begun
        self._refusal = _refusal(carried.version)
        if self._refusal:
            return
        self._held = ExitStack()
        folder = Path(self._held.enter_context(tempfile.TemporaryDirectory(prefix="anaphora-")))
        settings, model = carried.settings, default_model()
        for name, files in (("help", carried.help_files), ("model", carried.model_files)):
            if files is not None:
                _lay_out(ray.get(files), folder / name)
        if carried.help_files is not None:
            settings = replace(settings, help_folder=folder / "help")
        if carried.model_files is not None:
            model = folder / "model"
        if settings.dictionary is not None:
            pair = settings.pair
            settings = replace(
                settings, dictionary=glossary(pair.source_language.code, pair.target_language.code)
            )
        load = partial(load_model, model, settings.device, settings.threads or 1)
        self._outcome_of = self._held.enter_context(at_work(settings, load if settings.model else None))

    def __call__(self, row: Mapping[str, Sequence[Any]]) -> dict[str, list[str]]:
        """Translate the document of a row, in columns of one value each."""
        import ray

        job = _job_of(row["job"][0])
        refusal = self._refusal
        if not refusal and ray.get(self._begun.begin.remote(job.name)) > ATTEMPTS:
            refusal = _LOST
        outcome = Outcome(job.name, FAILED, refusal) if refusal else self._outcome_of(job)
        return {"outcome": [json.dumps(asdict(outcome))]}

    def __del__(self) -> None:
        if not self._refusal:
            self._held.close()


def _refusal(wanted: str) -> str:
    """Why this machine cannot take part; empty if it can."""
    if version() == wanted:
        return ""
    return (
        f"A machine of the cluster has Anaphora {version()}, the run was begun by {wanted}: install the same."
    )


def _row_of(job: Job) -> dict[str, str]:
    """A document, with paths that mean the same in every folder; as JSON, since names need not be text."""
    source, destination = (
        str(place.absolute()) if isinstance(place, Path) else place.address
        for place in (job.source, job.destination)
    )
    return {"job": json.dumps([job.name, source, destination, job.size, job.digest])}


def _job_of(text: str) -> Job:
    name, source, destination, size, digest = json.loads(text)
    return Job(name, place_of(source), place_of(destination), size, digest)


def _try_to_reach(address: str) -> None:
    """Connect to host and port, where an address has them: Ray itself tries for minutes.
    OSError: no answer."""
    host, _, port = address.rpartition("//")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_REACHED_SECONDS).close()


def _set_up(context: Any) -> None:
    """Let Ray Data continue after a lost process, without printing its progress."""
    context.max_errored_blocks = -1
    context.max_consecutive_actor_init_deaths = _FAILED_STARTS
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)


def _files_of(folder: Path) -> dict[str, bytes]:
    """The files of a folder by name, without those of its subfolders."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def _lay_out(files: Mapping[str, bytes], folder: Path) -> None:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)


_LOST = (
    f"The processes that translated it ended unexpectedly, {ATTEMPTS} times. Often there is too little "
    "memory: use fewer processes, or translate it alone."
)
