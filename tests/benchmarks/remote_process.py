"""A forked process that carries out requests, and can be killed in the midst of one."""

from __future__ import annotations

import os
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any

PATIENCE = 120.0
"""Seconds in which an answer has to come."""


class Remote:
    """A forked process that carries out one request after the other."""

    def __init__(self, serve: Callable[[Connection], None], others: Iterator[int] = iter(())) -> None:
        self.connection, theirs = Pipe()
        self.process = os.fork()
        if self.process == 0:
            self.connection.close()
            try:
                for each in others:
                    os.close(each)
                with suppress(EOFError):  # whoever asks is gone
                    serve(theirs)
            except BaseException:
                with suppress(OSError):
                    theirs.send(("failure", traceback.format_exc()))
            finally:
                os._exit(0)
        theirs.close()

    def begin(self, *request: object) -> None:
        """Send a request."""
        self.connection.send(request)

    def end(self) -> Any:
        """Its answer.

        Raises:
            RuntimeError: it has failed, or does not answer.
        """
        if not self.connection.poll(PATIENCE):
            raise RuntimeError("no answer")
        kind, answer = self.connection.recv()
        if kind == "failure":
            raise RuntimeError(answer)
        return answer

    def ask(self, *request: object) -> Any:
        """Send a request and wait for its answer."""
        self.begin(*request)
        return self.end()

    def kill(self) -> list[Any]:
        """Kill it; returns what it had still answered."""
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        answers = []
        with suppress(EOFError, OSError):
            while self.connection.poll(0):
                answers.append(self.connection.recv()[1])
        self.connection.close()
        return answers
