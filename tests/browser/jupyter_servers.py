"""Jupyter servers of the tests' own: notebooks opened in either theme of JupyterLab, cells run."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Locator, Page
from visits import PATIENCE, ROOT

TOKEN = "of-this-test"
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


@contextmanager
def running(app: str, folder: Path, home: Path, python: object = sys.executable, **environment: str) -> Iterator[str]:
    """The address of a server, ``jupyterlab`` or ``jupyter_server``, in a folder of notebooks."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [f"--port={port}", "--ServerApp.port_retries=0", "--ServerApp.ip=127.0.0.1", "--allow-root"]
    line = [str(python), "-m", app, *options, f"--IdentityProvider.token={TOKEN}", "--no-browser"]
    environment = {**os.environ, "HOME": str(home), **environment}
    with (home / "log").open("w") as log:
        server = subprocess.Popen(line, cwd=folder, env=environment, stdout=log, stderr=log)
        address, until = f"http://127.0.0.1:{port}", time.monotonic() + 120
        try:
            while True:
                with suppress(OSError):
                    urllib.request.urlopen(f"{address}/api/status?token={TOKEN}").close()
                    break
                failed = server.poll() is not None or time.monotonic() > until
                assert not failed, (home / "log").read_text()
                time.sleep(0.2)
            yield address
        finally:
            server.terminate()
            server.wait(60)


@dataclass(frozen=True)
class Lab:
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
        page.set_default_timeout(PATIENCE)
        page.goto(f"{self.address}/lab/workspaces/{theme}/tree/{theme}.ipynb?token={TOKEN}")
        page.wait_for_selector(".jp-Notebook .jp-CodeCell")
        page.wait_for_selector("text=Python 3 (ipykernel) | Idle")
        is_light = page.evaluate("() => document.body.dataset.jpThemeLight")
        assert is_light == str(theme == "light").lower()
        return page


@contextmanager
def started(home: Path, folder: Path, python: object = sys.executable, path: str = str(ROOT)) -> Iterator[Lab]:
    """``python`` runs the Lab and its kernels, with ``path`` as PYTHONPATH."""
    with running("jupyterlab", folder, home, python, PYTHONPATH=path) as address:
        yield Lab(address, home, folder)


def run_cell(page: Page, place: int) -> Locator:
    """The cell at that place, after it has run."""
    cell = page.locator(".jp-Notebook .jp-Cell").nth(place)
    cell.scroll_into_view_if_needed()
    prompt = cell.locator(".jp-InputPrompt").first
    before = prompt.inner_text()
    prompt.click()
    page.keyboard.press("Control+Enter")
    has_run = "([element, before]) => /\\[\\d+\\]/.test(element.innerText) && element.innerText !== before"
    page.wait_for_function(has_run, arg=[prompt.element_handle(), before])
    return cell


def replace(page: Page, words: str, text: str) -> None:
    """Replaces the source of the cell that holds these words."""
    page.locator(".jp-Notebook .jp-Cell", has_text=words).first.locator(".cm-content").first.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)
