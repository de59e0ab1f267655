"""A symbol of an equation, its name in the code, its box in a figure, its row in a table: touch one, and all light."""

import json
import re
from functools import cache

from playwright.sync_api import Page, expect
from visits import HTML, Open, one_in_three, violations

from book.contents import short_way

# All that is marked on each page of the short way: no v of an additive scorer (5.4), no e to the power of a loss (2.8),
# no bias c (2.4), no half of a state (3.1), no entry of a query (5.8).
MARKED = {
    "00_start": "ej q kj αj el c vj",
    "02_encoder_decoder": "si si−1 yi yi−1",
    "03_bottleneck": "xj c s0 si si−1 yi−1 yi",
    "04_attention": "ej q kj αj el c vj eij si−1 hj αij eil ci αl vl⊤ vj⊤ vl",
    "05_scorers": "ej q kj e αj kl",
    "06_masking": "αj mj ej ml el τ α e c vj",
    "07_bahdanau": "xj hj s0 eij si−1 αij eil ci si yi−1 yi αi h",
    "08_luong": "ht yt−1 ht−1 αt h¯ ct αts h¯s yt y0",
    "12_alignment": "αij",
}
SAID = {
    ("04_attention", "weights"): "α j: weights (batch, keys): the scores after mask and softmax",
    ("08_luong", "state"): "h t: state (batch, query_size): the decoder’s hidden state at target word t",
}
DRAWN = {"00_start", "02_encoder_decoder", "03_bottleneck", "04_attention", "07_bahdanau", "08_luong"}
TABLED = {"00_start", "06_masking"}
SPOKEN = ".bd-article > [role=status]"
SAME = "[data-symbol='{}']:not(mjx-assistive-mml *)"
NAMES = "all => [...new Set(all.map(part => part.dataset.symbol))]"
SIZES = """() => [...document.querySelectorAll(".bd-article :is(div.math, pre, tr[data-symbol])")]
    .map(box => [box.offsetHeight, box.scrollWidth, box.scrollHeight])"""


@cache
def table(name: str) -> dict[str, dict[str, str]]:
    """What the page's script was handed of the page of notation."""
    page = (HTML / "book" / f"{name}.html").read_text(encoding="utf-8")
    return json.loads(re.search(r"window.SYMBOLS = (.*?)</script>", page)[1])


def lights(page: Page, symbol: str) -> None:
    """All parts of this name are lit, wherever they stand, and nothing else is."""
    expect(page.locator(".symbol-touched")).to_have_attribute("data-symbol", symbol)
    assert page.locator(".symbol-lit").evaluate_all(NAMES) == [symbol]
    assert page.locator(".symbol-lit").count() == page.locator(SAME.format(symbol)).count()


def walk(page: Page, place: str, steps: int = 1) -> list[str]:
    """Go by the arrow keys through the first such place; the names that lit, after which Escape puts all out."""
    page.locator(f".bd-article {place}:has([data-symbol])").filter(visible=True).first.focus()
    names = []
    for _ in range(steps):
        page.keyboard.press("ArrowRight")
        names.append(page.locator(".symbol-touched").get_attribute("data-symbol"))
        lights(page, names[-1])
    page.keyboard.press("Escape")
    assert page.locator(".symbol-lit").count() == 0
    return names


@one_in_three(MARKED)
def test_symbols_and_nothing_else_light_by_mouse_finger_and_keyboard_and_are_told(visit: Open, name: str) -> None:
    opened = visit(f"book/{name}")
    page, sizes = opened.page, opened.page.evaluate(SIZES)
    copies = page.locator("mjx-assistive-mml [data-symbol]")
    assert set(copies.all_text_contents()) == set(MARKED[name].split())
    for place, symbol in enumerate(copies.evaluate_all(NAMES)):
        part = page.locator(f"mjx-math {SAME.format(symbol)}").filter(visible=True).first
        (part.tap if place % 3 == 1 else part.hover)()
        lights(page, symbol)
        key, code, meaning = table(name)["lines"][symbol]
        expect(page.locator(".tippy-box")).to_contain_text(f" = {code}: {meaning}")
        expect(page.locator(SPOKEN)).to_have_text(f"{key.replace('_', ' ')}: {code}: {meaning}")
        expect(page.locator(SPOKEN)).to_contain_text(SAID.get((name, symbol), ""))
    assert page.evaluate(SIZES) == sizes
    page.locator(".bd-article h1").tap()
    assert page.locator(".symbol-lit").count() == 0
    formula = page.locator("mjx-container[display]:has([data-symbol])").filter(visible=True).first
    within = formula.locator("mjx-math [data-symbol]").evaluate_all("all => all.map(part => part.dataset.symbol)")
    assert walk(page, "mjx-container[display]", len(within)) == within
    page.mouse.move(0, 0)
    page.keyboard.press("ArrowRight")
    assert name != "03_bottleneck" or violations(page, within=".bd-article") == []
    places = ["pre"] + ["svg"] * (name in DRAWN) + ["table"] * (name in TABLED)
    assert [place for place in ("pre", "svg", "table") if page.locator(f"{place} [data-symbol]").count()] == places
    for place in places:
        part = page.locator(f".bd-article {place} [data-symbol]").filter(visible=True).first
        part.hover(force=True)  # the letter of a box lies on it
        lights(page, part.get_attribute("data-symbol"))
        if place != "table":  # which has the focus no more than any table
            walk(page, place)
    assert opened.complaints == []


def test_each_symbol_of_the_notation_is_in_an_equation_of_the_short_way() -> None:
    assert {f"book/{name}" for name in MARKED} == {*short_way()} - {"book/16_translator"}
    shown = set()
    for name, letters in MARKED.items():
        keys = {key.replace("_", ""): symbol for key, symbol in table(name)["keys"].items()}
        shown |= {keys[letter.removesuffix("⊤")] for letter in letters.split()}
    assert shown == set(table("00_start")["lines"])
