"""The engine's interface: load models, translate with a document memory, explain drafts, steer the memory."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import torch

from anaphora_nmt.errors import Cancel, Cancelled, ModelFileError, UnknownSegmentError
from anaphora_nmt.imported.languages import Languages
from anaphora_nmt.imported.loading import import_model, load_model
from anaphora_nmt.memory.contents import Origin
from anaphora_nmt.memory.topics import TopicModel
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.native.library import cancelled_by
from anaphora_nmt.pipeline.correcting.corrected_drafts import followed_corrections
from anaphora_nmt.pipeline.correcting.post_edits import learn_corrections
from anaphora_nmt.pipeline.explaining.explanation import explain_words, source_words, stretch_influences
from anaphora_nmt.pipeline.explaining.influences import MemoryContext
from anaphora_nmt.pipeline.explaining.word_translations import with_word_translations
from anaphora_nmt.pipeline.fitting.memory_fit import fit_memory as fit_memory
from anaphora_nmt.pipeline.opened.document import OpenDocument
from anaphora_nmt.pipeline.preparing.lines import prepare_target
from anaphora_nmt.pipeline.running import allocate_buffers, choose_device, info_of, one_at_a_time
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.pipeline.suggesting.completing import Completer
from anaphora_nmt.pipeline.suggesting.corpus import CorpusTranslator
from anaphora_nmt.pipeline.suggesting.draft_maker import DraftMaker, contributions_of
from anaphora_nmt.pipeline.suggesting.preparer import Preparer, count_helpers
from anaphora_nmt.steering import BroughtIn, MemoryRule, WhatIf
from anaphora_nmt.text.tags import strip_tags
from anaphora_nmt.text.vocabulary import EOS
from anaphora_nmt.types import (
    Completion,
    Correction,
    EngineInfo,
    Explanation,
    MemoryVersion,
    MemoryView,
    ModelToInstall,
    SearchOptions,
    SourceSegment,
    SourceTerm,
    StretchInfluence,
    Suggestion,
)
from anaphora_text.freed_memory import release_memory


class Translator:
    """A loaded model and the memories of its open documents. Calls from several threads run one at a time.

    If the GPU runs out of memory, the model moves to the CPU for good. Except for `open_document` and
    `close_document`, methods raise UnknownSegmentError if a document is not open or lacks a segment.

    Attributes:
        info: a description of the loaded model and its device.
    """

    def __init__(
        self,
        bundle: Bundle,
        topics: TopicModel | None,
        device: torch.device,
        int8: bool = True,
        helpers: int = 0,
    ) -> None:
        self._bundle, self._helpers, self._lock = bundle, helpers, threading.RLock()
        self._topics = topics
        self._int8 = int8
        self._vocabulary = WordVocabulary(bundle.target)
        self._documents: dict[str, OpenDocument] = {}
        self._build_on(device)

    def _build_on(self, device: torch.device) -> None:
        bundle = self._bundle
        helpers = self._helpers if device.type == "cpu" else 0
        self._device = device
        model = MemoryAugmentedModel(bundle.model, bundle.memory, self._vocabulary)
        if bundle.memory_tensors:
            model.load_memory_state(bundle.memory_tensors)
        model = model.to(device).eval()
        searcher = model.native() if self._int8 else model
        # The drafter caches four encoded batches for each helper, and two more, so that a whole segment stays
        # cached while its halves are tried.
        parts = bundle.source, bundle.target, searcher, bundle.words, bundle.shortlist
        self._drafter = Drafter(model, *parts, cached=2 + 4 * helpers)
        preparer = Preparer(self._drafter, helpers) if helpers else None
        self._maker = DraftMaker(bundle, self._drafter, preparer)
        self._completer = Completer(self._drafter)
        self.info = info_of(bundle, device, searcher, helpers)

    def _leave_gpu(self) -> None:
        self._build_on(torch.device("cpu"))
        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    @classmethod
    def load(
        cls, folder: Path, device: str = "auto", threads: int | None = None, int8: bool = True
    ) -> Translator:
        """Load a model folder made by this engine or by another toolkit.

        Args:
            device: "cpu", "cuda", or "auto" for the device that probably drafts a segment faster
                (`running.choose_device`).
            threads: number of compute threads on the CPU; if None, half of the cores, at most 4. With the
                native library, one thread drafts, and at most 3 prepare the next segments (`Preparer`).
            int8: compute in 8 bits with the native library. With False, or if the library is missing, torch
                computes in float32.

        Raises:
            ModelFileError: the folder is missing, incomplete or damaged, or the device does not exist.
        """
        if device == "cuda" and not torch.cuda.is_available():
            raise ModelFileError("No CUDA device is available. Choose the CPU as the compute device.")
        allocate_buffers()
        bundle = load_model(folder)
        device = choose_device(bundle, int8) if device == "auto" else device
        threads = threads or max(1, min(4, (os.cpu_count() or 1) // 2))
        helpers = count_helpers(threads) if int8 and device == "cpu" else 0
        torch.set_num_threads(1 if helpers else threads)
        topics_path = folder / "topics.npz"
        topics = TopicModel.load(topics_path) if bundle.memory.wants_topic and topics_path.exists() else None
        try:
            return cls(bundle, topics, torch.device(device), int8, helpers)
        except torch.OutOfMemoryError:
            if device == "cpu":
                raise
            return cls(bundle, topics, torch.device("cpu"), int8, helpers)

    @one_at_a_time
    def open_document(self, document: str, segments: Sequence[SourceSegment]) -> MemoryVersion:
        """Open or reopen a document with an empty memory. If the model has topics, the topic is inferred."""
        texts = [strip_tags(segment.text)[0] for segment in segments]
        topic = self._topics.infer(texts) if self._topics else None
        bundle, context = self._bundle, self._drafter.context
        opened = self._documents[document] = OpenDocument(
            document,
            segments,
            bundle.source,
            bundle.memory,
            self._vocabulary,
            topic,
            context,
            bundle.names,
            bundle.words,
        )
        return opened.memory.version

    @one_at_a_time
    def resegment_document(
        self, document: str, segments: Sequence[SourceSegment], moved: Mapping[str, str]
    ) -> frozenset[str]:
        """Replace an open document's segments after a join or split. Unchanged segments stay in the memory.

        If the model reads neighbouring sentences (CAMN), no segment stays in the memory.

        Args:
            moved: maps the old id of each segment with an unchanged source to its new id.
        Returns:
            new ids of the segments that stayed; the caller must `restore` all other segments.
        Raises:
            UnknownSegmentError: the document is not open, or an id is unknown. Then open the document again.
        """
        old = self.opened(document)
        self.open_document(document, segments)
        if self._drafter.context is not None:
            return frozenset()
        return self.opened(document).adopt(old, moved)

    @one_at_a_time
    def close_document(self, document: str) -> None:
        """Drop a document and its memory if the document is open, and clear the caches."""
        self._documents.pop(document, None)
        self._completer.clear_caches()
        self._maker.clear_caches()
        release_memory()

    @one_at_a_time
    def translate(
        self,
        document: str,
        segment: str,
        options: SearchOptions = SearchOptions(),
        cancel: Cancel | None = None,
        terms: Sequence[SourceTerm] = (),
    ) -> Suggestion:
        """Draft one segment with the memory of the segments before it.

        The draft becomes the segment's contribution to the memory, unless the segment is confirmed. If the
        model reads confirmed text and an earlier confirmed segment has the same source, the draft is exactly
        that segment's text, unless `options.repeats`, terms or rules prevent this.

        Args:
            terms: the segment's terms with their required and forbidden translations.
        Raises:
            Cancelled: `cancel()`, called every few milliseconds, was true; the memory is unchanged.
        """
        return self._translate(self.opened(document), segment, options, cancel, terms)

    @one_at_a_time
    def complete(
        self,
        document: str,
        segment: str,
        typed: str,
        most: int = 16,
        options: SearchOptions = SearchOptions(),
        cancel: Cancel | None = None,
        terms: Sequence[SourceTerm] = (),
    ) -> Completion:
        """Continue a half-typed translation greedily, with the memory of the segments before it.

        The memory does not change. Decoding steps stay cached while only `typed` changes.

        Args:
            typed: the text from the segment's beginning to the caret; its last word may be incomplete.
            most: maximum number of pieces to write.
            terms: see `translate`.
        Raises:
            Cancelled: `cancel()` was true before a decoding step.
        """
        opened = self.opened(document)
        index = opened.index(segment)
        terms = (*terms, *opened.required.get(index, ()))
        with cancelled_by(cancel):
            return self._completer.complete(opened, index, typed, most, options, cancel, terms)

    @one_at_a_time
    def remember(self, document: str, segment: str, target: str, draft: str | None = None) -> MemoryVersion:
        """Replace a segment's draft in the memory with a human's translation, by forced decoding.

        The engine learns corrections from the translation, and later drafts follow them (`corrections`).

        Args:
            draft: the draft that was edited; if None, the segment's last draft.
        """
        opened = self.opened(document)
        index = opened.index(segment)
        draft = opened.drafts.get(index, "") if draft is None else draft
        learned = learn_corrections(self._drafter, opened.source(index), draft, target, segment, opened.texts)
        source = opened.confirm(index, target, learned, draft)
        opened.memory.confirm(index, self._maker.contribution(source, target, Origin.CONFIRMED))
        self._correct(opened, [index])
        return opened.memory.version

    @one_at_a_time
    def corrections(self, document: str) -> tuple[Correction, ...]:
        """The corrections that a document has learned, including revoked ones."""
        return self.opened(document).corrections.all

    @one_at_a_time
    def correct(
        self, document: str, removed: Sequence[Correction] = (), added: Sequence[Correction] = ()
    ) -> tuple[Correction, ...]:
        """Remove some corrections and add others. A second call with exchanged arguments undoes the change.

        Returns:
            the document's corrections afterwards.
        """
        opened = self.opened(document)
        opened.corrections.change(removed, added)
        return opened.corrections.all

    @one_at_a_time
    def forget(self, document: str, segment: str) -> MemoryVersion:
        """Undo `remember`: the segment contributes its draft again, if it has one."""
        opened = self.opened(document)
        index = opened.index(segment)
        opened.unconfirm(index)
        opened.memory.forget(index)
        return opened.memory.version

    @one_at_a_time
    def count_draft(self, document: str, segment: str, counts: bool) -> MemoryVersion:
        """Include a segment's draft in the memory, or exclude it, for instance while other text replaces it.

        A confirmed segment contributes its confirmed text; the choice applies only after `forget`. The
        segment's next draft (`translate`, `restore`) is included again.
        """
        opened = self.opened(document)
        opened.memory.count_draft(opened.index(segment), counts)
        return opened.memory.version

    @one_at_a_time
    def restore(
        self,
        document: str,
        targets: Sequence[tuple[str, str, bool]],
        cancel: Cancel | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> MemoryVersion:
        """Rebuild a reopened document's memory from (segment, target, confirmed) triples.

        Args:
            progress: called after each segment with the number of restored segments and their total number.
        Raises:
            Cancelled: `cancel()` was true before a segment; only the segments before that one contribute.
        """
        opened = self.opened(document)
        entries = [(opened.index(segment), target, confirmed) for segment, target, confirmed in targets]
        for index, target, confirmed in entries:
            if confirmed:
                opened.confirm(index, target)
        for count, (index, target, confirmed) in enumerate(entries, 1):
            if cancel is not None and cancel():
                raise Cancelled("restoring the memory was cancelled")
            self._restore(opened, index, target, confirmed)
            if progress is not None:
                progress(count, len(entries))
        return opened.memory.version

    @one_at_a_time
    def memory(self, document: str, segment: str) -> MemoryView:
        """The memory that `segment` reads."""
        opened = self.opened(document)
        return opened.memory.view(opened.index(segment))

    @one_at_a_time
    def explain(
        self,
        document: str,
        segment: str,
        target: str,
        influence: bool = True,
        cancel: Cancel | None = None,
        options: SearchOptions = SearchOptions(),
    ) -> Explanation:
        """Explain each word of `target`, a draft or a human's text, with the memory before `segment`.

        Args:
            influence: True to measure the memories' effect on each word by leaving entries out.
            options: the options of the draft; they choose the memories.
        Raises:
            Cancelled: `cancel()` was true after the decoding.
        """
        opened = self.opened(document)
        index = opened.index(segment)
        source = opened.source(index)
        prepared = prepare_target(target, source.line.strings, self._bundle.target)
        use = self._bundle.memory.chosen(opened.effective_options(options).memories)
        traces = explain_words(
            self._drafter,
            source,
            prepared,
            MemoryContext(opened.memory.before(index), opened.memory.reader(index), use),
            influence,
            cancel,
        )
        traces = with_word_translations(traces, self._drafter, opened)
        view, repeats = opened.memory.view(index), opened.repeated_segment(index, target)
        phrases = opened.corrected_phrases(index, source)
        followed = followed_corrections(phrases, target, opened.plain.text(index))
        return Explanation(segment, target, source_words(source), traces, view, repeats, corrections=followed)

    @one_at_a_time
    def stretch_influences(
        self,
        document: str,
        segment: str,
        target: str,
        stretches: Sequence[tuple[int, int]],
        cancel: Cancel | None = None,
    ) -> tuple[StretchInfluence, ...]:
        """For each stretch of a source, its effect on each word of a target, without memories.

        The effect of a stretch is measured by leaving out all source words that it touches.

        Args:
            stretches: (start, end) character positions in the source with tags.
        Raises:
            Cancelled: `cancel()` was true before a batch.
        """
        source = self.opened(document).source(self.opened(document).index(segment))
        prepared = prepare_target(target, source.line.strings, self._bundle.target)
        words = source_words(source)
        columns = [
            [number for number, word in enumerate(words) if word.start < end and word.end > start]
            for start, end in stretches
        ]
        effects = stretch_influences(self._drafter, source, prepared, columns, cancel)
        return tuple(
            StretchInfluence(start, end, influences)
            for (start, end), influences in zip(stretches, effects, strict=True)
        )

    @one_at_a_time
    def steer(self, document: str, rules: Sequence[MemoryRule]) -> MemoryVersion:
        """Replace the rules in force, and decode confirmed segments again if rules replace words in them."""
        opened = self.opened(document)
        self._steer(opened, rules)
        return opened.memory.version

    @one_at_a_time
    def bring_in(
        self, document: str, packs: Sequence[BroughtIn], cancel: Cancel | None = None
    ) -> MemoryVersion:
        """Put confirmed pairs before the first segment, and use the corrections of packs.

        The pairs and corrections replace those of an earlier call.

        Raises:
            Cancelled: `cancel()` was true before a pair; nothing has changed.
        """
        opened = self.opened(document)
        opened.memory.bring_in(contributions_of(packs, self._bundle, self._maker, cancel))
        opened.bring_in(packs)
        return opened.memory.version

    @one_at_a_time
    def preview(
        self,
        document: str,
        segments: Sequence[str],
        question: WhatIf,
        options: SearchOptions = SearchOptions(),
        cancel: Cancel | None = None,
        terms: Mapping[str, Sequence[SourceTerm]] = MappingProxyType({}),
    ) -> tuple[Suggestion, ...]:
        """Draft some segments, in the given order, with a hypothetical memory. The memory does not change.

        After `steer` and `correct` with the same changes, `translate` would make the same drafts if it were
        called in the same order. `options` can switch memories off.

        Args:
            terms: by segment id, the segment's terms, see `translate`.
        Raises:
            Cancelled: see `translate`.
        """
        opened = self.opened(document)
        fork = opened.fork()
        if question.rules is not None:
            self._steer(fork, question.rules)
        if question.corrections is not None:
            fork.corrections.replace(question.corrections)
        drafts = [
            self._translate(fork, segment, options, cancel, terms.get(segment, ())) for segment in segments
        ]
        return tuple(replace(draft, memory=opened.memory.version) for draft in drafts)

    def corpus(self, batch: int = 24) -> CorpusTranslator:
        """A translator of whole corpora with the same model, in batches of at most `batch` sentences."""
        bundle = self._bundle
        return CorpusTranslator(
            self._drafter, self._vocabulary, bundle.memory, self._topics, batch, bundle.names
        )

    def opened(self, document: str) -> OpenDocument:
        """An open document with its memory."""
        if document not in self._documents:
            raise UnknownSegmentError(f"document {document!r} is not open in the engine")
        return self._documents[document]

    def _translate(
        self,
        opened: OpenDocument,
        segment: str,
        options: SearchOptions,
        cancel: Cancel | None,
        terms: Sequence[SourceTerm],
    ) -> Suggestion:
        with cancelled_by(cancel):
            return self._maker.suggest(opened, segment, options, cancel, terms)

    def _steer(self, opened: OpenDocument, rules: Sequence[MemoryRule]) -> None:
        opened.memory.steer(rules)
        self._correct(opened, opened.memory.confirmed_indexes)

    def _correct(self, opened: OpenDocument, indexes: Iterable[int]) -> None:
        """Decode confirmed segments again if rules replace words in them; otherwise restore their text."""
        for index, pieces in opened.memory.corrections(indexes, self._bundle.target.encode).items():
            contribution = None
            if pieces is not None:
                encoded = self._drafter.encode_whole([opened.source(index)])
                target = torch.tensor([[*pieces, EOS]], device=self._device)
                contribution = self._drafter.searcher.contributions(encoded, target, Origin.CONFIRMED)[0]
            opened.memory.correct(index, contribution)

    def _restore(self, opened: OpenDocument, index: int, target: str, confirmed: bool) -> None:
        origin = Origin.CONFIRMED if confirmed else Origin.DRAFT
        contribution = self._maker.contribution(opened.source(index), target, origin)
        if confirmed:
            opened.memory.confirm(index, contribution)
            self._correct(opened, [index])
        else:
            opened.memory.draft(index, contribution)


def install_model(wanted: ModelToInstall, progress: Callable[[int], None] = lambda size: None) -> EngineInfo:
    """Copy a model of another toolkit into `wanted.folder`, and load the copy.

    Args:
        progress: called with the size in bytes of each written part; an exception from it cancels the
            installation and removes its files.
    Raises:
        LanguageNeededError: the model supports several or unknown languages, and none was chosen.
        ModelFileError: the model cannot be read or written.
    """
    languages = Languages(wanted.source, wanted.target)
    bundle = import_model(wanted.path, wanted.folder, wanted.name, languages, progress, ask=True)
    return Translator(bundle, None, torch.device("cpu")).info
