"""Item statistics, each defined once: how hard a check is, and whether it tells strong work from weak.

``points`` is an array of shares, shape (students, checks), every value in 0–1: points over the check's maximum.
``weights`` holds each check's maximum points, shape (checks,); a student's total is ``points @ weights``.
An undefined statistic, such as a correlation without spread, is NaN.
"""

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

GROUP = 0.27  # Kelley (1939): the share of a class at each end that shows a difference best
SMALL = 30  # below this a correlation says little; its interval is wider than 0.7


def difficulty(points: Array) -> Array:
    """The mean share of the points that was reached, shape (checks,): 1 is easy, 0 is hard; NaN without students."""
    if len(points) == 0:
        return np.full(points.shape[1], math.nan)
    return points.mean(0)


def point_biserial(points: Array, weights: Array) -> Array:
    """The correlation of each check with the total, the check included, shape (checks,).

    For checks that are passed or failed this is the point-biserial correlation; it is inflated for
    short tests, because a check correlates with itself.
    """
    total = points @ weights
    return np.array([correlation(points[:, check], total) for check in range(points.shape[1])])


def item_rest(points: Array, weights: Array) -> Array:
    """The correlation of each check with the total of all the others, shape (checks,)."""
    total = points @ weights
    rest = [total - points[:, check] * weights[check] for check in range(points.shape[1])]
    return np.array([correlation(points[:, check], other) for check, other in enumerate(rest)])


def upper_lower(points: Array, weights: Array) -> Array:
    """The mean share reached by the best ``GROUP`` of the class minus that of the weakest, shape (checks,).

    The groups have ``round(GROUP · students)`` members, at least one.
    Students tied at a group's boundary share its last seats, so that their order does not matter.
    NaN with fewer than two students.
    """
    students = len(points)
    if students < 2:
        return np.full(points.shape[1], math.nan)
    total = points @ weights
    seats = max(1, round(GROUP * students))
    upper, lower = _seated(total, seats), _seated(-total, seats)
    return (upper - lower) @ points / seats


def _seated(total: Array, seats: int) -> Array:
    """Each student's share of a seat among the ``seats`` highest totals, shape (students,)."""
    border = np.sort(total)[-seats]
    tied = np.isclose(total, border, rtol=0, atol=1e-9)
    above = (total > border) & ~tied
    return above + tied * (seats - above.sum()) / tied.sum()


def correlation(left: Array, right: Array) -> float:
    """Pearson's; NaN where one side has no spread."""
    left, right = left - left.mean() if len(left) else left, right - right.mean() if len(right) else right
    spread = math.sqrt(float(left @ left) * float(right @ right))
    if spread < 1e-9:
        return math.nan
    return min(1.0, max(-1.0, float(left @ right) / spread))


def interval(r: float, students: int) -> tuple[float, float]:
    """The approximate 95 % confidence interval of a correlation (Fisher's z).

    NaN with three students or fewer, or where r is NaN.
    """
    if students <= 3 or math.isnan(r):
        return math.nan, math.nan
    middle = math.atanh(min(0.999999, max(-0.999999, r)))
    reach = 1.959964 / math.sqrt(students - 3)
    return math.tanh(middle - reach), math.tanh(middle + reach)


def reliability(points: Array, weights: Array) -> float:
    """Cronbach's alpha: how much of the spread of totals the checks have in common; NaN without spread."""
    checks = points.shape[1]
    scored = points * weights
    if len(points) < 2 or checks < 2:
        return math.nan
    whole = scored.sum(1).var(ddof=1)
    if whole < 1e-12:
        return math.nan
    return float(checks / (checks - 1) * (1 - scored.var(0, ddof=1).sum() / whole))


def reading(p: float, r: float) -> tuple[str, bool]:
    """One sentence on a check's difficulty ``p`` and item–rest correlation ``r``, faults first.

    Then whether the check is suspect and a person should look at it: nobody passed it, or it correlates poorly.
    """
    if math.isnan(p):
        return "Nobody attempted it.", False
    if p >= 1:
        return "Everybody passed: it does not discriminate, which suits a first step.", False
    if p <= 0:
        return "Nobody passed: look at the check and the chapter before the class.", True
    if math.isnan(r):
        return "The other checks have no spread to compare it with.", False
    if r < 0:
        return "Those who do well elsewhere do worse here: look for a fault in the check or its wording.", True
    if r < 0.2:
        return "It hardly tells strong work from weak: is its wording clear, or can it be passed by luck?", True
    if r < 0.3:
        return "It tells strong work from weak, a little.", False
    return "It tells strong work from weak.", False
