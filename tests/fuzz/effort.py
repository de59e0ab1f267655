"""How many examples a fuzz test tries."""

from hypothesis import HealthCheck, settings


def examples(number: int) -> settings:
    """``number`` examples in the suite, the same ones each time; as many as the profile says with the long one."""
    is_long = settings.default.max_examples > 1000
    return settings(
        max_examples=settings.default.max_examples if is_long else number,
        derandomize=not is_long,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
