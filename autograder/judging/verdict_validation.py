"""Validates a stored verdict: files can be damaged, or edited by hand."""

import math
from collections.abc import Mapping
from dataclasses import astuple
from typing import get_args

from autograder.records.verdict import CellResult, CellStatus, CheckStatus, CheckVerdict, Status, Verdict

STORED = set(get_args(Status)) - {"infrastructure"}  # faults of ours are never stored


def is_sound(verdict: Verdict) -> bool:
    """Whether every field has its type and range."""
    return (
        verdict.status in STORED
        and type(verdict.seed) is int
        and _texts(verdict.notes)
        and _amount(verdict.seconds)
        and all(map(_check, verdict.checks))
        and all(map(_cell, verdict.cells))
        and len({check.cell for check in verdict.checks}) == len(verdict.checks)
    )


def fits(verdict: Verdict, checks: Mapping[str, float], seed: int) -> bool:
    """Whether the verdict is on these checks (name → points) with this seed."""
    return verdict.seed == seed and {check.cell: check.max_points for check in verdict.checks} == dict(checks)


def _check(check: CheckVerdict) -> bool:
    return (
        _texts([check.cell, *astuple(check.finding)])
        and check.status in get_args(CheckStatus)
        and _amount(check.points)
        and _amount(check.max_points)
        and check.points <= check.max_points
    )


def _cell(cell: CellResult) -> bool:
    return (
        _texts([cell.cell])
        and cell.status in get_args(CellStatus)
        and type(cell.outputs) is list
        and all(type(output) is dict for output in cell.outputs)
        and _amount(cell.seconds)
    )


def _texts(values: object) -> bool:
    return type(values) is list and all(type(value) is str for value in values)


def _amount(value: object) -> bool:
    return (type(value) is int or type(value) is float) and math.isfinite(value) and value >= 0
