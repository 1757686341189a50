"""Under- and over-translation, estimated by word alignments (Meng et al., 2018, Table 3).

The paper has people count the source words that a translation leaves out and those that it translates more
than once. Here the alignments by hand say which source words ask for a translation (content words with a sure
link), and a lexicon counted in the training text's alignments links them with an output's words. The links
do not come from a model's own attention, so all systems are measured alike. A free rendering that the lexicon
does not know counts as left out: compare systems; the reference itself has none by construction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from anaphora_nmt.errors import CorpusError
from anaphora_text.stop_words import STOP_WORDS
from experiments.measures.alignment_error import AlignedPair
from experiments.measures.lexicon import Lexicon
from experiments.measures.tokens import english_tokens, is_word

_LEAST_SHARE = 0.02


@dataclass(frozen=True, slots=True)
class Adequacy:
    """Source words of the aligned pairs and what became of them.

    Attributes:
        words: content words with a sure link.
        under: those that no output word translates.
        over: those that one and the same output word translates more often than the source asks for.
    """

    words: int
    under: int
    over: int

    @property
    def under_share(self) -> float:
        """under / words."""
        return self.under / self.words if self.words else 0.0

    @property
    def over_share(self) -> float:
        """over / words."""
        return self.over / self.words if self.words else 0.0


def measure_adequacy(pairs: Sequence[AlignedPair], outputs: Sequence[str], lexicon: Lexicon) -> Adequacy:
    """Count under- and over-translated source words in translations of the aligned sources.

    A source word is translated if the output has a word that the alignment by hand links to it, or one that
    the lexicon gives at least a 50th of its links. It is translated too often if the output repeats such
    a word more often than the reference does and than the source has words that it can stand for.

    Raises:
        CorpusError: not as many outputs as pairs.
    """
    if len(pairs) != len(outputs):
        raise CorpusError(f"{len(outputs)} outputs for {len(pairs)} aligned pairs")
    words = under = over = 0
    for pair, output in zip(pairs, outputs, strict=True):
        wanted = [_translations(pair, place, lexicon) for place in _asked(pair)]
        given = Counter(_forms(output))
        reference = Counter(token.lower() for token in pair.target_tokens)
        needed = Counter(word for options in wanted for word in options)
        words += len(wanted)
        under += sum(not any(word in given for word in options) for options in wanted)
        excess = {word for word, times in given.items() if times > max(needed[word], reference[word], 1)}
        over += sum(bool(options & excess) for options in wanted)
    return Adequacy(words, under, over)


def _asked(pair: AlignedPair) -> list[int]:
    """Places of the content words with a sure link to a content word."""
    asked = {
        source
        for source, target in pair.sure
        if is_word(pair.source_tokens[source])
        and is_word(pair.target_tokens[target])
        and pair.target_tokens[target].lower() not in STOP_WORDS
    }
    return sorted(asked)


def _translations(pair: AlignedPair, place: int, lexicon: Lexicon) -> set[str]:
    linked = {pair.target_tokens[target].lower() for source, target in pair.sure if source == place}
    known = lexicon.of(pair.source_tokens[place], _LEAST_SHARE)
    return {word for word in (*linked, *known) if word not in STOP_WORDS}


def _forms(output: str) -> list[str]:
    return [token.text.lower() for token in english_tokens(output)]
