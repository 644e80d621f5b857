"""Compares the holds of a firing with a schedule."""

from dataclasses import dataclass
from typing import Iterable, List, Sequence

from .errors import DurationError, LogFormatError
from .segments import Segment
from .units import parse_duration


@dataclass(frozen=True)
class Hold:
    """A hold that a schedule asks for."""

    celsius: float
    minutes: int


@dataclass(frozen=True)
class Difference:
    """A hold that was missed, or kept for too short a time."""

    hold: Hold
    kept: int


def read_schedule(lines: Iterable[str]) -> List[Hold]:
    """The holds of a schedule; other steps are skipped."""
    holds: List[Hold] = []
    for number, line in enumerate(lines, start=1):
        words = line.split()
        if not words or words[0] != "hold":
            continue
        if len(words) != 3:
            raise LogFormatError(number, "expected: hold DEGREES DURATION")
        try:
            holds.append(Hold(float(words[1]), parse_duration(words[2])))
        except DurationError as error:
            raise LogFormatError(number, str(error)) from error
        except ValueError as error:
            raise LogFormatError(number, f"no temperature: {words[1]}") from error
    return holds


def compare_to_schedule(
    segments: Sequence[Segment], holds: Sequence[Hold], *, within: float = 5.0
) -> List[Difference]:
    """Holds of the schedule that the firing did not keep long enough."""
    differences: List[Difference] = []
    for hold in holds:
        kept = sum(
            segment.minutes
            for segment in segments
            if segment.kind == "hold"
            and abs(segment.start.celsius - hold.celsius) <= within
        )
        if kept < hold.minutes:
            differences.append(Difference(hold, kept))
    return differences
