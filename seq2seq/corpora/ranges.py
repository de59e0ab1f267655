"""The range that a drawn corpus is asked for: of lengths, or of a number of parts."""


def check_range(name: str, bounds: tuple[int, int], least: int, why: str, most: int | None = None) -> None:
    """Refuse a range that is empty, or reaches below the least or beyond the most that has a meaning.

    Raises:
        ValueError: it is not least <= first bound <= second bound <= most; `why` ends the message.
    """
    low, high = bounds
    if not least <= low <= high <= (high if most is None else most):
        order = "shortest <= longest" if name == "lengths" else "fewest <= most"
        limit = "" if most is None else f" <= {most}"
        raise ValueError(f"{name}: got {bounds}, expected {least} <= {order}{limit}, {why}.")
