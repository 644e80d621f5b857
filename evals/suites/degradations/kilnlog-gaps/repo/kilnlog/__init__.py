"""Reads temperature logs of pottery kilns."""

from .errors import DurationError, KilnlogError, LogFormatError, SettingError
from .readings import Reading, read_log
from .report import render_report, totals
from .schedule import Difference, Hold, compare_to_schedule, read_schedule
from .segments import Segment, split_segments

__all__ = [
    "Difference",
    "DurationError",
    "Hold",
    "KilnlogError",
    "LogFormatError",
    "Reading",
    "Segment",
    "SettingError",
    "compare_to_schedule",
    "read_log",
    "read_schedule",
    "render_report",
    "split_segments",
    "totals",
]
