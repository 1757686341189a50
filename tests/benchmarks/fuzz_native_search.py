"""Beam searches of the native library, held to nothing or to all that there is, and wrong in one place."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from fuzz_calls import CASES, expect, floats, whole

if TYPE_CHECKING:
    from fuzz_native import Fuzzer


class SearchCall:
    """One call: each part of it is there or not."""

    def __init__(self, fuzzer: Fuzzer, stack: ctypes.c_void_p, shape, sizes, read) -> None:
        """
        Args:
            sizes: sentences, tokens of each source.
            read: the sources and their biases.
        """
        from anaphora_nmt.native.search import _Search

        self._fuzzer, self._stack, self._shape = fuzzer, stack, shape
        self._values, self._library = fuzzer.values, fuzzer.library
        values, (self._sentences, self._tokens), self._pieces = self._values, sizes, shape.pieces
        size = values.randint(1, 6)
        best, self._longest = values.randint(1, size), values.randint(1, shape.positions)
        self._given = given = _Search(
            sentences=self._sentences, size=size, best=best, longest=self._longest, tokens=self._tokens
        )
        given.length_penalty, given.sees = values.choice([0.0, 0.8]), values.randint(0, 1)
        given.bos, given.eos, given.pad, given.unk = (values.randrange(self._pieces) for _ in range(4))
        shown = self._sentences * best
        self._arrays = {
            "limits": whole(values, self._sentences, 1, self._longest, ctypes.c_int32),
            "source": read[0],
            "bias": read[1],
            "pieces": whole(values, shown * self._longest, 0, 0, ctypes.c_int32),
            "lengths": whole(values, shown, 0, 0, ctypes.c_int32),
            "log_probs": (ctypes.c_double * shown)(),
            "scores": (ctypes.c_double * shown)(),
            "seen": floats(values, shown * self._tokens),
        }
        self._wanted = sorted({*self._arrays} - {"seen"})
        self._holders: list[Any] = []
        self._offered: list[ctypes.Array] = []
        self._trace, self._outputs = ctypes.c_void_p(), None
        self._written = list(range(self._pieces))

    def run(self) -> None:
        """Search, and search again by the steps that were kept."""
        from anaphora_nmt.native.calls import CANCELLED_TYPE

        given, values, never = self._given, self._values, CANCELLED_TYPE()
        for put in (self._put_constraints, self._put_spelled, self._put_slots):
            if values.random() < 0.7:
                put()
        self._refuse_traces()
        for put in (self._put_trace, self._put_outputs):
            if self._sentences == 1 and values.random() < 0.5:
                put()
        for name, array in self._arrays.items():
            setattr(given, name, ctypes.addressof(array))
        wrong = values.randrange(CASES)
        is_wrong = self._make_wrong(wrong)
        if values.random() < 0.5:
            self._put_words(wrong == 6)
            is_wrong = is_wrong or wrong == 6 or self._outputs is not None
        expect(self._library.search(self._stack, ctypes.byref(given), never), is_wrong)
        if self._trace and not is_wrong:  # once more, by the steps that were kept, and with others
            given.size = max(given.best, values.randint(1, 6))
            given.slots = values.choice([given.slots, None])
            expect(self._library.search(self._stack, ctypes.byref(given), never), False)
        if self._trace:
            self._library.trace_free(self._trace)
        if self._outputs is not None:
            self._library.outputs_free(self._outputs)

    def _put_constraints(self) -> None:
        values, given, marks = self._values, self._given, self._values.randint(0, 3)
        self._arrays["marks"] = whole(values, self._pieces, -1, marks - 1, ctypes.c_int32)
        self._arrays["begin_words"] = whole(values, self._pieces, 0, 1, ctypes.c_uint8)
        self._arrays["required"] = whole(values, self._sentences * marks, 0, 2, ctypes.c_int32)
        given.mark_count, given.longest_cycle = marks, values.randint(0, 4)
        given.unmet_penalty, given.repeat_penalty = 3.0, 0.5

    def _put_spelled(self) -> None:
        """How pieces are spelled, and which words are known."""
        from anaphora_nmt.native.search import _Spelled, _Texts

        values, given, count = self._values, self._given, self._pieces
        texts, lists = ["ba", "-", "b-a", "", "ba'", "é"], [["ba", "bab", "bé-ba"], []]
        own = [values.choice(texts) for _ in range(count)]
        heads = (ctypes.c_int32 * count)(*(len(text.encode()) if text.isalpha() else 0 for text in own))
        spaced = whole(values, count, 0, 1, ctypes.c_uint8)
        beginnings = [text if text.isalpha() else "" for text in own]
        spelled = _Spelled(self._joined(own), self._joined(beginnings))
        spelled.heads, spelled.spaced = ctypes.addressof(heads), ctypes.addressof(spaced)
        known = [self._joined(some) for _ in range(self._sentences) for some in lists]
        each = (_Texts * len(known))(*known)
        self._holders += [heads, spaced, spelled, each]
        given.spelled, given.lists = ctypes.addressof(spelled), ctypes.addressof(each)
        given.list_count, given.candidates, given.unknown_penalty = 2, values.randint(0, 24), 4.0

    def _joined(self, some: list[str]):
        from anaphora_nmt.native.search import _Texts

        encoded = [text.encode() for text in some]
        starts = [sum(map(len, encoded[:at])) for at in range(len(encoded) + 1)]
        held = ctypes.create_string_buffer(b"".join(encoded), max(1, starts[-1]))
        numbers = (ctypes.c_int32 * len(starts))(*starts)
        self._holders += [held, numbers]
        return _Texts(ctypes.addressof(held), ctypes.addressof(numbers), len(encoded))

    def _put_slots(self) -> None:
        from anaphora_nmt.native.slots import GivenSlots

        values, width = self._values, self._shape.width
        some = [
            self._fuzzer.slots(values.randint(1, 40), width, width, self._pieces)
            for _ in range(self._sentences)
        ]
        slots = (GivenSlots * self._sentences)(*(each for each, _ in some))
        self._arrays["word_pieces"] = (ctypes.c_float * self._pieces)(
            *(values.randint(0, 1) for _ in range(self._pieces))
        )
        self._given.slots = ctypes.addressof(slots)
        self._offered = [kept["pieces"] for _, kept in some]
        self._holders += [some, slots]

    def _refuse_traces(self) -> None:
        wrong_tokens, wrong_most = (
            self._values.choice([0, -1, 2**31 - 1]),
            self._values.choice([-1, 2**31 - 1]),
        )
        for sizes in ((wrong_tokens, 1 << 20), (self._tokens, wrong_most)):
            expect(self._library.trace_new(self._stack, *sizes, ctypes.byref(self._trace)), True)

    def _put_trace(self) -> None:
        most = self._values.choice([0, 300, 3000, 1 << 20])  # some are full before a search ends
        expect(self._library.trace_new(self._stack, self._tokens, most, ctypes.byref(self._trace)), False)
        self._given.trace = self._trace

    def _put_outputs(self) -> None:
        """The output layer of some pieces; what a memory offers has to be among them."""
        self._outputs, self._written = self._fuzzer.outputs(self._stack, self._shape)
        self._given.outputs = self._outputs
        for offered in self._offered:
            for at in range(len(offered)):
                offered[at] = self._values.choice(self._written)

    def _make_wrong(self, wrong: int) -> bool:
        """Make one of the mistakes; returns whether it is one."""
        values, given = self._values, self._given
        if wrong == 0:
            name = values.choice(["sentences", "size", "best", "longest", "tokens", "prefix_count"])
            setattr(given, name, values.choice([-1, 2**31 - 1]))
        elif wrong == 1:
            setattr(given, values.choice(self._wanted), None)
        elif wrong == 2:
            self._arrays["limits"][0] = values.choice([0, -1, self._longest + 1])
        elif wrong == 3:
            setattr(given, values.choice(["bos", "eos", "pad", "unk"]), values.choice([-1, self._pieces]))
        elif wrong == 4 and "marks" in self._arrays:
            self._arrays["marks"][0] = values.choice([-2, given.mark_count])
        elif wrong == 5 and self._offered and (left_out := {*range(self._pieces)} - {*self._written}):
            (offered,) = self._offered
            offered[values.randrange(len(offered))] = min(left_out)
        else:
            return False
        return True

    def _put_words(self, is_wrong: bool) -> None:
        """The dynamic and topic caches, right or wrong in one place; values may be no numbers."""
        from anaphora_nmt.native.words import _MOST_WORD, _DocumentWords, _HiddenLayers, _WordCaches

        values, shape, strange = self._values, self._shape, self._values.random() < 0.2
        kept: list[Any] = []

        def array(made: ctypes.Array) -> int:
            if strange and isinstance(made, ctypes.c_float * len(made)) and len(made):
                made[values.randrange(len(made))] = values.choice([float("nan"), float("inf"), 3e38])
            kept.append(made)
            return ctypes.addressof(made)

        def layers() -> _HiddenLayers:
            first, second, step = 16 * values.randint(1, 3), 16 * values.randint(1, 3), 3 * shape.width
            sizes = first * step, first, first * second, second, second
            return _HiddenLayers(first, second, *(array(floats(values, size)) for size in sizes), 0.5)

        scorer = layers()
        given = _WordCaches(scorer, layers() if values.random() < 0.7 else _HiddenLayers(output_bias=1.0))
        first, width, pieces = scorer.first, shape.width, shape.pieces
        stops = sorted(
            [values.randrange(pieces), *[0] * (_MOST_WORD - 1)] for _ in range(values.randint(0, 9))
        )
        sizes = [values.randint(0, 12) for _ in range(self._sentences)]
        documents = [
            _DocumentWords(
                count,
                values.randint(0, 9),
                array(whole(values, count * _MOST_WORD, 0, pieces - 1)),
                array(whole(values, count, -1, 12)),
                array(floats(values, count * first)),
            )
            for count in sizes
        ]
        given.word_weights = array(floats(values, first * width))
        given.embedding_scale, given.model_weight = 4.0, values.choice([0.0, 1.0, -2.0])
        given.has_model_score, given.dynamic_size = values.randint(0, 1), values.choice([0, 1, 5, 1 << 20])
        given.starts = array(whole(values, pieces, 0, 1, ctypes.c_uint8))
        given.continues = array(whole(values, pieces, 0, 1, ctypes.c_uint8))
        flat = [piece for word in stops for piece in word]
        given.stop_words, given.stop_count = array((ctypes.c_int64 * len(flat))(*flat)), len(stops)
        given.sentences = array((_DocumentWords * self._sentences)(*documents))
        if is_wrong:
            places = ["word_weights", "starts", "continues", "sentences"]
            some: list[Callable[[], None]] = [
                lambda: setattr(given, values.choice(places), None),
                lambda: setattr(given, "dynamic_size", values.choice([-1, 2**31 - 1])),
                lambda: setattr(given, "stop_count", values.choice([-1, 2**31 - 1])),
                lambda: setattr(
                    given.scorer, values.choice(["first", "second"]), values.choice([0, -16, 17])
                ),
                lambda: setattr(kept[-1][0], "count", values.choice([-1, 2**31 - 1])),
                lambda: setattr(kept[-1][0], "entered", values.choice([-1, 2**31 - 1])),
            ]
            values.choice(some)()
        self._given.words = ctypes.addressof(given)
        self._holders += [given, kept]
