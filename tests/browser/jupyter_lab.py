"""A JupyterLab of the tests' own: notebooks opened in either theme, cells run."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page

ROOT = Path(__file__).resolve().parents[2]
TOKEN = "of-this-test"
MINUTE = 60_000
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


@dataclass(frozen=True)
class Lab:
    """Where it listens, with a place for the notebook's name; its home; its notebooks."""

    address: str
    home: Path
    folder: Path

    def open(self, browser: Browser, notebook: dict, theme: str) -> Page:
        """A fresh copy of the notebook, opened in the theme; its kernel is ready."""
        (self.folder / f"{theme}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        for kind, settings in (
            ("notebook-extension/tracker", {"windowingMode": "none"}),
            ("apputils-extension/notification", {"fetchNews": "false", "checkForUpdates": False}),
            ("apputils-extension/themes", {"theme": THEMES[theme]}),
        ):
            place = self.home / ".jupyter/lab/user-settings/@jupyterlab" / f"{kind}.jupyterlab-settings"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(json.dumps(settings))
        page = browser.new_context(viewport={"width": 1200, "height": 900}, color_scheme=theme).new_page()
        page.goto(self.address.format(theme), timeout=2 * MINUTE)
        page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=2 * MINUTE)
        page.wait_for_selector("text=Python 3 (ipykernel) | Idle", timeout=2 * MINUTE)
        is_light = page.evaluate("() => document.body.dataset.jpThemeLight")
        assert is_light == str(theme == "light").lower()
        return page


@contextmanager
def started(home: Path, folder: Path, python: Path = Path(sys.executable), path: str = str(ROOT)) -> Iterator[Lab]:
    """``python`` runs it and the kernels, with ``path`` as PYTHONPATH."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [f"--port={port}", f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}"]
    server = subprocess.Popen(
        [str(python), "-m", "jupyterlab", "--no-browser", "--allow-root", "--LabApp.news_url=", *options],
        env={**os.environ, "PYTHONPATH": path, "HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/api/status?token={TOKEN}")
        yield Lab(f"http://127.0.0.1:{port}/lab/workspaces/{{0}}/tree/{{0}}.ipynb?token={TOKEN}", home, folder)
    finally:
        server.terminate()
        server.wait(60)


def _wait_for(address: str) -> None:
    until = time.monotonic() + 120
    while True:
        try:
            urllib.request.urlopen(address).close()
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)


def run_cell(page: Page, place: int) -> Locator:
    """The cell at that place, after it has run."""
    cell = page.locator(".jp-Notebook .jp-Cell").nth(place)
    cell.scroll_into_view_if_needed()
    prompt = cell.locator(".jp-InputPrompt").first
    before = prompt.inner_text()
    prompt.click()
    page.keyboard.press("Control+Enter")
    page.wait_for_function(
        "([element, before]) => /\\[\\d+\\]/.test(element.innerText) && element.innerText !== before",
        arg=[prompt.element_handle(), before],
        timeout=2 * MINUTE,
    )
    return cell
