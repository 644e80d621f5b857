"""Reads a log into readings."""

import logging
import re
from dataclasses import dataclass
from datetime import datetime
from typing import Iterable, List

from .errors import LogFormatError
from .units import to_celsius

logger = logging.getLogger(__name__)

_LINE = re.compile(r"(?P<at>\S+)\s+(?P<value>-?\d+(?:\.\d+)?)(?P<unit>[CF])")


@dataclass(frozen=True)
class Reading:
    """The temperature at one moment."""

    at: datetime
    celsius: float

    def minutes_to(self, later: "Reading") -> int:
        """Whole minutes from this reading to a later one."""
        return int((later.at - self.at).total_seconds() // 60)


def read_log(lines: Iterable[str]) -> List[Reading]:
    """All readings of a log, in order of time."""
    readings: List[Reading] = []
    skipped = 0
    for number, line in enumerate(lines, start=1):
        text = line.lstrip("\ufeff").strip()
        if not text or text.startswith("#"):
            skipped += 1
            continue
        reading = _parse_line(number, text)
        if readings and reading.at <= readings[-1].at:
            raise LogFormatError(number, "not later than the reading before it")
        readings.append(reading)
    logger.info("%d readings, %d lines skipped", len(readings), skipped)
    return readings


def _parse_line(number: int, text: str) -> Reading:
    match = _LINE.fullmatch(text)
    if match is None:
        raise LogFormatError(number, "expected a time and a temperature")
    try:
        at = datetime.fromisoformat(match["at"])
    except ValueError as error:
        raise LogFormatError(number, f"no time: {match['at']}") from error
    return Reading(at, to_celsius(float(match["value"]), match["unit"]))
