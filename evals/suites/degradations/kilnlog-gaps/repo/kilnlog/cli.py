"""The command line."""

import argparse
import sys
from typing import List, Optional

from .errors import KilnlogError
from .readings import read_log
from .report import render_differences, render_report, render_segments
from .schedule import compare_to_schedule, read_schedule
from .segments import Segment, split_segments


def main(argv: Optional[List[str]] = None) -> int:
    args = _parser().parse_args(argv)
    try:
        return args.run(args)
    except KilnlogError as error:
        print(f"kilnlog: {error}", file=sys.stderr)
        return 2


def _segments(args: argparse.Namespace) -> int:
    for line in render_segments(_split(args)):
        print(line)
    return 0


def _report(args: argparse.Namespace) -> int:
    for line in render_report(_split(args)):
        print(line)
    return 0


def _check(args: argparse.Namespace) -> int:
    with open(args.schedule, encoding="utf-8") as file:
        holds = read_schedule(file)
    differences = compare_to_schedule(_split(args), holds)
    for line in render_differences(differences):
        print(line)
    return 1 if differences else 0


def _split(args: argparse.Namespace) -> List[Segment]:
    with open(args.log, encoding="utf-8") as file:
        readings = read_log(file)
    return split_segments(readings, tolerance=args.tolerance)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kilnlog")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    options = argparse.ArgumentParser(add_help=False)
    options.add_argument("log", metavar="LOG")
    options.add_argument(
        "--tolerance",
        type=float,
        default=2.0,
        metavar="DEGREES",
        help="how far neighbouring readings of a hold may differ (default: 2)",
    )

    segments = commands.add_parser("segments", parents=[options])
    segments.set_defaults(run=_segments)

    report = commands.add_parser("report", parents=[options])
    report.set_defaults(run=_report)

    check = commands.add_parser("check", parents=[options])
    check.add_argument("schedule", metavar="SCHEDULE")
    check.set_defaults(run=_check)
    return parser
