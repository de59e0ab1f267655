"""How hard a fuzz test tries: a few examples, always the same ones, or many fresh ones."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

MANY = 4000

efforts = pytest.mark.parametrize("effort", ["few", pytest.param("many", marks=pytest.mark.long("every seed"))])


def fuzz(test: Callable[..., object], effort: str, few: int, **values: st.SearchStrategy) -> None:
    """Calls the test with examples of these values."""
    is_few = effort == "few"
    number = few if is_few else MANY
    checks = list(HealthCheck)
    limits = settings(max_examples=number, derandomize=is_few, deadline=None, suppress_health_check=checks)
    limits(given(**values)(test))()


def fuzzed(few: int, **values: st.SearchStrategy) -> Callable[[Callable[..., object]], Callable[[str], None]]:
    """``@fuzzed(50, text=st.text())`` makes a test of each effort."""

    def decorate(test: Callable[..., object]) -> Callable[[str], None]:
        @efforts
        def with_effort(effort: str) -> None:
            fuzz(test, effort, few, **values)

        return with_effort

    return decorate
