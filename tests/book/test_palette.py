"""One palette: the stylesheets have its colours, chapters take a model's and a part's from it, and all can be seen."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from book.palette import DARK, LIGHT, MODELS, PARTS, SCORERS

ROOT = Path(__file__).resolve().parents[2]
COURSE = "book/_static/course.css"
CHAPTERS = sorted((ROOT / "book").glob("*.md"))
NAMED = r"initial_state|every_step|bahdanau|luong\w*|feeding|transformer|\w*dot|bilinear|additive|location"
BY_HAND = re.compile(rf"""["'](?:{NAMED})["']: *\([^)]*figures\.[A-Z]+,""")
KINDS = {*MODELS.values(), *PARTS.values(), *SCORERS.values()}

# how linear RGB reaches readers without red or without green cones: Viénot, Brettel and Mollon (1999), section "Method"
BLIND = {
    "protan": np.array([[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]]),
    "deutan": np.array([[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]]),
}


def linear(colour: str) -> np.ndarray:
    """The colour's red, green and blue light, 0 to 1 (IEC 61966-2-1)."""
    values = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """WCAG 2.2: the contrast ratio of two colours."""
    low, high = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) + 0.05 for colour in (one, other))
    return high / low


def lab(light: np.ndarray) -> np.ndarray:
    """CIE L*a*b* under D65."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = np.cbrt(to_xyz @ light / np.array([0.9505, 1.0, 1.089]))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def blocks(path: str, prefix: str, word: str) -> list[dict[str, str]]:
    """Name → colour for each block of a style sheet that sets the word, such as in light and in dark."""
    text = (ROOT / path).read_text(encoding="utf-8")
    found = [dict(re.findall(rf"--{prefix}([\w-]+): (#[0-9a-f]{{6}})", block)) for block in text.split("}")]
    return [block for block in found if word in block]


BOTH = {"ink": "pst-color-text-base", "paper": "pst-color-background", "link": "pst-color-link"}
PAGES = {
    "autograder/gradebook/page.css": (
        {"quiet": "pst-color-text-muted", "panel": "pst-color-surface", "rule": "pst-color-border"}
        | {"good": "course-green", "half": "course-ochre", "bad": "course-red"}
    ),
    "autograder/report/page.html": (
        {"soft": "pst-color-text-muted", "card": "pst-color-surface", "line": "pst-color-border"}
        | {"passed": "figure-blue", "partial": "figure-ochre", "failed": "figure-red", "unwritten": "figure-line"}
    ),
}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_of_the_grader_has_the_books_colours(path: str) -> None:
    for colours, book in zip(blocks(path, "", "ink"), blocks(COURSE, "", "course-blue"), strict=True):
        assert colours == {name: book[of] for name, of in {**BOTH, **PAGES[path]}.items()}


def test_lines_drawn_without_a_colour_pages_and_widgets_have_the_palette() -> None:
    cycle = re.search(r'prop_cycle: cycler\("color", \[(.*)\]\)', (ROOT / "book" / "course.mplstyle").read_text())
    assert cycle is not None
    assert {f"#{colour}" for colour in re.findall(r'"(\w{6})"', cycle[1])} <= set(LIGHT.values())
    assert blocks(COURSE, "figure-", "blue") == [LIGHT, DARK]
    for widgets, colours in zip(blocks("seq2seq/widgets/common.css", "cw-", "blue"), (LIGHT, DARK), strict=True):
        theirs = {name: colour for name, colour in colours.items() if name not in ("ink", "line", "grid")}
        assert theirs.items() <= widgets.items()


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
def test_models_and_scorers_can_be_told_apart_by_everyone(kind: str, colours: dict[str, str]) -> None:
    eye = BLIND.get(kind, np.eye(3))
    names = [*MODELS.values(), *SCORERS.values()]
    seen = {name: lab(np.clip(eye @ linear(colours[name]), 0, 1)) for name in names}
    apart = {pair: float(np.linalg.norm(seen[pair[0]] - seen[pair[1]])) for pair in combinations(sorted(seen), 2)}
    assert {pair: distance for pair, distance in apart.items() if distance < 10} == {}
