"""The objects that features share: the open project, the engine, the table, actions and panels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar, cast

from PySide6.QtCore import QObject, SignalInstance
from PySide6.QtWidgets import QMainWindow, QWidget

from anaphora.editor.actions.actions import Actions, Keymap
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.table.segment_model import SegmentModel
from anaphora.editor.table.segment_table import SegmentTable
from anaphora.editor.widgets.rail import RailSection
from anaphora.engine.device import ComputeDevice
from anaphora.engine.worker import EngineWorker
from anaphora.project.current import CurrentProject
from anaphora.project.models import ModelService
from anaphora.project.opener import Opener
from anaphora.system.window_settings import WindowSettings

F = TypeVar("F", bound=QObject)


class Panels(Protocol):
    """The docks and the rail's sections by name.

    Signals:
        rail_shown: the rail has come to the front.
    """

    rail_shown: SignalInstance

    def raise_panel(self, name: str, focus: bool = True) -> None:
        """Bring a dock or the rail with a section to the front."""

    def show_dock(self, name: str, shown: bool) -> None: ...

    def section(self, name: str) -> RailSection: ...

    def rail_is_seen(self) -> bool: ...


class Desk:
    """The shared objects, made before any feature and passed to each of them."""

    def __init__(
        self,
        window: QMainWindow,
        theme: Theme,
        settings: WindowSettings,
        device: ComputeDevice,
        worker: EngineWorker,
        models: ModelService,
        project: CurrentProject,
        opener: Opener,
    ) -> None:
        self.window, self.theme, self.settings, self.device = window, theme, settings, device
        self.worker, self.models, self.project, self.tasks = worker, models, project, project.tasks
        self.opener = opener
        self.tasks.setParent(window)  # deleted before other children, which get results
        self._own_parts(window, self)
        self.model = SegmentModel(window)
        self.table = SegmentTable(self.model, theme)
        self.actions = Actions(window, theme)
        self.keymap = Keymap(self.actions, settings)
        self.panels: Panels  # the window sets it
        self._made: dict[object, QObject] = {}

    def of(self, feature: Callable[[Desk], F]) -> F:
        """The feature of this class, made on the first request."""
        if feature not in self._made:
            self._made[feature] = made = feature(self)
            self._own_parts(made, made)
        return cast(F, self._made[feature])

    @staticmethod
    def _own_parts(owner: QObject, holder: object) -> None:
        """Give parts an owner; a connected part without one would keep the window alive."""
        for part in vars(holder).values():
            if isinstance(part, QObject) and not isinstance(part, QWidget) and part.parent() is None:
                part.setParent(owner)
