"""Wrong lengths, shapes and numbers for the native library, built with the address and undefined sanitizers.

    python tests/benchmarks/fuzz_native.py [--rounds 2000] [--seed 1]

Builds the library with -fsanitize=address,undefined and calls its functions with arrays that are exactly as
long as they have to be, and with sizes, numbers and pointers that are right, or wrong in one place. What is
wrong has to be refused; a sanitizer ends the process with its report where anything else is touched.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from fuzz_calls import CASES, expect, floats, whole
from fuzz_native_search import SearchCall

from anaphora_nmt.native.build import build

FLAGS = ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g")


class Fuzzer:
    """Calls of one round, on stacks of random shape."""

    def __init__(self, path: Path, values: random.Random) -> None:
        from anaphora_nmt.native.library import tables

        self.values = values
        self.table = values.choice(list(tables(path)))
        self.library = self.table.functions

    def product(self) -> None:
        """One product of any shape."""
        values = self.values
        out, given, rows = (values.randint(1, 90) for _ in range(3))
        arrays = [floats(values, size) for size in (out * given, out, rows * given, rows * out)]
        pointers = [ctypes.cast(array, ctypes.c_void_p) for array in arrays]
        wrong = values.randrange(CASES)
        if wrong < 4:
            pointers[wrong] = ctypes.c_void_p()
        sizes = [out, given, rows]
        if wrong in (4, 5, 6):
            sizes[wrong - 4] = values.choice([0, -1, -(2**31), 2**31 - 1])
        number = values.choice([-1, 99, 2**31 - 1]) if wrong == 7 else self.table.number
        status = self.library.product(
            number,
            *pointers[:2],
            sizes[0],
            sizes[1],
            values.randint(0, 1),
            pointers[2],
            sizes[2],
            pointers[3],
        )
        expect(status, wrong < 8 and not (wrong == 6 and sizes[2] == 0))

    def largest(self) -> None:
        """The largest of some values, infinities and what is no number among them."""
        values = self.values
        rows, columns = values.randint(1, 4), values.randint(1, 400)
        count = values.randint(1, columns)
        given = floats(values, rows * columns)
        for _ in range(values.randint(0, 5)):
            given[values.randrange(len(given))] = values.choice([float("inf"), float("-inf"), float("nan")])
        found, places = floats(values, rows * count), whole(values, rows * count, 0, 0, ctypes.c_int32)
        wrong = values.randrange(CASES)
        sizes = [rows, columns, count]
        if wrong < 3:
            sizes[wrong] = values.choice([0, -1, -(2**31)])
        elif wrong == 3:
            sizes[2] = columns + 1
        status = self.library.largest(self.table.number, given, *sizes, found, places)
        expect(status, wrong < 4)

    def reading(self) -> None:
        """A reading of slots by some hypotheses, and what it makes of their distributions."""
        from anaphora_nmt.native.slots import _Reading

        values = self.values
        count, rows, pieces = values.randint(1, 40), values.randint(1, 7), values.randint(1, 50)
        width, context = 16 * values.randint(1, 3), 16 * values.randint(1, 3)
        slots, kept = self.slots(count, width, context, pieces)
        deep = values.random() < 0.6
        if not deep:
            slots.values = slots.still = None
        found = {
            "previous": whole(values, rows, 0, 4),
            "state": floats(values, rows * width),
            "context": floats(values, rows * context),
            "shares": floats(values, rows * count),
            "weight": floats(values, rows),
        }
        if deep:
            found["shift"] = floats(values, rows * width)
        given, any_near = _Reading(rows), ctypes.c_int()
        for name, array in found.items():
            setattr(given, name, ctypes.addressof(array))
        wrong = values.randrange(CASES)
        if wrong == 0:
            name = values.choice(["count", "width", "context", "key_width"])
            # fewer slots than there are would be no mistake, and of a few more nobody could tell
            setattr(slots, name, values.choice([0, -1, 2**31 - 1] + [17] * (name != "count")))
        elif wrong == 1:
            setattr(slots, values.choice(["keys", "steps", "pieces", "before"]), None)
        elif wrong == 2:
            setattr(given, values.choice(["previous", "state", "context", "shares", "weight"]), None)
        elif wrong == 3:
            given.rows = values.choice([0, -1, 2**31 - 1])
        elif wrong == 4:
            slots.temperature = values.choice([0.0, -1.0, float("nan")])
        elif wrong == 5 and deep:
            values.choice([lambda: setattr(given, "shift", None), lambda: setattr(slots, "deep_steps", 0)])()
        is_wrong = wrong < 5 or (wrong == 5 and deep)
        where = ctypes.byref(slots), ctypes.byref(given), ctypes.byref(any_near)
        expect(self.library.read(self.table.number, *where), is_wrong)
        if not is_wrong:
            self._blend(rows, pieces, count, found, kept)

    def _blend(self, rows: int, pieces: int, count: int, found: dict, kept: dict) -> None:
        values = self.values
        given = floats(values, rows * pieces)
        word_pieces = (ctypes.c_float * pieces)(*(values.randint(0, 1) for _ in range(pieces)))
        out, wrong = floats(values, rows * pieces), values.randrange(CASES)
        sizes, slots = [rows, pieces, count], kept["pieces"]
        if wrong < 3:
            sizes[wrong] = values.choice([0, -1, -(2**31)])
        elif wrong == 3:
            slots = whole(values, count, 0, pieces - 1)
            slots[count - 1] = values.choice([-1, pieces, 2**62])
        status = self.library.blend(
            self.table.number,
            given,
            sizes[0],
            sizes[1],
            found["weight"],
            word_pieces,
            found["shares"],
            slots,
            kept["before"],
            sizes[2],
            out,
        )
        expect(status, wrong < 4)

    def slots(self, count: int, width: int, context: int, pieces: int):
        """Slots with all that they may have; the keys exactly as long as whole groups of them."""
        from anaphora_nmt.native.slots import GivenSlots

        values, key_width = self.values, self.values.choice([width, width + context])

        def halves(size: int) -> ctypes.Array:
            return whole(values, size, 0, 0x3C00, ctypes.c_uint16)  # 0 to 1

        kept = {
            "keys": halves(-(-count // 16) * 16 * key_width),
            "steps": halves(count * (width + context)),
            "pieces": whole(values, count, 0, pieces - 1),
            "before": whole(values, count, -2, 4),
            "log_weights": floats(values, count),
            "values": halves(count * width),
            "still": whole(values, count, 0, 1, ctypes.c_uint8),
        }
        given = GivenSlots(count, width, context, key_width)
        for name, array in kept.items():
            setattr(given, name, ctypes.addressof(array))
        if values.random() < 0.3:
            given.log_weights = given.still = None
        given.temperature, given.deep_temperature, given.threshold = 0.1, 0.1, values.choice([-1e9, 0.3, 1e9])
        given.deep_strength, given.deep_steps = 1.0, values.choice([1, 16, 64, 500])
        self.slots_kept = kept
        return given, kept

    def stacks(self) -> None:
        """An encoder or a decoder, with steps, whole targets and all."""
        values = self.values
        decodes = values.random() < 0.7
        stack, shape = self._stack(decodes)
        if stack is None:
            return
        (self._decode if decodes else self._encode)(stack, shape)
        self.library.stack_free(stack)

    def _stack(self, decodes: bool):
        from anaphora_nmt.native.stack import Shape

        values = self.values
        heads, size = values.randint(1, 3), 16 * values.randint(1, 2)
        width, inner = heads * size, 16 * values.randint(1, 4)
        source = 16 * values.randint(1, 3) if decodes else 0
        layers, pieces, positions = values.randint(1, 3), values.randint(1, 60), values.randint(1, 9)
        shape = Shape(layers, width, heads, inner, source, pieces, positions)
        shape.activation, shape.norm_before = values.randint(0, 4), values.randint(0, 1)
        shape.recurrent = int(decodes and values.random() < 0.3)
        shape.shows_mean, shape.aligning = values.randint(0, 1), values.randrange(layers)
        shape.epsilon, shape.scale = 1e-5, 2.0
        broken = values.randrange(40)
        names = [field[0] for field in Shape._fields_ if field[1] is ctypes.c_int]
        if broken < len(names) and names[broken] not in ("norm_before", "recurrent", "shows_mean"):
            setattr(shape, names[broken], values.choice([-1, -(2**31), 2**31 - 1, 17]))
        handle = ctypes.c_void_p()
        status = self.library.stack_new(ctypes.byref(shape), self.table.number, ctypes.byref(handle))
        if status or broken < len(names):
            if not status:
                self.library.stack_free(handle)
            return None, shape
        self._fill(handle, shape, decodes)
        return handle, shape

    def _fill(self, stack: ctypes.c_void_p, shape, decodes: bool) -> None:
        values, width, library = self.values, shape.width, self.library
        parts = 2 if shape.recurrent else 3
        sizes = [(parts * width, width), (width, width), (width, width), (2 * width, shape.source_width)]
        sizes += [(width, width), (shape.feed_forward, width), (width, shape.feed_forward)]
        for layer in range(shape.layers):
            for place, (out, given) in enumerate(sizes):
                if place in (2, 3, 4) and not decodes:
                    continue
                weight, bias = floats(values, out * given), floats(values, out)
                expect(library.stack_product(stack, layer, place, weight, bias, out, given + 1, 0), True)
                expect(library.stack_product(stack, layer, place, weight, bias, out, given, layer % 2), False)
            for place in range(3):
                one = floats(values, width)
                expect(library.stack_norm(stack, layer, place, one, one, width), False)
        expect(library.stack_product(stack, shape.layers, 0, None, None, 1, 1, 0), True)
        last = floats(values, width)
        expect(library.stack_norm(stack, -1, 0, last, last, width), False)
        if decodes:
            self.kept = floats(values, shape.pieces * width), floats(values, shape.positions * width)
            count = shape.pieces, shape.positions
            expect(library.stack_tables(stack, self.kept[0], count[0], self.kept[1], count[1]), False)
            bias = floats(values, shape.pieces)
            expect(library.stack_product(stack, -1, 0, self.kept[0], bias, shape.pieces, width, 0), False)
        expect(0 if library.stack_complete(stack) else 2, False)

    def _encode(self, stack: ctypes.c_void_p, shape) -> None:
        from anaphora_nmt.native.calls import CANCELLED_TYPE

        values = self.values
        sentences, longest = values.randint(1, 3), values.randint(1, 20)
        states = floats(values, sentences * longest * shape.width)
        lengths = whole(values, sentences, 0, longest, ctypes.c_int32)
        first = values.randint(0, shape.layers)
        given = [sentences, longest, first, values.randint(first, shape.layers)]
        wrong = values.randrange(CASES)
        if wrong == 0:
            lengths[0] = values.choice([-1, longest + 1, 2**31 - 1])
        elif wrong <= 4:
            given[wrong - 1] = values.choice([-1, -(2**31), 2**31 - 1])
        expect(self.library.encode(stack, states, lengths, *given, CANCELLED_TYPE()), wrong <= 4)
        expect(self.library.last_norm(stack, states, sentences * longest), False)

    def _decode(self, stack: ctypes.c_void_p, shape) -> None:
        from anaphora_nmt.native.calls import CANCELLED_TYPE

        values, library, width, never = self.values, self.library, shape.width, CANCELLED_TYPE()
        tokens, group, sentences = values.randint(1, 40), values.randint(1, 6), values.randint(1, 2)
        size, padded = library.source_floats(stack, tokens), -(-tokens // 16) * 16
        source = floats(values, size * sentences)
        annotations = floats(values, tokens * shape.source_width)
        expect(library.read_source(stack, annotations, tokens, source, size, never), False)
        expect(library.read_source(stack, annotations, tokens, source, size - 1, never), True)
        bias = (ctypes.c_float * (padded * sentences))(
            *(0.0 if at % padded < tokens else float("-inf") for at in range(padded * sentences))
        )
        rows = group * sentences
        self._step(stack, shape, (rows, group, tokens), (source, bias))
        length = values.randint(1, shape.positions)
        self._force(stack, shape, (length, tokens), (source, bias))
        SearchCall(self, stack, shape, (sentences, tokens), (source, bias)).run()
        states = floats(values, rows * width)
        out = floats(values, rows * shape.pieces)
        expect(library.log_probs(stack, None, states, rows, out, never), False)
        expect(library.log_probs(stack, None, states, -1, out, never), True)
        outputs, pieces = self.outputs(stack, shape)
        some = floats(values, rows * len(pieces))
        expect(library.log_probs(stack, outputs, states, rows, some, never), False)
        library.outputs_free(outputs)

    def outputs(self, stack, shape) -> tuple[ctypes.c_void_p, list[int]]:
        """The output layer of some pieces, once it was refused for pieces that there are not."""
        values, handle = self.values, ctypes.c_void_p()
        pieces = sorted(values.sample(range(shape.pieces), values.randint(1, shape.pieces)))
        given = (ctypes.c_int32 * len(pieces))(*pieces)
        given[values.randrange(len(pieces))] = values.choice([-1, shape.pieces, 2**31 - 1, -(2**31)])
        expect(self.library.outputs_new(stack, given, len(pieces), ctypes.byref(handle)), True)
        given = (ctypes.c_int32 * len(pieces))(*pieces)
        wrong = values.choice([0, -1, shape.pieces + 1, 2**31 - 1])
        expect(self.library.outputs_new(stack, given, wrong, ctypes.byref(handle)), True)
        expect(self.library.outputs_new(stack, given, len(pieces), ctypes.byref(handle)), False)
        return handle, pieces

    def _step(self, stack, shape, sizes, read) -> None:
        from anaphora_nmt.native.calls import CANCELLED_TYPE
        from anaphora_nmt.native.stack import _Step

        values, (rows, group, tokens), width = self.values, sizes, shape.width
        position = values.randrange(shape.positions)
        first = rows * position
        capacity = first + rows + values.randint(0, 3)
        kept = {
            "previous": whole(values, rows, 0, shape.pieces - 1),
            "cache": floats(values, shape.layers * capacity * 2 * width),
            "entries": whole(values, rows * (position + 1), 0, max(first - 1, 0), ctypes.c_int32),
            "source": read[0],
            "bias": read[1],
            "cells": floats(values, rows * shape.layers * width),
            **{name: floats(values, rows * width) for name in ("state", "context", "embedding")},
            "shown": floats(values, rows * tokens),
        }
        for row in range(rows):
            kept["entries"][row * (position + 1) + position] = first + row
        given = _Step(
            rows=rows, group=group, position=position, tokens=tokens, capacity=capacity, first=first
        )
        for name, array in kept.items():
            setattr(given, name, ctypes.addressof(array))
        wrong = values.randrange(CASES)
        if wrong == 0:
            kept["previous"][rows - 1] = values.choice([-1, shape.pieces, 2**62, -(2**63)])
        elif wrong == 1 and not shape.recurrent:
            at = values.randrange(len(kept["entries"]))
            kept["entries"][at] = values.choice([-1, first + rows, 2**31 - 1])
        elif wrong == 2:
            setattr(given, values.choice(["previous", "source", "bias", "state", "shown"]), None)
        elif wrong == 3:
            setattr(
                given,
                values.choice(["rows", "group", "position", "tokens"]),
                values.choice([0, -1, 2**31 - 1]),
            )
            given.position = given.position or -1
        elif wrong == 4 and not shape.recurrent:
            given.capacity = values.choice([0, first, 2**63])
        is_wrong = wrong in (0, 2, 3) or (wrong in (1, 4) and not shape.recurrent)
        expect(self.library.step(stack, ctypes.byref(given), CANCELLED_TYPE()), is_wrong)

    def _force(self, stack, shape, sizes, read) -> None:
        from anaphora_nmt.native.calls import CANCELLED_TYPE
        from anaphora_nmt.native.stack import _Forced

        values, (length, tokens), width = self.values, sizes, shape.width
        kept = {
            "previous": whole(values, length, 0, shape.pieces - 1),
            "source": read[0],
            "bias": read[1],
            **{name: floats(values, length * width) for name in ("state", "context", "embedding")},
            "shown": floats(values, length * tokens),
        }
        given = _Forced(rows=length, tokens=tokens)
        for name, array in kept.items():
            setattr(given, name, ctypes.addressof(array))
        wrong = values.randrange(CASES)
        if wrong == 0:
            kept["previous"][0] = shape.pieces
        elif wrong == 1:
            given.rows = values.choice([0, -1, shape.positions + 1, 2**31 - 1])
        elif wrong == 2:
            given.tokens = values.choice([0, -1, 2**31 - 1])
        expect(self.library.force(stack, ctypes.byref(given), CANCELLED_TYPE()), wrong <= 2)


def work(path: Path, rounds: int, seed: int) -> None:
    """All rounds, in the process that has the sanitizers."""
    values = random.Random(seed)
    for number in range(rounds):
        fuzzer = Fuzzer(path, values)
        some: list[Callable[[], None]] = [fuzzer.product, fuzzer.largest, fuzzer.reading, fuzzer.stacks]
        values.choice(some)()
        if number % 50 == 49:
            print(f"{number + 1} rounds", flush=True)
    print("nothing was touched that is not ours, and every mistake was refused")


def main() -> None:
    """Build, then run in a process of its own with the sanitizer's runtime loaded first."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--library", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.library:
        work(arguments.library, arguments.rounds, arguments.seed)
        return
    with tempfile.TemporaryDirectory() as made:
        library = Path(made) / "fuzzed.so"
        if not build(library, ["g++"], FLAGS):
            sys.exit("g++ could not build it with sanitizers")
        runtimes = [
            subprocess.check_output(["g++", f"-print-file-name={name}"], text=True).strip()
            for name in ("libasan.so", "libubsan.so")
        ]
        environment = {**os.environ, "LD_PRELOAD": " ".join(runtimes), "ASAN_OPTIONS": "detect_leaks=0"}
        command = [sys.executable, __file__, "--library", str(library)]
        command += ["--rounds", str(arguments.rounds), "--seed", str(arguments.seed)]
        sys.exit(subprocess.call(command, env=environment))


if __name__ == "__main__":
    main()
