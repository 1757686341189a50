"""Learning rate over the run."""

from __future__ import annotations

from anaphora_nmt.config import TrainingConfig


def rate_factor(config: TrainingConfig, update: int) -> float:
    """Share of the peak rate at `update` (from 0): linear rise, plateau, linear fall to a fiftieth.

    A plateau lets a run be prolonged: its length matters only once the fall begins.
    """
    rise = min(1.0, (update + 1) / max(1, config.warmup))
    left = config.updates - update
    fall = max(0.02, min(1.0, left / max(1, config.decay)))
    return min(rise, fall)
