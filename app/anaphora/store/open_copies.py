"""A copy of a project that another process has open, to be read while that goes on working."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from anaphora.core.open_files import refuse_open_file
from anaphora.core.project import ProjectInUseError
from anaphora.store.files import cannot_write
from anaphora.store.log_file import has_log, log_of

_ATTEMPTS = 40
_PAUSE = 0.05
_SETTLED = 0.02
"""Seconds since the file was written, after which another write would have another time."""
_SALTS = slice(16, 24)
"""The salts in the log's header: every log that is begun anew has others."""


@contextmanager
def copy_of_open(project: Path, busy: ProjectInUseError) -> Iterator[Path]:
    """A copy of a project and its log, as they stood together at one moment; gone afterwards.

    Who works on it holds sqlite's lock as well as the project's, so that sqlite cannot read it. The file
    itself changes only when the log is folded in, and each entry of the log has a checksum: what was copied
    while neither began anew is whole up to the last transaction.

    Args:
        busy: raised again if the file does not come to rest.
    Raises:
        ProjectError: it is open in this process, whose locks would be lost; or there is no room for a copy.
    """
    refuse_open_file(project)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / project.name
        try:
            for _ in range(_ATTEMPTS):
                before = _mark(project)
                if before is not None:
                    _copy(project, copy)
                    if _mark(project) == before:
                        break
                time.sleep(_PAUSE)
            else:
                raise busy
        except OSError as error:
            raise cannot_write(project, error) from error
        yield copy


def _copy(project: Path, copy: Path) -> None:
    shutil.copyfile(project, copy)
    log_of(copy).unlink(missing_ok=True)
    if has_log(project):
        shutil.copyfile(log_of(project), log_of(copy))


def _mark(project: Path) -> tuple[int, int, bytes] | None:
    """What changes when the log is folded into the file, or begun anew; None while that may be going on."""
    stat = project.stat()
    if abs(time.time() - stat.st_mtime) < _SETTLED:
        return None
    salts = b""
    if has_log(project):
        with suppress(FileNotFoundError), log_of(project).open("rb") as log:
            salts = log.read(_SALTS.stop)[_SALTS]
    return stat.st_size, stat.st_mtime_ns, salts
