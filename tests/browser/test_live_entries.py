"""What people type into a live translation, and what they get: a translation, or one plain sentence that helps."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from visits import FRAMES, Visit, write_live

READY = "() => document.querySelector('live-translation .lt-said')"
EMPTY = "Type a few English words. Try the old cat sleeps"
FOREIGN = (
    "Please type English: only 904 English words are known here, and most of these are not among them. "
    "Try the old cat sleeps"
)
LONG = "x" * 22


def unknown(names: str, *rest: str) -> str:
    return " ".join([f"Not among the 904 words that are known here: {names}. Read as <unk>, an unknown word.", *rest])


ENTRIES = {  # what is typed → what is said of it; the translation, or none
    "the european economic area needs this agreement": (
        "",
        "la zone économique européenne a besoin de cet accord .",
    ),
    "the old cat sleeps.": ("", "le vieux chat dort ."),
    "  the  old   cat sleeps ": ("", "le vieux chat dort ."),
    "The old CAT sleeps!": ("Read as: the old cat sleeps .", "le vieux chat dort ."),
    "Does the cat sleep?": ("Read as: does the cat sleep .", "le chat dormira ."),
    "“The old cat (sleeps)”": ("Read as: the old cat sleeps .", "le vieux chat dort ."),
    "'The old cat sleeps,'": ("Read as: the old cat sleeps .", "le vieux chat dort ."),
    "the cat sleeps ... in the garden": ("Read as: the cat sleeps in the garden .", "le chat dort dans le jardin ."),
    "She isn't happy": ("Read as: she is not happy .", "elle n' est pas heureuse ."),
    "I’m hungry 😀": ("Read as: i am hungry .", "j' ai faim ."),
    "I can't swim": ("Read as: i cannot swim .", "je ne peux pas nager ."),
    "i cant swim": ("Read as: i cannot swim .", "je ne peux pas nager ."),
    "the dog won't sleep": ("Read as: the dog will not sleep .", "le chien ne dormira pas ."),
    "there's a cat in the garden": ("Read as: there is a cat in the garden .", "il y a un chat dans le jardin ."),
    "my mother's house is white": ("", "la maison de ma mère est blanche ."),
    "my sisters' car is red": ("Read as: my sisters 's car is red .", "la voiture de mes sœurs est rouge ."),
    "2 cats & 3 dogs sleep": ("Read as: two cats and three dogs sleep .", "deux chats et trois chiens dorment ."),
    "the train-station is big": ("Read as: the train station is big .", "la gare est grande ."),
    "the cat sleeps. The dog runs! And?": (
        "Read as: the cat sleeps . Only the first sentence is translated. Translate the next one",
        "le chat dort .",
    ),
    "the gardin is big": (unknown("“gardin”", "Did you mean garden?"), "la ville est grande ."),
    "teh neighbor is beautifull and sings": (
        unknown("“teh”, “neighbor” and “beautifull”", "Did you mean the and neighbour and beautiful?"),
        None,
    ),
    "on 7 a the my your his her our b c d f": (unknown("“on”, “7”, “b”, “c”, “d” and 1 more"), None),
    "hello": (FOREIGN, ""),
    "le chat dort dans le jardin": (FOREIGN, ""),
    "le restaurant a un plan": (FOREIGN, ""),
    "el gato duerme en la casa": (FOREIGN, ""),
    "Der Hund ist groß": (FOREIGN, ""),
    "你好世界": (FOREIGN, ""),
    "l'été": (FOREIGN, ""),
    "": (EMPTY, ""),
    " ?! ": (EMPTY, ""),
    "😀": (EMPTY, ""),
    "x" * 80: (FOREIGN, ""),
    f"the {'x' * 80} sleeps": (
        f"Read as: the {LONG}x… sleeps . {unknown(f'“{LONG}x…”')}",
        None,
    ),
    "the old cat sleeps and " * 40: ("Cut after 60 of 200 words and marks.", None),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("live")


@pytest.fixture(scope="module")
def live(open_in: Callable[..., Visit], folder: Path) -> Callable[..., Page]:
    def open_live(mode: str = "light", fresh: bool = False) -> Page:
        page = open_in(mode, write_live(folder, "bahdanau").as_uri(), fresh).page
        page.wait_for_function(READY)
        return page

    return open_live


def say(page: Page, text: str) -> str:
    """What is said of an entry that the reader has finished."""
    field = page.get_by_role("combobox", name="Your English sentence")
    field.fill(text)
    field.press("Enter")
    return note(page)


def note(page: Page) -> str:
    place = page.locator(".lt-field .lt-note")
    return " ".join(place.inner_text().split()) if place.is_visible() else ""


def said(page: Page) -> str:
    return " ".join(page.locator(".lt-said li").all_text_contents()).removesuffix(" <eos>")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry[:30] or "nothing")
def test_what_is_typed_is_translated_or_answered_in_one_message(live: Callable[..., Page], entry: str):
    page, (message, translation) = live(), ENTRIES[entry]
    before = say(page, "the old cat sleeps") or said(page)
    assert say(page, entry) == message
    is_old = page.locator(".lt-old").count() == 1
    assert is_old == (translation == "")
    if is_old:
        result = page.get_by_role("group", name="This is still the translation of: the old cat sleeps .")
        assert result.locator(".lt-stale").is_visible()
        assert float(result.locator(".lt-panels").first.evaluate("part => getComputedStyle(part).opacity")) < 0.6
    assert said(page) == (before if is_old else translation if translation is not None else said(page))
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_next_sentence_an_example_and_a_word_that_was_meant_are_one_touch_away(live: Callable[..., Page]):
    page = live()
    field = page.get_by_role("combobox", name="Your English sentence")
    say(page, "the cat sleeps. The dog runs! I am hungry")
    for text, translation in (("The dog runs! I am hungry", "le chien court ."), ("I am hungry", "j' ai faim .")):
        page.get_by_role("button", name="Translate the next one").click()
        assert (field.input_value(), said(page)) == (text, translation)
        assert field.evaluate("field => field === document.activeElement")
    say(page, "bonjour")
    page.locator(".lt-note").get_by_role("button", name="the old cat sleeps").click()
    assert (said(page), note(page)) == ("le vieux chat dort .", "")
    say(page, "the Gardin is big")
    page.get_by_role("button", name="garden, instead of gardin").click()
    assert (field.input_value(), said(page), note(page)) == ("the garden is big", "le jardin est grand .", "")
    expect(page.locator("[aria-live=polite]")).to_have_text("Bahdanau: le jardin est grand .")


def test_a_word_is_judged_when_it_is_finished_and_lines_are_pasted_as_one(live: Callable[..., Page]):
    page = live()
    field = page.get_by_role("combobox", name="Your English sentence")
    say(page, "the old cat sleeps")
    field.press_sequentially(" zeb")
    page.evaluate(FRAMES)
    assert (said(page), note(page), page.locator(".lt-old").count()) == ("le vieux chat dort .", "", 0)
    expect(page.locator(".lt-field .lt-note")).to_contain_text(unknown("“zeb”"))
    expect(page.locator("[aria-live=polite]")).to_contain_text("“zeb”")
    field.fill("")
    field.evaluate("""field => {
        const data = new DataTransfer();
        data.setData("text/plain", "the old cat\\r\\nsleeps");
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, cancelable: true }));
    }""")
    assert field.input_value() == "the old cat sleeps"


@pytest.mark.parametrize("mode", ["light", "smallest"])
def test_no_word_pushes_the_table_off_the_page_and_its_axes_have_names(live: Callable[..., Page], mode: str):
    page = live(mode)
    say(page, f"the {'unbelievable' * 2} cat sleeps")
    heads = page.locator(".lt-weights thead th")
    assert heads.nth(1).get_attribute("title") == "unbelievable" * 2
    assert max(heads.evaluate_all("all => all.map(head => head.offsetHeight)")) <= 130
    assert page.locator(".lt-axes").inner_text().split("\n") == ["English, read →", "French, written ↓"]
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
