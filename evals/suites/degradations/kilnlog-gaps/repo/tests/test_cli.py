from kilnlog.cli import main

from .conftest import DATA


def test_segments(bisque_path, capsys):
    assert main(["segments", str(bisque_path)]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == ["ramp  4h00m", "hold  0h30m"]


def test_report_ends_with_the_total(bisque_path, capsys):
    assert main(["report", str(bisque_path)]) == 0
    assert capsys.readouterr().out.endswith("total 8h10m\n")


def test_check(bisque_path, capsys):
    assert main(["check", str(bisque_path), str(DATA / "bisque.schedule")]) == 0
    assert capsys.readouterr().out == ""


def test_bad_setting_is_a_message_and_status_2(bisque_path, capsys):
    assert main(["segments", str(bisque_path), "--tolerance", "-1"]) == 2
    assert capsys.readouterr().err == "kilnlog: tolerance must not be negative: -1.0\n"
