"""A function of a widget's script, called in the browser without any page, to be compared with the library's own."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

SCRIPTS = Path(__file__).resolve().parents[2] / "seq2seq" / "widgets"


def called(browser: Browser, script: str, function: str, cases: list[list[Any]]) -> list[Any]:
    """What the function gives for each list of arguments."""
    above = (SCRIPTS / f"{script}.js").read_text(encoding="utf-8").split("export default")[0]
    page = browser.new_page()
    try:
        return page.evaluate(f"cases => {{ {above}\n return cases.map(given => {function}(...given)); }}", cases)
    finally:
        page.close()
