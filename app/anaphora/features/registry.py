"""The window's features, in the order of creation and notification: a feature follows those that it uses."""

from __future__ import annotations

from anaphora.editor.feature import Feature
from anaphora.features.checks.feature import Checks
from anaphora.features.comments.feature import Comments
from anaphora.features.corrections.feature import Corrections
from anaphora.features.dictionary.feature import Dictionary
from anaphora.features.discourse.feature import DiscourseFeature
from anaphora.features.documents.feature import Documents
from anaphora.features.downloads.feature import Downloads
from anaphora.features.drafting.feature import Drafting
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.explain.feature import Explain
from anaphora.features.filter.feature import Filter
from anaphora.features.find.feature import Find
from anaphora.features.help.feature import Help
from anaphora.features.models.feature import Models
from anaphora.features.packs.feature import Packs
from anaphora.features.quality.feature import Quality
from anaphora.features.review.feature import Review
from anaphora.features.segments.feature import Segments
from anaphora.features.spelling.feature import Spelling
from anaphora.features.statistics.feature import Counts
from anaphora.features.steering.feature import Steering
from anaphora.features.tabs.feature import Tabs
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm

FEATURES: tuple[type[Feature], ...] = (
    *(Segments, Spelling, Quality, Dictionary, Terms, DiscourseFeature, Tm, Checks),
    *(Drafting, Explain, Steering, Corrections, Packs),
    *(Find, Comments, Review, Counts, Help, Models, Downloads, EngineState, Documents, Tabs, Filter),
)
