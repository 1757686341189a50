"""The user's rules for segmenting documents into sentences."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.core.languages import language_of
from anaphora.core.structure import MAX_SOURCE_LENGTH
from anaphora.formats.segmentation import segmenter as srx
from anaphora.formats.segmentation.segmenter import Segmenter, language_of_rules
from anaphora.system.files import write_atomically
from anaphora.system.locations import data_folder

SAMPLE_SECONDS = 0.3
"""Maximum time in seconds to segment a sample."""


class UserRules:
    """The user's sentence rules from the data folder; if there are none, the built-in rules."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path = (folder or data_folder()) / "sentence-rules.srx"

    def text(self) -> str:
        """The rules as the text of an SRX file; raises SegmentationError if the file cannot be read."""
        try:
            return self.path.read_text("utf-8") if self.path.exists() else srx.default_rules()
        except (OSError, UnicodeDecodeError) as error:
            raise srx.SegmentationError(
                Message(
                    "The sentence rules in “{path}” cannot be read: {error}.", path=self.path, error=error
                ),
                "Reset or remove them.",
            ) from error

    def save(self, rules: Sequence[srx.Rule]) -> None:
        """Save the rules, for documents that are opened from now on; built-in rules are not saved. Raises
        SegmentationError if an expression is invalid."""
        text = srx.write_srx(rules)
        srx.read_srx(text)
        if tuple(rules) == built_in_rules():
            self.reset()  # so that the built-in rules of newer versions will apply
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(text.encode("utf-8"), self.path)

    def reset(self) -> None:
        self.path.unlink(missing_ok=True)


def built_in_rules() -> tuple[srx.Rule, ...]:
    return srx.read_srx(srx.default_rules())


def segment_sample(rules: Sequence[srx.Rule], sample: str, language: str = "") -> tuple[str, ...]:
    """Segment a sample from a document in `language` by rules that the user is editing; raises
    SegmentationError if they are invalid or take too long."""
    code = language_of_rules(stored_language(language), sample)
    breaker = srx.Breaker(srx.rules_for(srx.read_srx(srx.write_srx(rules)), code), SAMPLE_SECONDS)
    edges = [0, *breaker.breaks(sample), len(sample)]
    parts = (sample[a:b].strip() for a, b in pairwise(edges))
    return tuple(part for part in parts if part)


def user_segmenter(language: str = "") -> Segmenter:
    """The segmenter for a new document; raises SegmentationError if the user's rules are invalid."""
    return Segmenter(UserRules().text(), stored_language(language), MAX_SOURCE_LENGTH)


def stored_language(language: str) -> str:
    """The code that is stored for a document's language: "" for Chinese, which the app's model translates."""
    code = language_of(language).code
    return "" if code == "zh" else code
