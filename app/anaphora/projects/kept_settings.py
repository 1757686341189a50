"""What a project keeps for the services that follow it, read off the window's thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from anaphora.core.installed_model import LANGUAGES_SETTING, MODEL_SETTING, ChosenModel
from anaphora.core.language_pair import LanguagePair
from anaphora.document.dismissals import DISMISSED_SETTING, KeptDismissals, read_dismissals
from anaphora.drafting.changed_drafts import CHANGED_SETTING, ChangedDraft, read_changed
from anaphora.drafting.confidence import FIRST_SETTING, read_first
from anaphora.memory.packs import PACKS_SETTING, KeptPacks, read_packs
from anaphora.memory.steering import RULES_SETTING, KeptRules, read_rules
from anaphora.spelling.service import IGNORED_SETTING, read_ignored

ROW_SETTING = "window/row"
"""Under this name a project keeps the segment that the user was at."""


@dataclass(frozen=True, slots=True)
class KeptSettings:
    """Settings of a project; one that cannot be read says so, and is as if it were not there.

    Attributes:
        row: see `ROW_SETTING`.
        said: its languages, where somebody has said them.
        first_drafts: see `FIRST_SETTING`.
        ignored: see `IGNORED_SETTING`.
        changed: see `CHANGED_SETTING`.
    """

    row: str = "0"
    model: ChosenModel = field(default_factory=ChosenModel)
    said: LanguagePair | None = None
    rules: KeptRules = field(default_factory=KeptRules)
    packs: KeptPacks = field(default_factory=KeptPacks)
    dismissed: KeptDismissals = field(default_factory=KeptDismissals)
    first_drafts: float | None = None
    ignored: frozenset[str] = frozenset()
    changed: tuple[ChangedDraft, ...] = ()

    @classmethod
    def read(cls, settings: Mapping[str, str]) -> KeptSettings:
        """Read all settings of a project."""
        return cls(
            settings.get(ROW_SETTING, "0"),
            ChosenModel.from_text(settings.get(MODEL_SETTING, "")),
            LanguagePair.from_text(settings.get(LANGUAGES_SETTING, "")),
            read_rules(settings.get(RULES_SETTING, "")),
            read_packs(settings.get(PACKS_SETTING, "")),
            read_dismissals(settings.get(DISMISSED_SETTING, "")),
            read_first(settings.get(FIRST_SETTING, "")),
            read_ignored(settings.get(IGNORED_SETTING, "")),
            read_changed(settings.get(CHANGED_SETTING, "")),
        )
