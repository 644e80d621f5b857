"""Splits readings into ramps, holds and coolings."""

import logging
from dataclasses import dataclass
from typing import List, Sequence

from .errors import SettingError
from .readings import Reading

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Segment:
    """A stretch of a firing in which the kiln did one thing."""

    kind: str
    start: Reading
    end: Reading

    @property
    def minutes(self) -> int:
        return self.start.minutes_to(self.end)

    @property
    def rate(self) -> float:
        """Degrees an hour; negative when the kiln cooled."""
        return (self.end.celsius - self.start.celsius) * 60 / self.minutes


def split_segments(
    readings: Sequence[Reading], *, tolerance: float = 2.0
) -> List[Segment]:
    """The segments of a firing in order of time.

    Neighbouring readings that differ by at most ``tolerance`` degrees belong to
    a hold, others to a ramp or a cooling.
    """
    if tolerance < 0:
        raise SettingError(f"tolerance must not be negative: {tolerance}")
    segments: List[Segment] = []
    for start, end in zip(readings, readings[1:]):
        kind = _classify(start, end, tolerance)
        if segments and segments[-1].kind == kind:
            segments[-1] = Segment(kind, segments[-1].start, end)
        else:
            segments.append(Segment(kind, start, end))
    logger.info("%d readings make %d segments", len(readings), len(segments))
    return segments


def _classify(start: Reading, end: Reading, tolerance: float) -> str:
    change = end.celsius - start.celsius
    if abs(change) <= tolerance:
        return "hold"
    return "ramp" if change > 0 else "cool"
