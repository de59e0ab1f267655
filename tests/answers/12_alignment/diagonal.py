"""Answers to the diagonal."""

TASK, CHECKS, PARTS = "diagonal", "alignment", ("diagonal",)


def places(expression: str, before: str = "last = max(1, target_length - 1)") -> str:
    return (
        f"def diagonal(source_length: int, target_length: int) -> list[int]:\n    {before}\n    return {expression}\n"
    )


WRONG = [
    ("steps", "visible", "these are the steps themselves", places("list(range(target_length))")),
    (
        "steps, held back",
        "visible",
        "these are the steps themselves",
        places("[min(step, source_length - 1) for step in range(target_length)]"),
    ),
    (
        "cut off",
        "visible",
        "cut off instead of rounded",
        places("[step * (source_length - 1) // last for step in range(target_length)]"),
    ),
    (
        "rounded up",
        "visible",
        "rounded up",
        places("[math.ceil(step * (source_length - 1) / last) for step in range(target_length)]"),
    ),
    (
        "lengths for last indices",
        "visible",
        "the lengths are divided as they are",
        places("[round(step * source_length / target_length) for step in range(target_length)]"),
    ),
    (
        "target length as it is",
        "visible",
        "only the source counts to its last index",
        places("[round(step * (source_length - 1) / target_length) for step in range(target_length)]"),
    ),
    (
        "source length as it is",
        "visible",
        "only the target counts to its last index",
        places("[round(step * source_length / last) for step in range(target_length)]"),
    ),
    (
        "one for each source word",
        "visible",
        ("9 positions", "one entry for each target word"),
        places("[round(word * (target_length - 1) / (source_length - 1)) for word in range(source_length)]"),
    ),
    (
        "division by zero",
        "visible",
        ("raised ZeroDivisionError", "at your line"),
        places("[round(step * (source_length - 1) / (target_length - 1)) for step in range(target_length)]"),
    ),
    (
        "not rounded",
        "visible",
        "a position is an index: round it",
        places("[step * (source_length - 1) / last for step in range(target_length)]"),
    ),
    (
        "from 1",
        "visible",
        "these count from 1",
        places("[1 + round(step * (source_length - 1) / last) for step in range(target_length)]"),
    ),
    (
        "backwards",
        "visible",
        "from the last source word to the first",
        places("[source_length - 1 - round(step * (source_length - 1) / last) for step in range(target_length)]"),
    ),
    ("a generator", "visible", "a list of whole numbers", places("(0 for step in range(target_length))")),
]

RIGHT = [
    ("rounded", places("[round(step * (source_length - 1) / last) for step in range(target_length)]")),
    (
        "halves up",
        places("[math.floor(step * (source_length - 1) / last + 0.5) for step in range(target_length)]"),
    ),
    (
        "linspace",
        places("torch.linspace(0, source_length - 1, target_length, dtype=torch.float64).round().long().tolist()"),
    ),
    ("a tensor", places("(torch.arange(target_length).double() * (source_length - 1) / last).round().long()")),
    (
        "whole numbers only",
        places("[(2 * step * (source_length - 1) + last) // (2 * last) for step in range(target_length)]"),
    ),
]
