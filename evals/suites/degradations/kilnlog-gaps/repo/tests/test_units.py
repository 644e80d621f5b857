import pytest

from kilnlog import DurationError
from kilnlog.units import format_duration, parse_duration, to_celsius


@pytest.mark.parametrize(
    "text, minutes",
    [("45m", 45), ("2h", 120), ("1h30m", 90), (" 1H05M ", 65), ("0m", 0)],
)
def test_durations(text, minutes):
    assert parse_duration(text) == minutes


@pytest.mark.parametrize("text", ["", "90", "m", "1h 30m", "-5m", "1.5h"])
def test_no_duration(text):
    with pytest.raises(DurationError, match="no duration"):
        parse_duration(text)


def test_format_duration():
    assert [format_duration(m) for m in (5, 60, 605)] == ["0h05m", "1h00m", "10h05m"]


def test_fahrenheit():
    assert to_celsius(212, "F") == pytest.approx(100)
