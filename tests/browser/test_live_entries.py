"""What people type into a live translation, and what they get: a translation, or one plain sentence that helps."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

EMPTY = "Type a few English words. Try the old cat sleeps"
FOREIGN = (
    "Please type everyday English: only 904 English words are known here, and most of these are not among them. "
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
    "the gardin is big": (unknown("“gardin”", "Did you mean garden?"), "le toit est grand ."),
    "teh neighbor is beautifull and sings": (
        unknown("“teh”, “neighbor” and “beautifull”", "Did you mean the and neighbour and beautiful?"),
        None,
    ),
    "on 7 a the my your his her our b c d f": (unknown("“on”, “7”, “b”, “c”, “d” and 1 more"), None),
    "hello": (FOREIGN, ""),
    "in 1992 12 % of 3.5 million": (FOREIGN, ""),
    "the constructor and the valueOf sleep": (
        "Read as: the constructor and the valueof sleep . " + unknown("“constructor” and “valueof”"),
        None,
    ),
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
    "the old cat sleeps and " * 40: ("Cut after 60 of 201 words and marks.", None),
}


SAY = """texts => texts.map(text => {
    const [field, note] = [document.querySelector(".lt-input"), document.querySelector(".lt-field .lt-note")];
    field.value = text;
    field.dispatchEvent(new Event("input"));
    field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
    const words = [...document.querySelectorAll(".lt-said li")].map(word => word.textContent).join(" ");
    const old = document.querySelector(".lt-old > .lt-stale:not([hidden])");
    return {
        note: note.hidden ? "" : note.textContent.trim(),
        said: old ? "" : words.replace(" <eos>", ""),
        stale: old ? old.textContent : "",
        fits: document.documentElement.scrollWidth <= innerWidth,
    };
})"""


def say(page: Page, *texts: str) -> list[dict[str, str]]:
    """What is said of entries that the reader has finished, one after the other."""
    return page.evaluate(SAY, texts)


def test_what_is_typed_is_translated_or_answered_in_one_message(live: Callable[..., Page]):
    page = live("bahdanau", fresh=False)
    answers = dict(zip(ENTRIES, say(page, *ENTRIES), strict=True))
    notes = {entry: message for entry, (message, _) in ENTRIES.items()}
    translations = {entry: words for entry, (_, words) in ENTRIES.items() if words is not None}
    assert {entry: answer["note"] for entry, answer in answers.items()} == notes
    assert {entry: answers[entry]["said"] for entry in translations} == translations
    assert [entry for entry, answer in answers.items() if not answer["fits"]] == []
    [_, old] = say(page, "the old cat sleeps", "bonjour")
    assert old["stale"] == "This is still the translation of: the old cat sleeps ."
    result = page.get_by_role("group", name=old["stale"])
    assert float(result.locator(".lt-panels").first.evaluate("part => getComputedStyle(part).opacity")) < 0.6


def test_the_next_sentence_an_example_and_a_word_that_was_meant_are_one_touch_away(live: Callable[..., Page]):
    page = live("bahdanau", fresh=False)
    field, note = page.get_by_role("combobox", name="Your English sentence"), page.locator(".lt-field .lt-note")
    script = "() => [...document.querySelectorAll('.lt-said li')].map(word => word.textContent).join(' ')"
    for before, button, text, translation in (
        ("the cat sleeps. The dog runs!", "Translate the next one", "The dog runs!", "le chien court . <eos>"),
        ("bonjour", "the old cat sleeps", "the old cat sleeps", "le vieux chat dort . <eos>"),
        ("the Gardin is big", "garden, instead of gardin", "the garden is big", "le jardin est grand . <eos>"),
    ):
        say(page, before)
        note.get_by_role("button", name=button).press("Enter")
        assert (field.input_value(), page.evaluate(script)) == (text, translation)
        assert field.evaluate("field => field === document.activeElement")
    expect(page.locator("[aria-live=polite]")).to_have_text("Bahdanau: le jardin est grand .")


def test_a_word_is_judged_when_it_is_finished_and_lines_are_pasted_as_one(live: Callable[..., Page]):
    page = live("bahdanau", fresh=False)
    [before] = say(page, "the old cat sleeps")
    begun = page.evaluate("""() => {
        const field = document.querySelector(".lt-input");
        field.focus();
        field.value = "the old cat sleeps zeb";
        field.dispatchEvent(new Event("input"));
        return document.querySelector(".lt-field .lt-note").hidden;
    }""")
    assert (begun, before["note"]) == (True, "")
    expect(page.locator(".lt-field .lt-note")).to_contain_text(unknown("“zeb”"))
    expect(page.locator("[aria-live=polite]")).to_contain_text("“zeb”")
    pasted = page.evaluate("""() => {
        const [field, data] = [document.querySelector(".lt-input"), new DataTransfer()];
        field.value = "";
        data.setData("text/plain", "the old cat\\r\\nsleeps");
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, cancelable: true }));
        return field.value;
    }""")
    assert pasted == "the old cat sleeps"


@pytest.mark.parametrize("mode", ["light", "smallest"])
def test_no_word_pushes_the_table_off_the_page_and_its_axes_have_names(live: Callable[..., Page], mode: str):
    page = live("bahdanau", mode=mode, fresh=False)
    say(page, f"the {'unbelievable' * 2} cat sleeps")
    heads = page.locator(".lt-weights thead th")
    assert heads.nth(1).get_attribute("title") == "unbelievable" * 2
    assert max(heads.evaluate_all("all => all.map(head => head.offsetHeight)")) <= 130
    assert page.locator(".lt-axes").inner_text().split("\n") == ["English, read →", "French, written ↓"]
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
