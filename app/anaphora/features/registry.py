"""Which features the window has: the only list of them.

In this order they are made, follow a project and are told of a segment: each stands behind those it asks.
"""

from __future__ import annotations

from anaphora.editor.feature import Feature
from anaphora.features.checks.feature import Checks
from anaphora.features.comments.feature import Comments
from anaphora.features.dictionary.feature import Dictionary
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.filter.feature import Filter
from anaphora.features.find.feature import Find
from anaphora.features.help.feature import Help
from anaphora.features.packs.feature import Packs
from anaphora.features.quality.feature import Quality
from anaphora.features.review.feature import Review
from anaphora.features.segments.feature import Segments
from anaphora.features.spelling.feature import Spelling
from anaphora.features.statistics.feature import Counts
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm

LOWER: tuple[type[Feature], ...] = (
    *(Segments, Spelling, Quality, Dictionary, Terms, Tm, Checks),
    *(Find, Comments, Review, Counts, Help),
)
"""They ask nothing that is in `window/legacy.py`, which stands between these and the others."""
UPPER: tuple[type[Feature], ...] = (Packs, EngineState, Filter)
