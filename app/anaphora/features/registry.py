"""Which features the window has: the only list of them.

In this order they are made, follow a project and are told of a segment: each stands behind those it asks.
"""

from __future__ import annotations

from anaphora.editor.feature import Feature
from anaphora.features.comments.feature import Comments
from anaphora.features.corrections.feature import Corrections
from anaphora.features.dictionary.feature import Dictionary
from anaphora.features.downloads.feature import Downloads
from anaphora.features.drafting.feature import Drafting
from anaphora.features.explain.feature import Explain
from anaphora.features.find.feature import Find
from anaphora.features.models.feature import Models
from anaphora.features.packs.feature import Packs
from anaphora.features.quality.feature import Quality
from anaphora.features.steering.feature import Steering
from anaphora.features.terms.feature import Terms

LOWER: tuple[type[Feature], ...] = (Quality, Dictionary, Terms, Find, Comments, Models)
"""They ask nothing that is in `window/legacy.py`, which stands between these and the others."""
UPPER: tuple[type[Feature], ...] = (Drafting, Explain, Steering, Corrections, Packs, Downloads)
