"""What the tests of the built book share: where it lies, its pages, and what is noted of a visit."""

import functools
import http.server
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from playwright.sync_api import ConsoleMessage, Locator, Page, Response

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
AXE = ROOT / "build" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
WIDGETS_STAND = """() => document.querySelectorAll("script[type$='jupyter.widget-view+json']").length
    <= document.querySelectorAll(".cw:not(.lt)").length"""  # a live translation has no kernel's view
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"  # all is drawn
PATIENCE = 120_000  # milliseconds: a busy machine may take many times as long as an idle one
DESKTOP, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}


def pages() -> list[str]:
    """Every page that the table of contents names, and the search."""
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text())
    chapters = [chapter["file"] for part in contents["parts"] for chapter in part["chapters"]]
    return [contents["root"], *chapters, "search"]


def chapters() -> list[str]:
    """The pages that are numbered chapters."""
    return [page for page in pages() if re.search(r"/\d+_", page)]


def with_widgets() -> list[str]:
    """The pages on which widgets stand, as they were built."""
    built = ((page, HTML / f"{page}.html") for page in pages())
    return [page for page, path in built if path.is_file() and "jupyter.widget-view+json" in path.read_text("utf-8")]


def spoken(widget: Locator) -> str:
    """What the widget says of itself to those who do not see its picture."""
    return widget.locator(".cw-spoken").inner_text()


def violations(page: Page, impacts: tuple[str, ...] = ("serious", "critical")) -> list[str]:
    """What axe finds on the page, of these impacts; a page's security policy has to be switched off for it."""
    page.evaluate(AXE.read_text())
    violations = page.evaluate(
        "() => axe.run(document, {resultTypes: ['violations'], preload: false}).then(results => results.violations)"
    )
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
        for notes in (self.complaints, self.failures, self.addresses):
            notes.clear()
        self.page.goto(address, wait_until="load")
        self.page.evaluate("() => window.MathJax?.startup?.promise")
        self.page.evaluate("() => document.fonts.ready.then(() => true)")
        self.page.wait_for_function(WIDGETS_STAND)
        self.page.evaluate(FRAMES)
        return self

    def asked_elsewhere(self, *own: str) -> list[str]:
        """The addresses that begin with none of these, nor lie in a page or on this disk."""
        return [address for address in self.addresses if not address.startswith((*own, "file:", "data:", "blob:"))]

    def hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def receive(self, response: Response) -> None:
        if response.status >= 400:
            self.failures.append(f"{response.url}: {response.status}")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which the folder is served, from this machine to this machine."""
    handler = functools.partial(QuietHandler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as httpd:
        threading.Thread(target=httpd.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_port}"
        httpd.shutdown()
