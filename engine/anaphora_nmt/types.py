"""What crosses between the engine and its users: frozen, plain, picklable, torch-free."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SourceSegment:
    """One source segment of a document, as the engine sees it.

    Attributes:
        id: the caller's identifier; unique in its document.
        text: source text; inline tags appear as `{1}`, `{/1}` or `{1/}` (see `text.tags`).
    """

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to decode.

    Attributes:
        beam_size: hypotheses kept a step; 1 is greedy.
        length_penalty: exponent α of Wu et al. (2016); 0 switches it off.
        n_best: suggestions returned, at most `beam_size`.
        max_length_ratio: target pieces allowed for each source piece (plus a constant).
        coverage: weight β of the log-coverage of the source when a beam's finished hypotheses are ranked; 0
            leaves them as the length penalty ranks them.
        repetition: what words that are said twice in a row take from a beam's log-probability; 0: nothing.
        continuous_cache: read the continuous cache, if the model has one; None: if it is made to.
        word_caches: read the dynamic and topic caches, likewise.
        confirmed: follow confirmed text, likewise.
    """

    beam_size: int = 5
    length_penalty: float = 0.8
    n_best: int = 1
    max_length_ratio: float = 2.5
    coverage: float = 0.04
    repetition: float = 2.0
    continuous_cache: bool | None = None
    word_caches: bool | None = None
    confirmed: bool | None = None


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """The state of a document's memory: changes whenever a contribution to it changes.

    Attributes:
        document: the document's identifier.
        revision: grows by one with each change; equal revisions mean equal memories.
    """

    document: str
    revision: int


@dataclass(frozen=True, slots=True)
class SlotUse:
    """How strongly one output word matched one slot of the continuous cache.

    Attributes:
        slot: index into the slots of `Explanation.view`.
        matching: P_m of Tu et al. (2018), eq. (5), averaged over the word's pieces.
        influence: the word's log-probability minus the one without the slot (positive: the slot helped),
            or None where it was not asked for.
    """

    slot: int
    matching: float
    influence: float | None = None


@dataclass(frozen=True, slots=True)
class CachedWordUse:
    """How strongly a word of the dynamic or topic cache stood behind one output word.

    Attributes:
        word: the cached word.
        cache: "dynamic" or "topic".
        probability: its share of p_cache, Kuang et al. (2018), eq. (7).
        influence: as in `SlotUse`.
    """

    word: str
    cache: str
    probability: float
    influence: float | None = None


@dataclass(frozen=True, slots=True)
class ContextUse:
    """How strongly a context sentence stood behind one output word (Jiang et al., CAMN).

    Attributes:
        segment: the context sentence's segment.
        weight: its share of what was read of the context; those of a word sum to one.
        influence: as in `SlotUse`, without the sentence.
    """

    segment: str
    weight: float
    influence: float | None = None


@dataclass(frozen=True, slots=True)
class ConfirmedUse:
    """How much one output word follows a word that a human confirmed.

    Attributes:
        word: the confirmed word.
        segment: where it was confirmed.
        share: its part in the probability of the output word's pieces, averaged over them.
        influence: as in `SlotUse`, without the confirmed word.
    """

    word: str
    segment: str
    share: float
    influence: float | None = None


@dataclass(frozen=True, slots=True)
class TokenTrace:
    """What stood behind one output word.

    Attributes:
        word: the word as it stands in the output.
        start: offset of its first character in `Explanation.text`.
        end: offset one past its last character.
        log_probability: sum over its pieces.
        attention: weights over `Explanation.source_words`; they sum to one.
        slots: the matched slots, strongest first.
        cache_gate: mean of λ_t (eq. 8): the share of the continuous cache in the state; 0 without one.
        cached_words: the cached words behind it, strongest first.
        word_gate: 1 − α_t (eq. 9): the share of the word caches in the probability; 0 without them.
        confirmed: the confirmed words that it follows, strongest first.
        confirmed_gate: the share of confirmed words in the probability; 0 where nothing is alike.
        context: the context sentences behind it, strongest first; empty without CAMN.
        context_gate: the context's mean share in the source annotations that it attends to; 0 without CAMN.
    """

    word: str
    start: int
    end: int
    log_probability: float
    attention: tuple[float, ...]
    slots: tuple[SlotUse, ...] = ()
    cache_gate: float = 0.0
    cached_words: tuple[CachedWordUse, ...] = ()
    word_gate: float = 0.0
    confirmed: tuple[ConfirmedUse, ...] = ()
    confirmed_gate: float = 0.0
    context: tuple[ContextUse, ...] = ()
    context_gate: float = 0.0


@dataclass(frozen=True, slots=True)
class SlotView:
    """A slot of the continuous cache, for a reader.

    Attributes:
        word: the target word that it stands for.
        segment: id of the segment that wrote it last.
        last_use: how many finished segments ago it was last written (0: by the previous one).
        confirmed: whether that segment was confirmed by a human.
    """

    word: str
    segment: str
    last_use: int
    confirmed: bool = False


@dataclass(frozen=True, slots=True)
class WeightedWord:
    """A word with a weight: a topic's word and its probability, or a dynamic word and its age."""

    word: str
    weight: float


@dataclass(frozen=True, slots=True)
class SourceWord:
    """A source word with its character offsets in the segment's text."""

    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A draft.

    Attributes:
        text: target text, tags included.
        score: what ranked it: the length-normalised log-probability, and the coverage of the source.
        memory: the memory it was made with.
        warnings: what a reader should check ("number lost: 42", …), plain sentences.
    """

    segment: str
    text: str
    score: float
    memory: MemoryVersion
    warnings: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MemoryView:
    """The document memory as it stands before one segment.

    Attributes:
        slots: the continuous cache's slots, most recently used first.
        topic: a label for the document's topic (its leading words), empty without a topic model.
        topic_words: the topic cache, by descending weight.
        dynamic_words: the dynamic cache, newest first; weight = segments since it entered.
    """

    segment: str
    memory: MemoryVersion
    slots: tuple[SlotView, ...] = ()
    topic: str = ""
    topic_words: tuple[WeightedWord, ...] = ()
    dynamic_words: tuple[WeightedWord, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a segment's target text reads as it does, from one forced decoding of that text."""

    segment: str
    text: str
    source_words: tuple[SourceWord, ...]
    tokens: tuple[TokenTrace, ...]
    view: MemoryView


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """What is loaded and where it runs.

    Attributes:
        model: the model's name from its card.
        device: "cpu" or "cuda:0 (NVIDIA H100)".
        threads: compute threads on the CPU.
        precision: "float32"; "bfloat16"; or "int8": search multiplies in it, all else is float32.
        memories: names of the memories that the model carries.
    """

    model: str
    device: str
    threads: int
    precision: str
    source_language: str = "zh"
    target_language: str = "en"
    memories: tuple[str, ...] = field(default_factory=tuple)
