"""Translates documents on several machines with Ray Data: each row is a document, each actor a process."""

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
from anaphora.cli.batch.translating import Settings, load_model, translating
from anaphora.cli.outcome import FAILED, Outcome
from anaphora.cli.storage import place_of
from anaphora.core.errors import AnaphoraError, Message
from anaphora.system.locations import default_model, glossary, version

if TYPE_CHECKING:
    from ray import ObjectRef

MAX_ATTEMPTS = 3
"""Maximum number of attempts per document; an attempt fails if its machine leaves the cluster."""
_MAX_FAILED_STARTS = 5
"""The run ends if more than this number of processes fail to start in succession."""
_CONNECT_SECONDS = 10.0


class ClusterError(AnaphoraError):
    """Ray or its cluster is missing or unusable."""


@dataclass(frozen=True, slots=True)
class Shared:
    """Settings and files that each process gets from the machine that started the run.

    Attributes:
        help_files, model_files: the files in `settings.help_folder` and `settings.model` (contents by name),
            in Ray's object store; None if there is no folder, or if it is that of the app's own model.
    """

    settings: Settings
    version: str
    help_files: ObjectRef[dict[str, bytes]] | None
    model_files: ObjectRef[dict[str, bytes]] | None


class Cluster:
    """The processes of a Ray cluster, with the interface of a `Pool`."""

    def __init__(self, settings: Settings, address: str, size: int | None = None) -> None:
        """
        Args:
            address: "auto" to use this machine's cluster, "local" to start a cluster for this run only,
                or the host and port of a cluster.
            size: maximum number of processes; None for as many as the cores or GPUs allow.
        """
        self._settings = settings
        self._address = address
        self._size = size
        self._stack = ExitStack()

    def __enter__(self) -> Cluster:
        """Connect to the cluster; raises ClusterError if Ray or the cluster is missing."""
        # A cluster that is started here must not send usage reports.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # Ray also logs to its own files
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
        previous = signal.getsignal(signal.SIGTERM)
        try:
            _check_reachable(self._address)
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
        except RuntimeError as error:  # for example, another version of Ray or Python
            raise ClusterError(
                Message(
                    "The Ray cluster at “{address}” cannot be used: {reason}.",
                    address=self._address,
                    reason=" ".join(str(error).split()).rstrip("."),
                ),
                "Install the same versions of Python, Ray and Anaphora on each machine.",
            ) from error
        finally:
            signal.signal(signal.SIGTERM, previous)  # Ray sets its own handler, which exits at once
        self._stack.callback(ray.shutdown)
        # Ray prints lost machines and processes, but standard output is for results.
        self._stack.enter_context(redirect_stdout(sys.stderr))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def outcomes(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Outcome]]:
        """Translate documents in order, and yield each outcome once it is done; raises ClusterError."""
        if not jobs:
            return
        import ray
        from ray.exceptions import RayError

        unfinished = {job.name: job for job in jobs}
        counter = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=-1)(AttemptCounter).remote()
        _configure(ray.data.DataContext.get_current())
        rows = ray.data.from_items(list(map(_row_of, jobs)), override_num_blocks=len(jobs))
        max_size = min(self._size or len(jobs), len(jobs))  # Ray starts at most one process per core
        results = rows.map_batches(
            TranslatingActor,
            batch_size=1,
            batch_format="numpy",
            fn_constructor_args=(self._shared(), counter),
            compute=ray.data.ActorPoolStrategy(
                min_size=1,
                max_size=max_size,
                initial_size=min(self._process_count(ray.cluster_resources()), max_size),
                max_tasks_in_flight_per_actor=2,
            ),
            num_cpus=self._settings.threads or 1,
            num_gpus=1 if self._uses_gpus else 0,
        )
        try:
            for row in results.iter_rows():
                outcome = Outcome.from_plain(json.loads(row["outcome"]))
                # A document whose result was lost is translated again, and may be reported twice.
                if (job := unfinished.pop(outcome.name, None)) is not None:
                    yield job, outcome
        except RayError as error:
            reason = str(error).strip().splitlines()[-1]
            raise ClusterError(
                Message("The processes of the cluster cannot be used: {reason}.", reason=reason),
                "The same version of Anaphora must be installed on each machine.",
            ) from error
        for job in unfinished.values():
            yield job, Outcome(job.name, FAILED, _LOST_MESSAGE)

    @property
    def _uses_gpus(self) -> bool:
        return self._settings.device != "cpu"

    def _process_count(self, resources: Mapping[str, float]) -> int:
        available = resources.get("GPU", 0) if self._uses_gpus else resources.get("CPU", 0)
        return max(1, int(available / (1 if self._uses_gpus else self._settings.threads or 1)))

    def _shared(self) -> Shared:
        import ray

        folders = (self._settings.help_folder, self._settings.model)
        help_files, model_files = (
            None if folder is None or folder == default_model() else ray.put(_files_of(folder))
            for folder in folders
        )
        return Shared(self._settings, version(), help_files, model_files)


class AttemptCounter:
    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def count(self, name: str) -> int:
        self._counts[name] += 1
        return self._counts[name]


class TranslatingActor:
    def __init__(self, shared: Shared, counter: Any) -> None:
        """
        Args:
            counter: the Ray actor of an `AttemptCounter`, to limit the attempts. Without a limit, Ray Data
                would never give up on a document that crashes its process.
        """
        import ray

        self._counter = counter
        self._refusal = _refusal(shared.version)
        if self._refusal:
            return
        self._stack = ExitStack()
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="anaphora-")))
        settings, model = shared.settings, default_model()
        for name, files in (("help", shared.help_files), ("model", shared.model_files)):
            if files is not None:
                _write_files(ray.get(files), folder / name)
        if shared.help_files is not None:
            settings = replace(settings, help_folder=folder / "help")
        if shared.model_files is not None:
            model = folder / "model"
        if settings.dictionary is not None:
            pair = settings.pair
            settings = replace(
                settings, dictionary=glossary(pair.source_language.code, pair.target_language.code)
            )
        load = partial(load_model, model, settings.device, settings.threads or 1)
        self._outcome_of = self._stack.enter_context(translating(settings, load if settings.model else None))

    def __call__(self, row: Mapping[str, Sequence[Any]]) -> dict[str, list[str]]:
        """Translate a batch of one document; each column of the batch and of the result has one value."""
        import ray

        job = _job_of(row["job"][0])
        refusal = self._refusal
        if not refusal and ray.get(self._counter.count.remote(job.name)) > MAX_ATTEMPTS:
            refusal = _LOST_MESSAGE
        outcome = Outcome(job.name, FAILED, refusal) if refusal else self._outcome_of(job)
        return {"outcome": [json.dumps(asdict(outcome))]}

    def __del__(self) -> None:
        if not self._refusal:
            self._stack.close()


def _refusal(needed: str) -> str:
    if version() == needed:
        return ""
    return (
        f"A machine of the cluster has Anaphora {version()}, but the run was started with {needed}. "
        "Install the same version on all machines."
    )


def _row_of(job: Job) -> dict[str, str]:
    """Encode a document as JSON, which can also hold file names that are not valid UTF-8."""
    source, destination = (
        str(place.absolute()) if isinstance(place, Path) else place.address
        for place in (job.source, job.destination)
    )
    return {"job": json.dumps([job.name, source, destination, job.size, job.digest])}


def _job_of(text: str) -> Job:
    name, source, destination, size, digest = json.loads(text)
    return Job(name, place_of(source), place_of(destination), size, digest)


def _check_reachable(address: str) -> None:
    """Raise OSError if nothing answers at an address with a port; Ray itself would try for minutes."""
    host, _, port = address.rpartition("//")[2].rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_SECONDS).close()


def _configure(context: Any) -> None:
    """Configure Ray Data to continue after lost processes, and to print no progress."""
    context.max_errored_blocks = -1
    context.max_consecutive_actor_init_deaths = _MAX_FAILED_STARTS
    context.enable_progress_bars = False
    context.print_on_execution_start = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)


def _files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def _write_files(files: Mapping[str, bytes], folder: Path) -> None:
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)


_LOST_MESSAGE = (
    f"The processes that translated this document ended unexpectedly, {MAX_ATTEMPTS} times. Often there is "
    "too little memory: use fewer processes, or translate it alone."
)
