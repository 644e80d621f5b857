from kilnlog import render_report, split_segments, totals


def test_totals(bisque):
    assert totals(split_segments(bisque)) == {"ramp": 330, "hold": 40, "cool": 120}


def test_report(bisque):
    assert render_report(split_segments(bisque)) == [
        "ramp  4h00m  from 20 to 600 °C",
        "hold  0h30m  at 600 °C",
        "ramp  1h30m  from 600 to 960 °C",
        "hold  0h10m  at 960 °C",
        "cool  2h00m  from 961 to 520 °C",
        "total 8h10m",
    ]
