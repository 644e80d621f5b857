"""Errors that a user can put right."""


class KilnlogError(Exception):
    """Base of all of them."""


class LogFormatError(KilnlogError):
    """A line of a log or schedule that cannot be read."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(f"line {number}: {reason}")
        self.number = number
        self.reason = reason


class DurationError(KilnlogError, ValueError):
    """Text that is no duration."""


class SettingError(KilnlogError, ValueError):
    """An option with a value that makes no sense."""
