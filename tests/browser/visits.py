"""What the tests of the built book share: where it lies, its pages, and what is noted of a visit."""

import http.server
import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from playwright.sync_api import ConsoleMessage, Locator, Page, Response

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
AXE = ROOT / "build" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
WIDGETS_STAND = """() => document.querySelectorAll("script[type$='jupyter.widget-view+json']").length
    <= document.querySelectorAll(".cw:not(.lt)").length"""  # a live translation has no kernel's view
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
    found = page.evaluate(
        "() => axe.run(document, {resultTypes: ['violations'], preload: false}).then(found => found.violations)"
    )
    return [
        f"{one['id']}: {one['help']}: {node['html'][:200]}"
        for one in found
        if one["impact"] in impacts
        for node in one["nodes"]
    ]


@dataclass
class Visit:
    """What was heard and seen while a page loaded; the page itself stays open."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)

    def load(self, address: str) -> None:
        """Go there, listening; wait until formulas, type, widgets and the scripts' last touches are in place."""
        self.page.on("console", self.hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.addresses.append(request.url))
        self.page.on("requestfailed", lambda request: self.failures.append(f"{request.url}: {request.failure}"))
        self.page.on("response", self.receive)
        self.page.goto(address, wait_until="load")
        self.page.evaluate("() => window.MathJax?.startup?.promise")
        self.page.evaluate("() => document.fonts.ready.then(() => true)")
        self.page.wait_for_function(WIDGETS_STAND)
        self.page.wait_for_timeout(150)

    def hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def receive(self, response: Response) -> None:
        if response.status >= 400:
            self.failures.append(f"{response.url}: {response.status}")


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass
