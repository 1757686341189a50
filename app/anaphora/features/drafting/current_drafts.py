"""The drafts in the engine's memory, and those of them that the document no longer has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from anaphora.core.segment import Segment, Status


class CurrentDrafts:
    """The drafts in the engine, by segment; each counts until the engine hears otherwise."""

    def __init__(self) -> None:
        self._held: dict[str, str] = {}
        self._withdrawn: set[str] = set()

    def begin(self, targets: Iterable[tuple[str, str, bool]]) -> None:
        """The engine was given (segment, target, whether it is confirmed) of a document, and nothing else."""
        self._held = {segment: target for segment, target, confirmed in targets if not confirmed}
        self._withdrawn = set()

    def take(self, segment: str, text: str, counts: bool = True) -> bool:
        """The engine made a draft, and holds it.

        Args:
            counts: whether it counts there; an unusable one does not.
        Returns:
            whether that is another draft than counted before.
        """
        is_new = self._held.get(segment) != text or segment in self._withdrawn
        self._held[segment] = text
        (self._withdrawn.discard if counts else self._withdrawn.add)(segment)
        return is_new

    def move(
        self,
        segments: Iterable[Segment],
        gone: Collection[str],
        renamed: Mapping[str, str],
        fits: Callable[[str, str], bool],
    ) -> None:
        """Segments were joined or split; the engine is given the targets of those of which it counts nothing.

        Args:
            segments: all of the document as it is now.
            gone: ids that are in it no more, or of another segment.
            renamed: by the old id of one of these that is the same, its new one.
            fits: whether a source and a target are in the languages of the engine.
        """
        held, counts = self._held, self._held.keys() - self._withdrawn
        counted = {now: held[old] for old, now in renamed.items() if old in counts}
        for segment_id in (*gone, *self._withdrawn):
            held.pop(segment_id, None)
        held.update(counted)
        self._withdrawn.clear()
        for each in segments:
            if each.id in held or each.status is Status.CONFIRMED or not each.target.strip():
                continue
            if fits(each.source, each.target):
                held[each.id] = each.target

    def turned(self, segment: Segment) -> bool | None:
        """True if the engine's draft begins to count, False if it ceases to; None: neither.

        A draft counts as long as it is the segment's text. Under a confirmed text it makes no difference.
        """
        held = self._held.get(segment.id)
        if held is None or segment.status is Status.CONFIRMED:
            return None
        stands = segment.target == held
        if stands is (segment.id not in self._withdrawn):
            return None
        (self._withdrawn.discard if stands else self._withdrawn.add)(segment.id)
        return stands
