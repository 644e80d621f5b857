from kilnlog import Difference, Hold, compare_to_schedule, read_schedule, split_segments


def test_read_schedule():
    assert read_schedule(["ramp 600 145", "hold 600 30m"]) == [Hold(600, 30)]


def test_kept(bisque):
    assert compare_to_schedule(split_segments(bisque), [Hold(600, 30)]) == []


def test_too_short(bisque):
    hold = Hold(960, 25)
    assert compare_to_schedule(split_segments(bisque), [hold]) == [Difference(hold, 10)]
