import pytest

from kilnlog import KilnlogError, SettingError, read_log, split_segments


def test_kinds_and_minutes(bisque):
    segments = split_segments(bisque)
    assert [(s.kind, s.minutes) for s in segments] == [
        ("ramp", 240),
        ("hold", 30),
        ("ramp", 90),
        ("hold", 10),
        ("cool", 120),
    ]


def test_rate(bisque):
    first, *_, last = split_segments(bisque)
    assert first.rate == pytest.approx(145)
    assert last.rate == pytest.approx(-220.5)


def test_tolerance():
    readings = read_log(["2024-03-01T08:00 600C", "2024-03-01T08:10 604C"])
    assert split_segments(readings)[0].kind == "ramp"
    assert split_segments(readings, tolerance=4)[0].kind == "hold"


def test_negative_tolerance(bisque):
    with pytest.raises(SettingError, match="tolerance"):
        split_segments(bisque, tolerance=-1)
    assert issubclass(SettingError, KilnlogError)


def test_too_few_readings(bisque):
    assert split_segments([]) == []
    assert split_segments(bisque[:1]) == []
