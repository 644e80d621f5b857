"""Durations and temperatures, from text and to text."""

import re

from .errors import DurationError

_DURATION = re.compile(r"(?:(?P<hours>\d+)h)?(?:(?P<minutes>\d+)m)?")


def parse_duration(text: str) -> int:
    """Minutes of a duration such as ``45m``, ``2h`` or ``1h30m``."""
    match = _DURATION.fullmatch(text.strip().lower())
    if match is None or match.lastgroup is None:
        raise DurationError(f"no duration: {text!r} (try 45m, 2h or 1h30m)")
    return int(match["hours"] or 0) * 60 + int(match["minutes"] or 0)


def format_duration(minutes: int) -> str:
    """The inverse of ``parse_duration``, always with both parts: ``1h05m``."""
    hours, rest = divmod(minutes, 60)
    return f"{hours}h{rest:02d}m"


def to_celsius(value: float, unit: str) -> float:
    if unit == "C":
        return value
    if unit == "F":
        return (value - 32) * 5 / 9
    raise ValueError(f"unknown unit {unit!r}")


def format_celsius(value: float) -> str:
    return f"{value:.0f} °C"
