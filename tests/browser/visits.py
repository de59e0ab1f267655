"""What the tests of the built book share: its pages, what is noted of a visit, and pages with nothing but figures.

A chapter's figures stand in such a page as the book's build wrote them, with the chapter's own values; scripts and
styles are those of the working tree. It has no theme, no text and no formulas, so that a visit is short.
"""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import ConsoleMessage, Locator, Page, Response
from traitlets import import_item

from book.contents import part_of
from seq2seq.live import bundle

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
STATIC = ROOT / "book" / "_static"
STATES = re.compile(r'<script type="application/vnd.jupyter.widget-state\+json">(.*?)</script>', re.DOTALL)
VIEW = r'<script type="application/vnd.jupyter.widget-view\+json">.*?</script>'
FIGURES = re.compile(rf'<figure class="interactive.*?</figure>|{VIEW}', re.DOTALL)
AXE = ROOT / "build" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
WIDGETS_STAND = """() => {
    const widgets = [...document.querySelectorAll(".cw:not(.lt)")]; // a live translation has no kernel's view
    const hasRoom = (widget) => widget.querySelector(".cw-problem") || widget.firstElementChild.style.minHeight;
    return document.querySelectorAll("script[type$='jupyter.widget-view+json']").length <= widgets.length
        && widgets.every((widget) => !widget.offsetWidth || hasRoom(widget));
}"""
TWICE = """() => [...document.querySelectorAll(".cw [id]")].map(element => element.id)
    .filter((id, place, all) => all.indexOf(id) !== place)"""
TOO_SMALL = """() => [...document.querySelectorAll(
    ".cw :is(input, select, button, summary, td[tabindex], [role=option])")]
    .filter(control => control.checkVisibility())
    .filter(control => control.offsetWidth < 24 || control.offsetHeight < 24)
    .map(control => control.outerHTML + control.offsetWidth + "×" + control.offsetHeight)"""
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"  # all is drawn
PATIENCE = 120_000  # milliseconds: a busy machine may take many times as long as an idle one
DESKTOP, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}


def pages() -> list[str]:
    """Every page that the table of contents names, and the search."""
    return [*part_of(), "search"]


def chapters() -> list[str]:
    """The pages that are numbered chapters."""
    return [page for page in pages() if re.search(r"/\d+_", page)]


def in_turn(names: Sequence[str], modes: Iterable[Any]) -> Any:
    """Every page in every mode; one of them in turn, page by page, is not long."""
    modes, long = list(modes), pytest.mark.long("every page")
    pairs = [
        pytest.param(name, mode, marks=[] if place % len(modes) == turn else long)
        for place, name in enumerate(names)
        for turn, mode in enumerate(modes)
    ]
    return pytest.mark.parametrize(("name", "mode"), pairs)


def one_in_three(names: Iterable[str], parameter: str = "name", kind: str = "every page") -> Any:
    """For what takes many steps on each: every third is not long."""
    long = pytest.mark.long(kind)
    chosen = [pytest.param(name, marks=long if place % 3 else []) for place, name in enumerate(names)]
    return pytest.mark.parametrize(parameter, chosen)


def with_widgets() -> list[str]:
    """The pages on which widgets stand, as they were built."""
    built = ((page, HTML / f"{page}.html") for page in pages())
    return [page for page, path in built if path.is_file() and "jupyter.widget-view+json" in path.read_text("utf-8")]


def spoken(widget: Locator) -> str:
    """What the widget says of itself to those who do not see its picture."""
    return widget.locator(".cw-spoken").inner_text()


def middle(handle: Locator) -> tuple[float, float]:
    handle.scroll_into_view_if_needed()
    box = handle.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(handle: Locator, right: float, down: float) -> None:
    """Take it with the mouse, move it, let go and come back: nothing follows any more."""
    mouse, (x, y) = handle.page.mouse, middle(handle)
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + right, y + down, steps=3)
    mouse.up()
    mouse.move(x, y)


def violations(page: Page, impacts: tuple[str, ...] = ("serious", "critical"), within: str = "html") -> list[str]:
    """What axe finds within the page, of these impacts; a page's security policy has to be switched off for it."""
    page.evaluate(AXE.read_text())
    how = "{resultTypes: ['violations'], preload: false, iframes: false, selectors: false}"
    violations = page.evaluate(f"part => axe.run(part, {how}).then(results => results.violations)", within)
    return [
        f"{violation['id']}: {violation['help']}: {node['html'][:200]}"
        for violation in violations
        if violation["impact"] in impacts
        for node in violation["nodes"]
    ]


@dataclass
class Visit:
    """What was heard and seen since a page was loaded; the page itself stays open."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self.hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.addresses.append(request.url))
        self.page.on("requestfailed", lambda request: self.failures.append(f"{request.url}: {request.failure}"))
        self.page.on("response", self.receive)

    def load(self, address: str) -> "Visit":
        """Go there, listening; wait until formulas, type, widgets and the scripts' last touches are in place."""
        self.page.goto("about:blank")  # what the page before still asked for fails before this one is listened to
        for notes in (self.complaints, self.failures, self.addresses):
            notes.clear()
        self.page.goto(address, wait_until="load")
        self.page.evaluate("() => window.MathJax?.startup?.promise")
        self.page.evaluate("() => document.fonts.ready.then(() => true)")
        self.page.wait_for_function(WIDGETS_STAND)
        self.page.evaluate(FRAMES)
        return self

    def asked_elsewhere(self, *prefixes: str) -> list[str]:
        """The addresses that begin with none of these, nor lie in a page or on this disk."""
        return [address for address in self.addresses if not address.startswith((*prefixes, "file:", "data:", "blob:"))]

    def hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def receive(self, response: Response) -> None:
        if response.status >= 400:
            self.failures.append(f"{response.url}: {response.status}")


Open = Callable[..., Visit]
NewPage = Callable[..., Page]


PAGE = """<!doctype html>
<html lang="en" data-theme="light" data-mode="auto">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Figures</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="course.css"><link rel="stylesheet" href="wiring.css">
<style>
  body {{ margin: 0; color: var(--pst-color-text-base); background: var(--pst-color-background); }}
  main {{ max-width: 42rem; margin: 0 auto; padding: 1rem 1.15rem; }}
  figure {{ margin: 1rem 0; }}
</style>
<script>
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
</script>
{scripts}
</head>
<body><main class="bd-article"><h1>Figures</h1>
{figures}
</main></body></html>
"""


def write_figures(folder: Path, name: str) -> Path:
    """A page with all widgets and wirings of a built chapter."""
    chapter = (HTML / f"{name}.html").read_text(encoding="utf-8")
    kind = "application/vnd.jupyter.widget-state+json"
    states = [f'<script type="{kind}">{with_current_scripts(states)}</script>' for states in STATES.findall(chapter)]
    figures = [figure for figure in FIGURES.findall(chapter) if "<live-translation" not in figure]
    scripts = ['<script src="widgets.js"></script>', '<script defer src="wiring.js"></script>']
    return _write(folder, f"{Path(name).name}.html", [*states, *scripts], figures)


TRANSLATED = "() => document.querySelector('live-translation .lt-said')"


def write_live(folder: Path, *models: str, above: int = 0) -> Path:
    """A page with a live translation of these models, ``above`` pixels down."""
    live = folder / "live"
    if not live.exists():
        bundle.write(live)
        for model in (STATIC / "live").glob("*.js"):
            shutil.copy(model, live)
    shown = f'models="{" ".join(models)}" sentence="the old cat sleeps"'
    element = f"<live-translation {shown}><p>Not yet.</p></live-translation>"
    figures = [f'<div style="height: {above}px"></div>', element]
    return _write(folder, f"{'-'.join(models)}-{above}.html", ['<script defer src="live/start.js"></script>'], figures)


def with_current_scripts(states: str) -> str:
    document = json.loads(states)
    for model in document["state"].values():
        if name := model["state"].get("_anywidget_id"):
            widget = import_item(name)
            model["state"] |= {"_esm": widget._esm, "_css": widget._css}
    return json.dumps(document).replace("</", "<\\/")


def _write(folder: Path, name: str, scripts: list[str], figures: list[str]) -> Path:
    beside = (STATIC / file for file in ("course.css", "wiring.css", "widgets.js", "wiring.js"))
    for target in (*beside, HTML / "_static" / "vendor"):
        if not (folder / target.name).is_symlink():
            (folder / target.name).symlink_to(target)
    page = folder / name
    page.write_text(PAGE.format(scripts="\n".join(scripts), figures="\n".join(figures)), encoding="utf-8")
    return page
