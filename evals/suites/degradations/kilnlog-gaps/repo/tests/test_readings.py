from datetime import datetime

import pytest

from kilnlog import LogFormatError, Reading, read_log


def test_readings(bisque):
    assert len(bisque) == 10
    assert bisque[1] == Reading(datetime(2024, 3, 1, 9, 0), 165.0)


def test_byte_order_mark_comments_and_blank_lines():
    lines = ["\ufeff# kiln 1\n", "\n", "2024-03-01T08:00 20C\n"]
    assert [r.celsius for r in read_log(lines)] == [20.0]


@pytest.mark.parametrize(
    "line, reason",
    [
        ("2024-03-01T08:00", "expected a time"),
        ("yesterday 20C", "no time: yesterday"),
        ("2024-03-01T07:00 20C", "not later"),
    ],
)
def test_bad_line(line, reason):
    with pytest.raises(LogFormatError, match=reason) as caught:
        read_log(["2024-03-01T07:00 19C", line])
    assert caught.value.number == 2
