"""What the tests of the built book share: where it lies, its pages, and what is noted of a visit."""

import http.server
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
HTML = ROOT / "_build" / "html"
AXE = ROOT / "build" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
DESKTOP, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}


def pages() -> list[str]:
    """Every page that the table of contents names, and the search."""
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text())
    chapters = [chapter["file"] for part in contents["parts"] for chapter in part["chapters"]]
    return [contents["root"], *chapters, "search"]


@dataclass
class Visit:
    """What was heard and seen while a page loaded; the page itself stays open."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass
