"""Text for people."""

from typing import Dict, List, Sequence

from .schedule import Difference
from .segments import Segment
from .units import format_celsius, format_duration


def totals(segments: Sequence[Segment]) -> Dict[str, int]:
    """Minutes of each kind of segment that occurs."""
    minutes: Dict[str, int] = {}
    for segment in segments:
        minutes[segment.kind] = minutes.get(segment.kind, 0) + segment.minutes
    return minutes


def render_segments(segments: Sequence[Segment]) -> List[str]:
    return [f"{s.kind}  {format_duration(s.minutes)}" for s in segments]


def render_report(segments: Sequence[Segment]) -> List[str]:
    """A line for each segment, and the total time."""
    lines = [
        f"{s.kind}  {format_duration(s.minutes)}  {_temperatures(s)}" for s in segments
    ]
    lines.append(f"total {format_duration(sum(totals(segments).values()))}")
    return lines


def render_differences(differences: Sequence[Difference]) -> List[str]:
    return [
        f"{format_celsius(d.hold.celsius)}: "
        f"{format_duration(d.kept)} of {format_duration(d.hold.minutes)}"
        for d in differences
    ]


def _temperatures(segment: Segment) -> str:
    start = format_celsius(segment.start.celsius)
    if segment.kind == "hold":
        return f"at {start}"
    return f"from {segment.start.celsius:.0f} to {format_celsius(segment.end.celsius)}"
