"""Text in aligned columns."""

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[str]], sides: str, header: bool = True) -> list[str]:
    """The rows as lines, the first underlined if it is a ``header``.

    sides: "<" or ">" for each column but the last, which is as long as it is.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    lines = []
    for row in rows:
        cells = [f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=False)]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    return [lines[0], "  ".join("─" * width for width in widths), *lines[1:]] if header else lines
