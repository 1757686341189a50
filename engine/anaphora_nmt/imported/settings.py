"""Read a toolkit's settings by name, and refuse unread ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

from anaphora_nmt.errors import ModelFileError

T = TypeVar("T")
_MISSING = object()


class Settings:
    """The settings in a file. Reading a setting removes it, so that `finish` finds those that are unread."""

    def __init__(self, file: Path, values: Mapping[str, Any]) -> None:
        self.file = file
        self._values = dict(values)

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def integer(self, name: str, default: int | None = None, minimum: int = 1, maximum: int = 65536) -> int:
        """An integer in a range; ModelFileError for other values, or if it is missing without a default."""
        value = self._take(name, default)
        if not isinstance(value, int) or isinstance(value, bool) or not minimum <= value <= maximum:
            raise self.refusal(name, value)
        return value

    def optional_integer(self, name: str) -> int | None:
        if self._values.get(name) is None:
            self._values.pop(name, None)
            return None
        return self.integer(name, minimum=0, maximum=1 << 24)

    def number(self, name: str, default: float) -> float:
        value = self._take(name, default)
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value < 1e9:
            raise self.refusal(name, value)
        return float(value)

    def flag(self, name: str, default: bool | None = None) -> bool:
        value = self._take(name, default)
        if not isinstance(value, bool):
            raise self.refusal(name, value)
        return value

    def choice(self, name: str, known: Mapping[Any, T], default: str | int | None = None) -> T:
        value = self._take(name, default)
        if not isinstance(value, (str, int)) or value not in known:
            raise self.refusal(name, value)
        return known[value]

    def text(self, name: str, default: str) -> str:
        value = self._take(name, default)
        if not isinstance(value, str):
            raise self.refusal(name, value)
        return value

    def share(self, names: Mapping[str, Collection[str]]) -> None:
        """Move global settings to scopes that lack them; `names` contains names of settings, by scope."""
        values = dict(self._values)
        for scope, each in names.items():
            for name in each:
                if name in values:
                    self._values.setdefault(scope + name, values[name])
                    self._values.pop(name, None)

    def raw(self, name: str, default: Any = None) -> Any:
        return self._values.pop(name, default)

    def expect(self, **expected: Collection[Any]) -> None:
        """Read settings that may be missing; ModelFileError if one has an unexpected value."""
        for name, values in expected.items():
            value = self._values.pop(name, _MISSING)
            if value is not _MISSING and not any(value is each or value == each for each in values):
                raise self.refusal(name, value)

    def finish(self, without_effect: Collection[str]) -> None:
        """ModelFileError if a setting is unread and not in `without_effect`."""
        for name, value in self._values.items():
            if name not in without_effect:
                raise self.refusal(name, value)

    def refusal(self, name: str, value: object) -> ModelFileError:
        text = "nothing" if value is _MISSING else str(value)
        return ModelFileError(
            "{file} sets {name} to {value}. Anaphora does not support such models.",
            file=self.file,
            name=name,
            value=text if len(text) <= 80 else text[:79] + "…",
        )

    def _take(self, name: str, default: object) -> Any:
        return self._values.pop(name, _MISSING if default is None else default)
