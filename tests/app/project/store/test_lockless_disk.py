"""Disks without locks (NFS without its daemon) and failing disks: each wait ends with a message."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int fails(int fd) {
    char link[64], path[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, path, sizeof path - 1) < 0 || !strstr(path, "/lockless/")) return 0;
    errno = atoi(getenv("LOCK_ERRNO"));
    return 1;
}
int flock(int fd, int operation) {
    int (*real)(int, int) = dlsym(RTLD_NEXT, "flock");
    return fails(fd) ? -1 : real(fd, operation);
}
static int control(const char *name, int fd, int command, void *argument) {
    int (*real)(int, int, ...) = dlsym(RTLD_NEXT, name);
    int locks = command == F_SETLK || command == F_SETLKW || command == F_GETLK;
    return locks && fails(fd) ? -1 : real(fd, command, argument);
}
#define CONTROL(name) int name(int fd, int command, ...) { \
    va_list rest; va_start(rest, command); void *argument = va_arg(rest, void *); va_end(rest); \
    return control(#name, fd, command, argument); }
CONTROL(fcntl)
CONTROL(fcntl64)
"""
PROGRAM = """
import shutil, sys
from pathlib import Path
from anaphora.core.errors import AnaphoraError
from anaphora.core.segment import Segment
from anaphora.core.document import SourceDocument
from anaphora.project.changes import copy_to_data_folder, save_as
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.terms.table import TermFile
from anaphora.system import database_file

place = Path(sys.argv[1])
source = SourceDocument("a.txt", place / "a.txt", "txt", "utf-8", b"x", (Segment("s0", "账本。"),))
kept = ProjectStore.create(place / "kept.anaphora", source)

def attempt(work):
    try:
        print("done", work())
    except AnaphoraError as error:
        print(type(error).__name__, error)

attempt(lambda: ProjectStore.create(place / "lockless" / "new.anaphora", source))
attempt(lambda: save_as(kept, place / "lockless" / "copy.anaphora"))
kept.close()
there = Path(shutil.copy(kept.path, place / "lockless" / "there.anaphora"))
attempt(lambda: ProjectStore.open(there))
attempt(lambda: ProjectStore.open(copy_to_data_folder(there, "there")).documents()[0].name)
database_file.BUSY_SECONDS = 0.1
with TermFile.open(place / "kept.terms").writing():
    pass
terms = Path(shutil.copy(place / "kept.terms", place / "lockless" / "there.terms"))
attempt(lambda: TermFile.open(terms))
print([path.name for path in place.glob("lockless/*.anaphora")])
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not sys.platform.startswith("linux") or (compiler := shutil.which("cc")) is None:
        pytest.skip("no C compiler (Debian: gcc) to make a disk without locks with")
    place = tmp_path_factory.mktemp("shim")
    (place / "shim.c").write_text(SHIM)
    library = place / "shim.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-w", "-o", library, place / "shim.c", "-ldl"], check=True)
    return library


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EIO])
def test_a_disk_without_locks_is_reported_and_a_copy_can_be_edited(
    shim: Path, tmp_path: Path, code: int
) -> None:
    (tmp_path / "lockless").mkdir()
    environment = os.environ | {"LD_PRELOAD": str(shim), "LOCK_ERRNO": str(code)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    created, saved, opened, copied, terms, left = done.stdout.splitlines()
    assert "another window" not in done.stdout.lower() and "Another Anaphora window" not in done.stdout
    assert terms.startswith("TermBaseError"), terms
    if code == errno.ENOLCK:
        assert all(each.startswith("ReadOnlyProjectError") for each in (created, saved, opened)), done.stdout
        assert "its disk does not support file locks" in terms
        assert copied == "done a.txt" and "new.anaphora" not in left
    else:
        assert all(each.startswith("ProjectError") for each in (created, saved, opened)), done.stdout
