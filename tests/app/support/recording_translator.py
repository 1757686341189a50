"""A fast, deterministic double of the engine that records calls.

It follows the contract of `anaphora_nmt.api.Translator` (memory as a fold over earlier segments,
cancellation, remember and forget) with a small word list instead of a model. Tests of the quality of
translations must use the included model.
"""

from __future__ import annotations

import functools
import itertools
import re
import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from anaphora_nmt.errors import Cancelled, UnknownSegmentError
from anaphora_nmt.types import (
    BroughtIn,
    Completion,
    Correction,
    EngineInfo,
    Explanation,
    MemoryEntry,
    MemoryRule,
    MemorySection,
    MemoryUse,
    MemoryVersion,
    MemoryView,
    SearchOptions,
    SourceSegment,
    SourceTerm,
    SourceWord,
    StretchInfluence,
    Suggestion,
    TokenTrace,
    WhatIf,
)

LEXICON: dict[str, tuple[str, ...]] = {
    "账本": ("ledger", "account book"),
    "缓存": ("cache", "buffer"),
    "节点": ("node",),
    "交易": ("transaction",),
    "区块": ("block",),
    "世界状态": ("world state",),
    "记录": ("record",),
    "文档": ("document",),
    "翻译": ("translation",),
    "记忆": ("memory",),
    "模型": ("model",),
    "我们": ("we",),
    "需要": ("need",),
    "一个": ("a",),
    "这个": ("this",),
    "的": ("of",),
    "是": ("is",),
    "和": ("and",),
    "在": ("in",),
    "每个": ("each",),
    "保存": ("keeps",),
    "更新": ("updates",),
    "读取": ("reads",),
}
_BEGINNINGS = {source: {name.split()[0] for name in names} for source, names in LEXICON.items()}
_PIECES = re.compile(
    "|".join(sorted(map(re.escape, LEXICON), key=len, reverse=True)) + r"|[a-zA-Z0-9]+|\w|[^\w\s]"
)
_WORDS = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")
_STOP = frozenset(
    ("the a an of is in and to that it for on as with are be this we by or from at which").split(" ")  # noqa: SIM905
)
SLOTS = 25


@functools.lru_cache(10_000)
def stable(text: str) -> float:
    """A number in [0, 1) that depends only on a text."""
    return zlib.crc32(text.encode()) % 10007 / 10007


class RecordingTranslator:
    """Translates by a word list and records calls.

    Attributes:
        calls: (method, segment) of every call, in order.
        delay: seconds that a draft takes; cancellation is checked every few milliseconds.
    """

    def __init__(
        self,
        translations: Mapping[str, str] | None = None,
        delay: float = 0.0,
        cut: Callable[[str], Iterable[str]] | None = None,
    ) -> None:
        self.info = EngineInfo(
            "recording double", "cpu", 1, "float32", memories=("continuous", "dynamic", "topic")
        )
        self.calls: list[tuple[str, str]] = []
        self.delay = delay
        self._translations = dict(translations or {})
        self._cut = cut
        self._segments: dict[str, list[SourceSegment]] = {}
        self.drafts: dict[str, dict[str, str]] = {}
        self.confirmed: dict[str, dict[str, str]] = {}
        self._discounted: set[tuple[str, str]] = set()
        self._revision = 0

    def open_document(self, document: str, segments: Sequence[SourceSegment]) -> MemoryVersion:
        self.calls.append(("open", document))
        self._segments[document] = list(segments)
        self.drafts[document] = {}
        self.confirmed[document] = {}
        return self._version(document)

    def resegment_document(
        self, document: str, segments: Sequence[SourceSegment], moved: Mapping[str, str]
    ) -> frozenset[str]:
        self.calls.append(("resegmentation", document))
        drafts, confirmed = self.drafts[document], self.confirmed[document]
        self._segments[document] = list(segments)
        self.drafts[document] = {new: drafts[old] for old, new in moved.items() if old in drafts}
        self.confirmed[document] = {new: confirmed[old] for old, new in moved.items() if old in confirmed}
        return frozenset(self.drafts[document]) | frozenset(self.confirmed[document])

    def close_document(self, document: str) -> None:
        self.calls.append(("close", document))
        self._segments.pop(document, None)

    def translate(
        self,
        document: str,
        segment: str,
        options: SearchOptions = SearchOptions(),
        cancel: Callable[[], bool] | None = None,
        terms: Sequence[SourceTerm] = (),
    ) -> Suggestion:
        source = self._source(document, segment)
        self._work(self.delay, cancel)
        self.calls.append(("translate", segment))
        text = self._translations.get(source) or self._invent(document, segment, source)
        if segment not in self.confirmed[document]:
            self.drafts[document][segment] = text
            self._discounted.discard((document, segment))
        others = self._vary(text)[: options.n_best - 1]
        return Suggestion(segment, text, -0.5, self._version(document), alternatives=others)

    def complete(
        self,
        document: str,
        segment: str,
        typed: str,
        most: int = 16,
        options: SearchOptions = SearchOptions(),
        cancel: Callable[[], bool] | None = None,
        terms: Sequence[SourceTerm] = (),
    ) -> Completion:
        """Proposes nothing."""
        return Completion()

    def preview(
        self,
        document: str,
        segments: Sequence[str],
        question: WhatIf,
        options: SearchOptions = SearchOptions(),
        cancel: Callable[[], bool] | None = None,
        terms: Mapping[str, Sequence[SourceTerm]] = MappingProxyType({}),
    ) -> tuple[Suggestion, ...]:
        """Drafts with the current memory; `question` is ignored."""
        found = []
        for segment in segments:
            self._work(self.delay, cancel)
            self.calls.append(("preview", segment))
            source = self._source(document, segment)
            text = self._translations.get(source) or self._invent(document, segment, source)
            others = self._vary(text)[: options.n_best - 1]
            found.append(Suggestion(segment, text, -0.5, self._version(document), alternatives=others))
        return tuple(found)

    def steer(self, document: str, rules: Sequence[MemoryRule]) -> MemoryVersion:
        self.calls.append(("steer", document))
        return self._version(document)

    def bring_in(
        self, document: str, packs: Sequence[BroughtIn], cancel: Callable[[], bool] | None = None
    ) -> MemoryVersion:
        self.calls.append(("bring_in", document))
        return self._version(document)

    def corrections(self, document: str) -> tuple[Correction, ...]:
        return ()

    def correct(
        self, document: str, removed: Sequence[Correction] = (), added: Sequence[Correction] = ()
    ) -> tuple[Correction, ...]:
        return tuple(added)

    def remember(self, document: str, segment: str, target: str, draft: str | None = None) -> MemoryVersion:
        self.calls.append(("remember", segment))
        self._source(document, segment)
        self.confirmed[document][segment] = target
        return self._version(document)

    def forget(self, document: str, segment: str) -> MemoryVersion:
        self.calls.append(("forget", segment))
        self.confirmed[document].pop(segment, None)
        return self._version(document)

    def count_draft(self, document: str, segment: str, counts: bool) -> MemoryVersion:
        self.calls.append(("count" if counts else "discount", segment))
        (self._discounted.discard if counts else self._discounted.add)((document, segment))
        return self._version(document)

    def restore(
        self,
        document: str,
        targets: Sequence[tuple[str, str, bool]],
        cancel: Callable[[], bool] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> MemoryVersion:
        self.calls.append(("restore", document))
        for done, (segment, target, confirmed) in enumerate(targets):
            (self.confirmed if confirmed else self.drafts)[document][segment] = target
            if progress is not None:
                progress(done + 1, len(targets))
        return self._version(document)

    def memory(self, document: str, segment: str) -> MemoryView:
        slots, seen = [], set()
        before = self._before(document, segment)
        for origin, target, confirmed in reversed(before):
            for word in _WORDS.findall(target):
                if word.lower() not in seen and word.lower() not in _STOP and word.isalpha():
                    seen.add(word.lower())
                    slots.append(MemoryEntry(word, origin, confirmed))
        words = [slot.label for slot in slots]
        topic = sorted(set(words), key=stable)[:12] if words else []
        topical = tuple(map(MemoryEntry, topic))
        recent = tuple(slots[:15])
        sections = (
            MemorySection(
                "slots", "Memory", tuple(slots[:SLOTS]), of_segments=True, memory="continuous_cache"
            ),
            MemorySection("topic", "Topic words", topical, ", ".join(topic[:3]), memory="word_caches"),
            MemorySection("dynamic", "Recent words", recent, memory="word_caches"),
        )
        return MemoryView(segment, self._version(document), sections)

    def explain(
        self,
        document: str,
        segment: str,
        target: str,
        influence: bool = True,
        cancel: Callable[[], bool] | None = None,
        options: SearchOptions = SearchOptions(),
    ) -> Explanation:
        self._work(self.delay / 3, cancel)
        self.calls.append(("explain" if influence else "align", segment))
        source = self._source(document, segment)
        words = self._source_words(source)
        view = self.memory(document, segment)
        matches = list(_WORDS.finditer(target))
        tokens = [
            self._trace(match.group(), match.start(), number / max(len(matches) - 1, 1), words, view)
            for number, match in enumerate(matches)
        ]
        return Explanation(segment, target, words, tuple(tokens), view)

    def stretch_influences(
        self,
        document: str,
        segment: str,
        target: str,
        stretches: Sequence[tuple[int, int]],
        cancel: Callable[[], bool] | None = None,
    ) -> tuple[StretchInfluence, ...]:
        return ()

    def _trace(
        self, word: str, start: int, place: float, words: tuple[SourceWord, ...], view: MemoryView
    ) -> TokenTrace:
        weights = []
        for row, source in enumerate(words):
            known = word.lower() in _BEGINNINGS.get(source.word, ())
            distance = abs(row / max(len(words) - 1, 1) - place)
            weights.append(4.0 * known + 2.718 ** (-distance * 9) + 0.02 * stable(word + source.word))
        total = sum(weights) or 1.0
        slots = []
        for slot in view.section("continuous_cache", "slots").entries:
            same = slot.label.lower() == word.lower()
            matching = 0.62 * same + 0.2 * stable(word + slot.label) ** 6
            if matching > 0.01:
                slots.append(
                    MemoryUse("continuous_cache", slot.label, slot.segment, matching, 0.8 * matching, "slots")
                )
        slots.sort(key=lambda use: -use.strength)
        cached = []
        for cache in ("topic", "dynamic"):
            for item in view.section("word_caches", cache).entries:
                share = (
                    0.5 * (item.label.lower() == word.lower()) + 0.1 * stable(cache + word + item.label) ** 4
                )
                if share > 0.01:
                    cached.append(MemoryUse("word_caches", item.label, "", share, 0.5 * share, cache))
        cached.sort(key=lambda use: -use.strength)
        slot_share = 0.15 + 0.5 * (slots[0].strength if slots else 0.0)
        word_share = 0.05 + 0.4 * (cached[0].strength if cached else 0.0)
        return TokenTrace(
            word,
            start,
            start + len(word),
            -2.5 * stable(word),
            tuple(weight / total for weight in weights),
            (*slots, *cached),
            {"continuous_cache": slot_share, "word_caches": word_share},
        )

    def _invent(self, document: str, segment: str, source: str) -> str:
        out = []
        confirmed = [target for _, target, is_confirmed in self._before(document, segment) if is_confirmed]
        for piece in _PIECES.findall(source):
            renderings = LEXICON.get(piece)
            if renderings is None:
                out.append(piece if piece.isascii() else "")
                continue
            learned = [r for target in reversed(confirmed) for r in renderings if r in target]
            varied = renderings[1] if len(renderings) > 1 and stable(segment) > 0.66 else renderings[0]
            out.append(learned[0] if learned else varied)
        text = " ".join(word for word in out if word)
        return (text[:1].upper() + text[1:] + ".") if text else "Text."

    @staticmethod
    def _vary(text: str) -> tuple[str, ...]:
        """Alternatives for an n-best list."""
        swapped = [
            text.replace(first, second)
            for renderings in LEXICON.values()
            for first, second in itertools.pairwise(renderings)
        ]
        other = f"Namely, {text[:1].lower()}{text[1:]}"
        return tuple(dict.fromkeys(way for way in (*swapped, other) if way != text))

    def _before(self, document: str, segment: str) -> list[tuple[str, str, bool]]:
        result = []
        for candidate in self._segments.get(document, []):
            if candidate.id == segment:
                break
            if candidate.id in self.confirmed[document]:
                result.append((candidate.id, self.confirmed[document][candidate.id], True))
            elif candidate.id in self.drafts[document] and (document, candidate.id) not in self._discounted:
                result.append((candidate.id, self.drafts[document][candidate.id], False))
        return result[-40:]

    def _source(self, document: str, segment: str) -> str:
        for candidate in self._segments.get(document, []):
            if candidate.id == segment:
                return candidate.text
        raise UnknownSegmentError(f"{segment} was never opened in {document}")

    def _source_words(self, source: str) -> tuple[SourceWord, ...]:
        words, position = [], 0
        for word in self._cut(source) if self._cut else _PIECES.findall(source):
            start = source.index(word, position)
            position = start + len(word)
            if word.strip():
                words.append(SourceWord(word, start, position))
        return tuple(words)

    def _version(self, document: str) -> MemoryVersion:
        self._revision += 1
        return MemoryVersion(document, self._revision)

    @staticmethod
    def _work(seconds: float, cancel: Callable[[], bool] | None) -> None:
        end = time.monotonic() + seconds
        while True:
            if cancel is not None and cancel():
                raise Cancelled("asked to stop")
            if time.monotonic() >= end:
                return
            time.sleep(0.004)
