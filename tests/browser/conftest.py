"""A headless Chromium, the pages of the built book as it finds them, and their interactive figures alone."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright
from servers import served
from visits import DESKTOP, HTML, PATIENCE, PHONE, TRANSLATED, NewPage, Open, Visit, write_figures, write_live
from worked import WIDGETS, Show

from book.chromium import PrintError, program

expect.set_options(timeout=PATIENCE)

MODES = {
    "light": {"viewport": DESKTOP, "color_scheme": "light"},
    "dark": {"viewport": DESKTOP, "color_scheme": "dark"},
    "phone": {"viewport": PHONE, "color_scheme": "light", "is_mobile": True},
    "smallest": {"viewport": {"width": 360, "height": 740}, "color_scheme": "light", "is_mobile": True},
    "clock": {"viewport": DESKTOP, "color_scheme": "light"},  # for tests that set the clock, which stays set
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def html() -> Path:
    if not (HTML / "index.html").is_file():
        pytest.fail(f"{HTML} holds no book; build it with `make book`.", pytrace=False)
    return HTML


@pytest.fixture(scope="session")
def server(html: Path) -> Iterator[str]:
    with served(html) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    try:
        chromium = program()
    except PrintError as error:
        pytest.fail(str(error), pytrace=False)
    with sync_playwright() as playwright:
        options = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking")
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[NewPage]:
    """A page in a context of its own: ``new_page(viewport=PHONE)``; it goes when its test has ended."""
    contexts = []

    def opened(**look: Any) -> Page:
        contexts.append(browser.new_context(**look))
        return contexts[-1].new_page()

    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def open_in(browser: Browser) -> Iterator[Open]:
    """Open an address in one of the modes: ``open_in("phone", address)``; the page that was open there goes."""
    visits: dict[str, Visit] = {}

    def open_address(mode: str, address: str, fresh: bool = True) -> Visit:
        if mode == "clock" and mode in visits:
            visits.pop(mode).page.context.close()
        if mode not in visits:
            context = browser.new_context(has_touch=True, reduced_motion="reduce", **MODES[mode])
            visits[mode] = Visit(context.new_page())
        if fresh or visits[mode].page.url != address:
            visits[mode].load(address)
        return visits[mode]

    yield open_address
    for opened in visits.values():
        opened.page.context.close()


@pytest.fixture(scope="session")
def visit(open_in: Open, server: str, html: Path) -> Open:
    """Open a page of the book, or take it as it was left: ``visit("book/index", "file", "dark")``."""
    places = {"http": server, "file": html.as_uri()}
    return lambda name, scheme="http", mode="light": open_in(mode, f"{places[scheme]}/{name}.html", fresh=False)


@pytest.fixture(scope="session")
def bare(open_in: Open, html: Path, tmp_path_factory: pytest.TempPathFactory) -> Open:
    """Open the widgets and wirings of a page of the book, alone: ``bare("book/05_scorers", "phone")``.

    Tests that only look take the page as others left it, with ``fresh=False``.
    """
    folder = tmp_path_factory.mktemp("figures")

    def open_figures(name: str, mode: str = "light", fresh: bool = True) -> Visit:
        path = folder / f"{Path(name).name}.html"
        if not path.exists():
            write_figures(folder, name)
        return open_in(mode, path.as_uri(), fresh)

    return open_figures


@pytest.fixture(scope="module")
def live_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("live")


@pytest.fixture(scope="module")
def live(open_in: Open, live_folder: Path) -> Callable[..., Page]:
    """A page on which these models have translated: ``live("bahdanau", mode="phone")``."""

    def open_live(*models: str, mode: str = "light", fresh: bool = True) -> Page:
        page = open_in(mode, write_live(live_folder, *models).as_uri(), fresh).page
        page.wait_for_function(TRANSLATED)
        return page

    return open_live


@pytest.fixture
def show(bare: Open) -> Show:
    def shown(name: str, mode: str = "light") -> Locator:
        page, label = WIDGETS[name]
        return bare(page, mode).page.get_by_role("group", name=label)

    return shown
