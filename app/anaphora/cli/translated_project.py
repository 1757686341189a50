"""The project of a translation that was made without a window, for somebody to go on with in one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from anaphora.cli.batch.storage import Place
from anaphora.core.errors import Message
from anaphora.core.installed_model import LANGUAGES_SETTING, MODEL_SETTING, ChosenModel
from anaphora.core.language_pair import LanguagePair
from anaphora.core.project import ProjectExistsError
from anaphora.core.segment import Segment
from anaphora.core.shortening import is_editable
from anaphora.core.source import SourceDocument
from anaphora.features.packs.packs import PACKS_SETTING
from anaphora.features.quality.confidence import FIRST_SETTING
from anaphora.project.opening import NOTES_SETTING
from anaphora.project.store.backups import changes_in
from anaphora.project.store.project import CHANGES_SETTING, ProjectStore
from anaphora.project.store.summary import read_summary
from anaphora.system.file_names import with_ending
from anaphora.system.files import write_atomically
from anaphora.system.locations import PROJECT_SUFFIX, models_folder
from anaphora_nmt.types import MemoryPack


@dataclass(frozen=True, slots=True)
class NewProject:
    """Where a project is made, and what it keeps besides the document.

    Attributes:
        path: see `project_beside`.
        model: the folder of the model that the drafts are made by.
        packs: the memory packs that they follow.
        workshop: a folder to make it in, which somebody removes also where this process is ended meanwhile;
            by default one for temporary files.
    """

    path: Path
    pair: LanguagePair
    model: Path
    packs: Sequence[MemoryPack] = ()
    workshop: Path | None = None

    def check(self) -> None:
        """Refuse what would replace somebody's work; asked before the drafts are made.
        ProjectExistsError: there is a project already that somebody has worked on, or that is open."""
        if not self.path.exists():
            return
        summary = read_summary(self.path)
        # Terms, comments and joins are work, too, though no segment has been edited.
        if summary is None or summary.worked_on or changes_in(self.path, CHANGES_SETTING, "rw") != 0:
            raise ProjectExistsError(
                Message("The project “{path}” is there already, and may hold work.", path=self.path),
                "Move it elsewhere, or choose another folder for the translations.",
            )

    def write(self, document: SourceDocument, segments: Sequence[Segment], mean: float | None) -> None:
        """Make the project; one on which nobody has worked is replaced.

        Args:
            segments: the document's, with their drafts.
            mean: see `core.expected_quality.mean_of_first`.
        Raises:
            ProjectExistsError: see `check`.
            ExportError, ProjectError: it cannot be written.
        """
        self.check()
        kept = replace(document, segments=tuple(filter(is_editable, segments)))
        with TemporaryDirectory(dir=self.workshop) as folder:
            made = Path(folder) / self.path.name
            store = ProjectStore.create(made, kept)
            try:
                for key, value in self._settings(document, mean).items():
                    store.set_setting(key, value)
            finally:
                store.close()
            write_atomically(made.read_bytes(), self.path)

    def _settings(self, document: SourceDocument, mean: float | None) -> dict[str, str]:
        kept = {LANGUAGES_SETTING: self.pair.to_text()}
        if self.model.parent == models_folder():
            installed = ChosenModel(self.model.name, self.model.name, self.pair.source, self.pair.target)
            kept[MODEL_SETTING] = installed.to_text()
        if self.packs:
            texts = [pack.to_bytes().decode() for pack in self.packs]
            kept[PACKS_SETTING] = json.dumps(texts, ensure_ascii=False)
        if document.notes:
            kept[NOTES_SETTING] = json.dumps(document.notes, ensure_ascii=False)
        if mean is not None:
            kept[FIRST_SETTING] = repr(mean)
        return kept


def project_beside(destination: Place) -> Place:
    """Where the project of a translation stands: beside it."""
    return destination.with_name(with_ending(destination.name, PROJECT_SUFFIX))
