"""A headless Chromium, and each page of the built book as it finds it."""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import pytest
from jupyter_lab import Lab, started
from playwright.sync_api import Browser, sync_playwright
from visits import DESKTOP, HTML, PHONE, QuietHandler, Visit, chapters, pages

PAGE_FIXTURES = ("name", "chapter", "widget_page")  # whose value is a page of the book


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """All tests of one page stand together, of whichever file: it is opened once for all that only look at it."""
    for place in places_here(items):
        items[place].add_marker(pytest.mark.browser)
    yield  # pytest selects by marker, and puts together what shares a parameter within a file
    places = places_here(items)
    for place, item in zip(places, sorted((items[place] for place in places), key=page_of), strict=True):
        items[place] = item


def places_here(items: list[pytest.Item]) -> list[int]:
    return [place for place, item in enumerate(items) if Path(__file__).parent in item.path.parents]


def page_of(item: pytest.Item) -> str:
    values = item.callspec.params if hasattr(item, "callspec") else {}
    return next((str(values[fixture]) for fixture in PAGE_FIXTURES if fixture in values), "")


@pytest.fixture(scope="session")
def html() -> Path:
    if not (HTML / "index.html").is_file():
        pytest.fail(f"{HTML} holds no book; build it with `make book`.", pytrace=False)
    return HTML


@pytest.fixture(scope="session")
def server(html: Path) -> Iterator[str]:
    """The address at which the book is served, from this machine to this machine."""
    handler = functools.partial(QuietHandler, directory=html)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.fail("no Chromium found; `sh scripts/system-packages.sh chromium` installs it.", pytrace=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def visit(browser: Browser, server: str, html: Path) -> Iterator[Callable[..., Visit]]:
    """Open a page of the book, or take it as it was opened: ``visit("book/index", scheme="file", dark=True)``.

    Tests that change a page ask for ``fresh=True``.
    """
    opened: dict[tuple[object, ...], Visit] = {}

    def open_page(
        name: str, scheme: str = "http", dark: bool = False, phone: bool = False, fresh: bool = False
    ) -> Visit:
        key = (name, scheme, dark, phone)
        if fresh or key not in opened:
            while len(opened) >= 4:
                opened.pop(next(iter(opened))).page.context.close()
            if key in opened:
                opened.pop(key).page.context.close()
            context = browser.new_context(
                viewport=PHONE if phone else DESKTOP,
                color_scheme="dark" if dark else "light",
                reduced_motion="reduce",
            )
            opened[key] = Visit(context.new_page())
            opened[key].load(f"{server if scheme == 'http' else html.as_uri()}/{name}.html")
        return opened[key]

    yield open_page
    for seen in opened.values():
        seen.page.context.close()


@pytest.fixture(scope="module", params=pages())
def name(request: pytest.FixtureRequest) -> str:
    """Every page in turn; all tests of one page run together, so that it is opened once."""
    return request.param


@pytest.fixture(scope="module", params=chapters())
def chapter(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with started(tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("notebooks")) as lab:
        yield lab
