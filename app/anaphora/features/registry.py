"""Which features the window has: the only list of them.

In this order they are made, follow a project and are told of a segment: each stands behind those it asks.
"""

from __future__ import annotations

from anaphora.editor.feature import Feature
from anaphora.features.checks.feature import Checks
from anaphora.features.comments.feature import Comments
from anaphora.features.dictionary.feature import Dictionary
from anaphora.features.find.feature import Find
from anaphora.features.packs.feature import Packs
from anaphora.features.quality.feature import Quality
from anaphora.features.review.feature import Review
from anaphora.features.spelling.feature import Spelling
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm

LOWER: tuple[type[Feature], ...] = (Spelling, Quality, Dictionary, Terms, Tm, Checks, Find, Comments, Review)
"""They ask nothing that is in `window/legacy.py`, which stands between these and the others."""
UPPER: tuple[type[Feature], ...] = (Packs,)
