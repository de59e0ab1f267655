"""What a page offers beside its text: what a link leads to, notebooks to take along, a budget of bytes."""

import gzip
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from visits import HTML, Visit, violations

Open = Callable[..., Visit]

ZIPPED, WITH_WIDGETS, WITH_MODELS = 1_000_000, 1_500_000, 2_500_000  # bytes a page may load, packed as servers do


@pytest.mark.parametrize("scheme", ["http", "file"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_word_shows_its_meaning_by_mouse_and_by_keyboard(visit: Open, scheme: str, dark: bool) -> None:
    page = visit("book/05_scorers", scheme, dark=dark, fresh=True).page
    word = page.locator("article a[href*='glossary.html#term-query']").first
    word.scroll_into_view_if_needed()
    word.hover()
    page.wait_for_selector(".tippy-box", timeout=5000)
    assert "What asks" in page.locator(".tippy-box").inner_text()
    page.mouse.move(0, 0)
    page.wait_for_selector(".tippy-box", state="hidden", timeout=5000)
    word.focus()
    page.wait_for_selector(".tippy-box", timeout=5000)
    assert [one for one in violations(page) if "tippy" in one] == []


def test_an_equation_shows_itself_in_another_chapter(visit: Open) -> None:
    page = visit("book/05_scorers", fresh=True).page
    link = page.locator("article a[href*='04_attention.html#equation-']").first
    link.scroll_into_view_if_needed()
    link.hover()
    page.wait_for_selector(".tippy-box mjx-container", timeout=10_000)


def test_a_page_keeps_to_its_budget(visit: Open, name: str) -> None:
    seen = visit(name, "file")
    has_widgets = seen.page.locator("script[type='application/vnd.jupyter.widget-state+json']").count() > 0
    models = seen.page.locator("live-translation").evaluate_all(
        "all => all.flatMap(one => one.getAttribute('models').split(' '))"
    )
    paths = {Path(unquote(urlsplit(one).path)) for one in seen.addresses if one.startswith("file:")}
    paths |= {HTML / "_static" / "live" / f"{model}.js" for model in models}  # loaded when a reader asks for them
    packed = sum(len(gzip.compress(path.read_bytes(), 6)) for path in paths)
    assert 100_000 < packed <= (WITH_MODELS if models else WITH_WIDGETS if has_widgets else ZIPPED)


def test_launch_and_download_can_be_reached_by_keyboard(visit: Open) -> None:
    page = visit("book/05_scorers", fresh=True).page
    for group, words in (("launch-buttons", ["Binder", "Colab", "JupyterHub"]), ("download-buttons", [".ipynb"])):
        button = page.locator(f".dropdown-{group} > button").first
        button.focus()
        page.keyboard.press("Enter")
        menu = page.locator(f".dropdown-{group} .dropdown-menu").first
        menu.wait_for(state="visible", timeout=5000)
        assert all(word in menu.inner_text() for word in words)
        page.keyboard.press("Escape")
