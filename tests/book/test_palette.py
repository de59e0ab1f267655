"""One palette: the stylesheets have its colours, chapters take a model's and a part's from it, and all can be seen."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from book.palette import BLOCK, DARK, LIGHT, MODELS, PARTS, SCORERS, SHEETS, TOGETHER, sheet

ROOT = Path(__file__).resolve().parents[2]
COURSE = "book/_static/course.css"
CHAPTERS = sorted((ROOT / "book").glob("*.md"))
NAMED = r"initial_state|every_step|bahdanau|luong\w*|feeding|transformer|\w*dot|bilinear|additive|location"
BY_HAND = re.compile(rf"""["'](?:{NAMED})["']: *\([^)]*figures\.[A-Z]+,""")
KINDS = {*MODELS.values(), *PARTS.values(), *SCORERS.values()}

WIDGETS = [path for path in (ROOT / "seq2seq" / "widgets").iterdir() if path.suffix in (".css", ".js")]
DRAWN = [*CHAPTERS, *(ROOT / "book" / name for name in ("figures.py", "course.mplstyle"))]
LITERAL = re.compile(
    r"""(?<!\w)#[0-9a-fA-F]{6}\b|\brgba?\(|\bhsla?\(|colou?rs?["']?[=:] *["'](?!none)[\w.#]+["']|: [0-9a-f]{6}$""",
    re.MULTILINE,
)

# how linear RGB reaches readers without red or without green cones: Viénot, Brettel and Mollon (1999), "Method";
# without blue ones: Machado, Oliveira and Fernandes (2009), table of the simulation matrices, severity 1
BLIND = {
    "protan": np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]),
    "deutan": np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]),
    "tritan": np.array([[1.2555, -0.0767, -0.1788], [-0.0784, 0.9308, 0.1476], [0.0047, 0.6914, 0.3039]]),
}


def linear(colour: str) -> np.ndarray:
    """The colour's red, green and blue light, 0 to 1 (IEC 61966-2-1)."""
    values = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(first: str, other: str) -> float:
    """WCAG 2.2: the contrast ratio of two colours."""
    low, high = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) + 0.05 for colour in (first, other))
    return high / low


def lab(light: np.ndarray) -> np.ndarray:
    """CIE L*a*b* under D65."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ light / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def blocks(path: str, prefix: str, word: str) -> list[dict[str, str]]:
    """Name → colour for each block of a style sheet that sets the word, such as in light and in dark."""
    text = (ROOT / path).read_text(encoding="utf-8")
    rules = [dict(re.findall(rf"--{prefix}([\w-]+): (#[0-9a-f]{{6}})", block)) for block in text.split("}")]
    return [block for block in rules if word in block]


PAGES = {
    "autograder/gradebook/page.css": (
        {"quiet": "muted", "panel": "pst-color-surface", "rule": "rule"}
        | {"good": "course-green", "half": "course-ochre", "bad": "error"}
    ),
    "autograder/report/page.html": (
        {"soft": "muted", "card": "pst-color-surface", "line": "rule"}
        | {"passed": "blue", "partial": "ochre", "failed": "red", "unwritten": "line"}
    ),
}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_of_the_grader_has_the_books_colours(path: str) -> None:
    names = {"ink": "ink", "paper": "ground", "link": "link", **PAGES[path]}
    books = zip((LIGHT, DARK), blocks(COURSE, "", "course-green"), strict=True)
    for colours, (palette, book) in zip(blocks(path, "", "ink"), books, strict=True):
        assert colours == {name: (palette | book)[of] for name, of in names.items()}


@pytest.mark.parametrize("path", SHEETS)
def test_a_style_sheet_has_the_palette_as_it_was_written(path: str) -> None:
    assert sheet(path) == (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [*WIDGETS, *DRAWN], ids=lambda path: path.name)
def test_no_other_colour_is_typed_where_widgets_and_figures_are_made(path: Path) -> None:
    assert LITERAL.findall(BLOCK.sub("", path.read_text(encoding="utf-8"))) == []


def test_each_model_and_each_scorer_has_a_colour_of_its_own_and_no_chapter_gives_it_another() -> None:
    names = [*MODELS.values(), *SCORERS.values()]
    assert len(set(names)) == len(names)
    assert {*names, *PARTS.values()} <= set(DARK) <= set(LIGHT)
    by_hand = {path.stem: BY_HAND.findall(path.read_text(encoding="utf-8")) for path in CHAPTERS}
    assert {name: lines for name, lines in by_hand.items() if lines} == {}


def test_a_mark_can_be_seen_on_the_page() -> None:
    grounds = {"#ffffff": LIGHT, "#14191f": DARK}
    ratios = {(ground, kind): contrast(of[kind], ground) for ground, of in grounds.items() for kind in KINDS}
    assert {mark for mark, ratio in ratios.items() if ratio < 3} == set()  # WCAG 2.2, 1.4.11


@pytest.mark.parametrize("kind", [*BLIND, "all cones"])
@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_what_is_drawn_together_can_be_told_apart_by_everyone(kind: str, colours: dict[str, str]) -> None:
    eye = BLIND.get(kind, np.eye(3))
    drawn = [{*MODELS.values(), *SCORERS.values()}, *({PARTS[part] for part in parts} for parts in TOGETHER)]
    assert [len(parts) for parts in TOGETHER] == [len(names) for names in drawn[1:]], "two parts have one colour"
    names = set().union(*drawn)
    seen = {name: lab(np.clip(eye @ linear(colours[name]), 0, 1)) for name in names}
    pairs = {pair for together in drawn for pair in combinations(sorted(together), 2)}
    apart = {pair: float(np.linalg.norm(seen[pair[0]] - seen[pair[1]])) for pair in pairs}
    assert {pair: distance for pair, distance in apart.items() if distance < 10} == {}
