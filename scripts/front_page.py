"""Makes the pictures of the front page in README.md: ``python scripts/front_page.py``, after ``make book``."""

from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "_build" / "html" / "book" / "index.html"
SIZE = {"width": 1280, "height": 720}

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    for mode in ("light", "dark"):
        page = browser.new_page(viewport=SIZE, color_scheme=mode, reduced_motion="reduce")
        page.goto(PAGE.as_uri())
        page.wait_for_selector(".lt-weights")
        page.wait_for_load_state("networkidle")
        page.screenshot(path=ROOT / "book" / f"front_{mode}.png")
    browser.close()
