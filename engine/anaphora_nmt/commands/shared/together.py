"""Commands that several processes run as one: those of torchrun, or of `--processes` on this machine."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable

from anaphora_nmt.errors import AnaphoraNmtError, ConfigError

_PATIENCE = 2.0
"""Seconds that other processes than the first leave it to say what is wrong."""
Command = Callable[[argparse.Namespace], int]


def add_processes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--processes", type=int, default=1, help="that work together on this machine (several: torchrun)"
    )


def run_together(command: Command, arguments: argparse.Namespace) -> int:
    """Run a command in as many processes as `--processes` asks for, or as one of those that torchrun started.

    Each of them runs it wholly, and joins the others with `World.join`. The exit status is that of the first,
    or of one that failed. ConfigError: `--processes` under torchrun.
    """
    if arguments.processes <= 1:
        return _one(command, arguments)
    if int(os.environ.get("WORLD_SIZE", "1")) > 1:
        raise ConfigError("torchrun starts the processes (--nproc-per-node); leave --processes out")
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    config = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=arguments.processes,
        rdzv_backend="c10d",
        rdzv_endpoint="localhost:0",
        run_id=f"anaphora-{os.getpid()}",
        max_restarts=0,
        monitor_interval=0.2,
        signals_to_handle="SIGTERM",  # of the others Python makes exceptions
    )
    try:
        return int(elastic_launch(config, _member)(command, arguments)[0])
    except ChildFailedError as error:
        return int(error.get_first_failure()[1].exitcode) or 1


def _member(command: Command, arguments: argparse.Namespace) -> int:
    """One of `--processes`; what is expected to go wrong is one line, without the traceback of a failure."""
    arguments.processes = 1
    try:
        return _one(command, arguments)
    except AnaphoraNmtError as error:
        print(f"anaphora-nmt: {error}", file=sys.stderr, flush=True)
        os._exit(2)
    except KeyboardInterrupt:
        os._exit(130)


def _one(command: Command, arguments: argparse.Namespace) -> int:
    from anaphora_nmt.training.world import World

    try:
        status = command(arguments)
    except AnaphoraNmtError:
        if int(os.environ.get("RANK", "0")):
            time.sleep(_PATIENCE)  # where the first has the same error, it says it and ends the others
        raise
    World.join().leave()
    return status
