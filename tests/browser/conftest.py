"""A headless Chromium, and each page of the built book as it finds it."""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright
from visits import DESKTOP, HTML, QuietHandler, Visit


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


@pytest.fixture
def visit(browser: Browser, server: str, html: Path) -> Iterator[Callable[..., Visit]]:
    """Open a page of the book: ``visit("book/index", scheme="file", dark=True, viewport=PHONE)``."""
    opened = []

    def open_page(name: str, scheme: str = "http", dark: bool = False, viewport: dict[str, int] = DESKTOP) -> Visit:
        context = browser.new_context(
            viewport=viewport, color_scheme="dark" if dark else "light", reduced_motion="reduce"
        )
        opened.append(context)
        seen = Visit(context.new_page())
        seen.page.on(
            "console",
            lambda message: seen.complaints.append(message.text) if message.type in ("error", "warning") else None,
        )
        seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
        seen.page.on("request", lambda request: seen.addresses.append(request.url))
        seen.page.on("requestfailed", lambda request: seen.failures.append(f"{request.url}: {request.failure}"))
        seen.page.on(
            "response",
            lambda response: (
                seen.failures.append(f"{response.url}: {response.status}") if response.status >= 400 else None
            ),
        )
        address = server if scheme == "http" else html.as_uri()
        seen.page.goto(f"{address}/{name}.html", wait_until="load")
        seen.page.evaluate("() => window.MathJax?.startup?.promise")
        seen.page.evaluate("() => document.fonts.ready.then(() => true)")
        seen.page.wait_for_timeout(150)  # icons and labels are set by scripts after the load
        return seen

    yield open_page
    for context in opened:
        context.close()
