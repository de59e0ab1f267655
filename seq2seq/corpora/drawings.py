"""Drawn pictures with captions: a few coloured shapes on a grid, and a sentence that names them from left to right.

Each colour or shape word refers to one cell of the grid, so it is known where attention should look.
"""

from dataclasses import dataclass
from random import Random

import torch
from torch import Tensor

from seq2seq.corpora.ranges import check_range
from seq2seq.guards import check_at_least

GRID = 7  # cells per side
CELL = 6  # pixels per side of a cell
SIDE = GRID * CELL
COLOURS = {
    "red": (0.9, 0.1, 0.1),
    "green": (0.1, 0.6, 0.2),
    "blue": (0.1, 0.2, 0.9),
    "yellow": (0.9, 0.8, 0.0),
    "purple": (0.6, 0.1, 0.7),
    "black": (0.0, 0.0, 0.0),
}
FORMS = {
    "square": ("#####", "#####", "#####", "#####", "#####"),
    "circle": (".###.", "#####", "#####", "#####", ".###."),
    "ring": (".###.", "#...#", "#...#", "#...#", ".###."),
    "diamond": ("..#..", ".###.", "#####", ".###.", "..#.."),
    "cross": ("..#..", "..#..", "#####", "..#..", "..#.."),
    "triangle": ("..#..", "..#..", ".###.", ".###.", "#####"),
}
_STENCILS = {name: torch.tensor([[pixel == "#" for pixel in row] for row in rows]) for name, rows in FORMS.items()}
_BACKGROUND = 1.0
_SLACK = CELL - 5  # how far a form of 5 pixels can move inside its cell


@dataclass(frozen=True, slots=True)
class Shape:
    """One coloured form in one cell; `down` and `right` say where in the cell, 0 or 1 pixel."""

    colour: str
    form: str
    row: int
    column: int
    down: int = 0
    right: int = 0

    @property
    def region(self) -> int:
        """The cell's number, counted row by row from 0."""
        return self.row * GRID + self.column


@dataclass(frozen=True, slots=True)
class Drawing:
    """Shapes from left to right, the caption that names them, and the region each word refers to.

    ``links`` holds (region, caption position), both from 0, as the links of a sentence pair do.
    A colour and a form have one link, the words between two shapes one to each of the two, an article none.
    """

    shapes: tuple[Shape, ...]
    caption: tuple[str, ...]
    links: frozenset[tuple[int, int]]

    @property
    def names(self) -> frozenset[tuple[int, int]]:
        """The links of colours and forms alone."""
        return frozenset(link for link in self.links if self.caption[link[1]] in COLOURS.keys() | FORMS.keys())


def drawings(size: int, seed: int, shapes: tuple[int, int] = (2, 4)) -> list[Drawing]:
    """``size`` drawings, the number of shapes uniform over the range ``shapes``; repeatable by seed.

    No two shapes share a column, so "from left to right" is well defined; one in three is level with the previous one.

    Raises:
        ValueError: the size is below 0, or the range is empty, or exceeds the columns of the grid.
    """
    check_at_least("size", size, 0)
    check_range("shapes", shapes, 1, "as each has its own column", most=GRID)
    rng = Random(seed)
    return [describe(_place(rng, rng.randint(*shapes))) for _ in range(size)]


def _place(rng: Random, count: int) -> tuple[Shape, ...]:
    placed: list[Shape] = []
    for column in sorted(rng.sample(range(GRID), count)):
        level = placed and rng.random() < 1 / 3
        row = placed[-1].row if level else rng.randrange(GRID)
        colour, form = rng.choice(list(COLOURS)), rng.choice(list(FORMS))
        placed.append(Shape(colour, form, row, column, rng.randint(0, _SLACK), rng.randint(0, _SLACK)))
    return tuple(placed)


def describe(shapes: tuple[Shape, ...]) -> Drawing:
    """The drawing of these shapes with its caption, such as "a red circle left of a blue square above a green cross".

    The words between two shapes relate the first to the second: "above", "below" or, if level, "left of".

    Raises:
        ValueError: the shapes are not in order from left to right, each in its own column.
    """
    columns = [shape.column for shape in shapes]
    if columns != sorted(set(columns)):
        raise ValueError(f"shapes: got columns {columns}, expected them to rise; the caption goes from left to right.")
    caption: list[str] = []
    links: set[tuple[int, int]] = set()
    for before, shape in zip((None, *shapes), shapes, strict=False):
        if before is not None:
            for word in _relation(before, shape):
                links |= {(before.region, len(caption)), (shape.region, len(caption))}
                caption.append(word)
        caption.append("a")
        for word in (shape.colour, shape.form):
            links.add((shape.region, len(caption)))
            caption.append(word)
    return Drawing(shapes, tuple(caption), frozenset(links))


def _relation(before: Shape, shape: Shape) -> tuple[str, ...]:
    if before.row == shape.row:
        return "left", "of"
    return ("above",) if before.row < shape.row else ("below",)


def paint(drawing: Drawing) -> Tensor:
    """The picture: (3, SIDE, SIDE), red, green and blue from 0 to 1, shapes on white."""
    picture = torch.full((3, SIDE, SIDE), _BACKGROUND)
    for shape in drawing.shapes:
        stencil = _STENCILS[shape.form]
        top, left = shape.row * CELL + shape.down, shape.column * CELL + shape.right
        patch = picture[:, top : top + stencil.size(0), left : left + stencil.size(1)]
        patch[:, stencil] = torch.tensor(COLOURS[shape.colour]).unsqueeze(1)
    return picture
