"""A folder whose writes are recorded or fail, by a library that is loaded before the C library."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int trace = -1, code; static long count, first = -1, times;
#define REAL(type, name, ...) type (*real)(__VA_ARGS__) = dlsym(RTLD_NEXT, #name)
void disk_fail(long from, long how_often, int error) {
    count = 0; first = from; times = how_often; code = error; }
static void note(char kind, const char *path, long long at, const void *data, size_t size) {
    REAL(ssize_t, write, int, const void *, size_t);
    char head[PATH_MAX + 64]; const char *file = getenv("DISK_TRACE");
    if (!file) return;
    if (trace < 0) trace = open(file, O_WRONLY | O_CREAT | O_APPEND, 0600);
    int length = snprintf(head, sizeof head, "%c %lld %zu %s\n", kind, at, size, path);
    real(trace, head, length);
    if (size) real(trace, data, size);
}
void disk_mark(long number) { note('M', "", number, 0, 0); }
static int here(const char *path) {
    const char *place = getenv("DISK"); return place && !strncmp(path, place, strlen(place)); }
static int of(int fd, char *path) {
    char link[64]; snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, PATH_MAX - 1);
    path[size < 0 ? 0 : size] = 0;
    return here(path);
}
static int fails(void) {
    long now = count++;
    if (first < 0 || now < first || now >= first + times) return 0;
    errno = code; return 1; }
ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at) {
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t); char path[PATH_MAX];
    if (!of(fd, path)) return real(fd, data, size, at);
    if (fails()) return -1;
    note('W', path, at, data, size); return real(fd, data, size, at); }
ssize_t write(int fd, const void *data, size_t size) {
    REAL(ssize_t, write, int, const void *, size_t); char path[PATH_MAX];
    if (fd < 3 || !of(fd, path)) return real(fd, data, size);
    if (fails()) return -1;
    note('W', path, lseek(fd, 0, SEEK_CUR), data, size); return real(fd, data, size); }
int ftruncate64(int fd, off64_t size) {
    REAL(int, ftruncate64, int, off64_t); char path[PATH_MAX];
    if (of(fd, path)) { if (fails()) return -1; note('T', path, size, 0, 0); }
    return real(fd, size); }
#define SYNC(name) int name(int fd) { REAL(int, name, int); char path[PATH_MAX]; \
    if (of(fd, path)) { if (fails()) return -1; note('S', path, 0, 0, 0); } return real(fd); }
SYNC(fsync)
SYNC(fdatasync)
int rename(const char *from, const char *to) {
    REAL(int, rename, const char *, const char *);
    if (here(to)) { if (fails()) return -1; note('R', from, 0, to, strlen(to)); }
    return real(from, to); }
int unlink(const char *path) {
    REAL(int, unlink, const char *); int done = real(path);
    if (!done && here(path)) note('U', path, 0, 0, 0);
    return done; }
static int opened(const char *path, int flags, mode_t mode) {
    REAL(int, open64, const char *, int, ...);
    int is_new = (flags & O_CREAT) && here(path) && access(path, F_OK);
    if (is_new && fails()) return -1;
    int fd = real(path, flags, mode);
    if (fd >= 0 && is_new) note('O', path, 0, 0, 0);
    return fd; }
#define OPEN(name) int name(const char *path, int flags, ...) { mode_t mode = 0; \
    if (flags & O_CREAT) { va_list rest; va_start(rest, flags); mode = va_arg(rest, int); va_end(rest); } \
    return opened(path, flags, mode); }
OPEN(open)
OPEN(open64)
"""


def build_shim(folder: Path) -> Path:
    """Build the library for LD_PRELOAD; the test is skipped without a compiler."""
    if not sys.platform.startswith("linux") or (compiler := shutil.which("cc")) is None:
        pytest.skip("no C compiler (Debian: gcc) for the recording library")
    (folder / "shim.c").write_text(SHIM)
    library = folder / "shim.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-w", "-o", library, folder / "shim.c", "-ldl"], check=True)
    return library


Step = tuple[str, int, str, bytes]
"""(kind, position or number, path, data)."""


def recorded(trace: bytes) -> list[Step]:
    steps: list[Step] = []
    at = 0
    while at < len(trace):
        end = trace.index(b"\n", at)
        kind, place, size, path = trace[at:end].decode().split(" ", 3)
        at = end + 1 + int(size)
        steps.append((kind, int(place), path, trace[end + 1 : at]))
    return steps


class Disk:
    """A disk's content after a power cut: synced writes, and any part of later ones."""

    def __init__(self) -> None:
        self._contents: dict[int, bytes] = {}
        self._names: dict[str, int] = {}
        self._synced_names: dict[str, int] = {}
        self._waiting: defaultdict[int, list[Step]] = defaultdict(list)
        self._names_waiting: list[dict[str, int]] = []

    def _renamed(self, names: dict[str, int]) -> None:
        self._names = names
        self._names_waiting.append(names)

    def _file(self, path: str) -> int:
        if path not in self._names:
            number = len(self._contents)
            self._contents[number] = b""
            self._renamed({**self._names, path: number})
        return self._names[path]

    def take(self, step: Step) -> None:
        kind, _, path, data = step
        if kind == "O":
            self._file(path)
        elif kind in "WT":
            self._waiting[self._file(path)].append(step)
        elif kind == "S":
            # Like ext4, syncing a file also syncs all earlier renames.
            if path in self._names:
                number = self._names[path]
                self._contents[number] = _written(self._contents[number], self._waiting.pop(number, []))
            self._synced_names, self._names_waiting = self._names, []
        elif kind == "R":
            others = {name: number for name, number in self._names.items() if name != path}
            self._renamed({**others, data.decode(): self._file(path)})
        elif kind == "U":
            self._renamed({name: number for name, number in self._names.items() if name != path})

    def after_loss(self, chance: random.Random) -> dict[str, bytes]:
        names = chance.choice([self._synced_names, *self._names_waiting])
        share = chance.choice((0.0, 0.3, 0.9, 1.0))
        torn = chance.random() < 0.5
        found = {}
        for path, number in names.items():
            kept: list[Step] = []
            for kind, at, _, data in self._waiting[number]:
                parts = range(0, len(data) or 1, 512 if torn else len(data) or 1)
                size = 512 if torn else len(data)
                kept += [
                    (kind, at + each, path, data[each : each + size])
                    for each in parts
                    if chance.random() < share
                ]
            found[path] = _written(self._contents[number], kept)
        return found


def _written(content: bytes, steps: list[Step]) -> bytes:
    changed = bytearray(content)
    for kind, at, _, data in steps:
        changed.extend(bytes(max(0, at - len(changed))))
        if kind == "W":
            changed[at : at + len(data)] = data
        else:
            del changed[at:]
    return bytes(changed)
