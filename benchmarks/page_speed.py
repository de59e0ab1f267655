"""How fast the built pages answer: from a slider's input to the picture, and from a sentence to each translated word.

    python -m benchmarks.page_speed               # about a minute; needs Chromium and the built book (`make book`)

Every slider of every widget is set to values all along its track, in a headless Chromium without a GPU.
A slider that has come into view is moved once the page is drawn and at rest; moved at once, its first time is that of
drawing the page too, up to twice as long.
The time to the picture goes from the input event to the end of the frame that shows it, so it includes the wait for
the frame, up to 17 ms; the script's share of it is told beside it.
Sentences of 4 to 30 words are translated greedily by each trained model; the time is that of reading and saying,
divided by the words said.
The exit status is 1 if a page's median picture or a model's median word takes longer than it may.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from benchmarks.report import machine_name, markdown, write
from book.chromium import PrintError, program
from seq2seq.corpora.grammar import corpus
from seq2seq.experiments.live_models import LIVE
from tests.browser.visits import HTML, with_widgets

COMMAND = "python -m benchmarks.page_speed"
ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "page_speed.json"
PICTURE, WORD = 50.0, 20.0
"""Milliseconds that an input and a translated word may take."""
SLIDES = """async (count) => {
    const ranges = [...document.querySelectorAll(".cw input[type=range]")].filter((one) => one.checkVisibility());
    const painted = () => new Promise((done) => requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = done;
        port2.postMessage(0);
    }));
    const times = [];
    for (const range of ranges) {
        range.scrollIntoView({ block: "center" });
        await painted(); // what has come into view
        await painted();
        await new Promise(requestIdleCallback);
        for (let at = 0; at < count; at += 1) {
            range.value = Number(range.min) + (at / (count - 1)) * (range.max - range.min);
            const start = performance.now();
            range.dispatchEvent(new Event("input", { bubbles: true }));
            const script = performance.now() - start;
            await painted();
            times.push([script, performance.now() - start]);
        }
    }
    return times;
}"""
WORDS = """async ([name, sentences]) => {
    const { greedy, loadModel } = liveTranslation;
    const model = await loadModel(name);
    const say = (words) => greedy(model, model.read(model.encodeWords(words)));
    say(sentences[0]);
    return sentences.map((words) => {
        const start = performance.now();
        const steps = say(words);
        return (performance.now() - start) / steps.length;
    });
}"""


def inputs(page: Page, count: int) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for name in with_widgets():
        page.goto((HTML / f"{name}.html").as_uri())
        page.wait_for_function("() => document.querySelector('.cw input[type=range]')")
        times = page.evaluate(SLIDES, count)
        script, picture = ([pair[which] for pair in times] for which in (0, 1))
        rows.append(
            {
                "page": name.removeprefix("book/"),
                "inputs": len(times),
                "script, ms": median(script),
                "worst script, ms": max(script),
                "picture, ms": median(picture),
                "worst picture, ms": max(picture),
            }
        )
    return rows


def words(page: Page, count: int) -> list[dict[str, object]]:
    sentences = [list(pair.source) for pair in corpus(count, 2020, (4, 30))]
    page.goto((HTML / "book" / "index.html").as_uri())
    page.locator("live-translation").first.scroll_into_view_if_needed()
    page.wait_for_function("() => globalThis.liveTranslation")
    by_model = {name: page.evaluate(WORDS, [name, sentences]) for name in LIVE}
    return [
        {"model": name, "sentences": count, "a word, ms": median(times), "worst sentence's word, ms": max(times)}
        for name, times in by_model.items()
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=COMMAND, description="Time the widgets and live models of the built book.")
    parser.add_argument("--json", type=Path, default=RESULTS, help="write the report there (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="few inputs and sentences; its numbers mean little")
    options = parser.parse_args(arguments)
    if not (HTML / "index.html").exists():
        print(f"page_speed: {HTML} has no book; build it with `make book`.", file=sys.stderr)
        return 2
    try:
        chromium = program()
    except PrintError as problem:
        print(f"page_speed: {problem}", file=sys.stderr)
        return 2
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        pictures, live = inputs(page, 3 if options.quick else 15), words(page, 3 if options.quick else 100)
        browser.close()
    print(markdown(pictures), markdown(live), sep="\n\n")
    report = {"command": COMMAND, "machine": machine_name(), "cores": os.cpu_count(), "inputs": pictures, "words": live}
    write(options.json, json.loads(json.dumps(report), parse_float=lambda text: round(float(text), 2)))
    slow = [row for row in pictures if row["picture, ms"] > PICTURE] + [row for row in live if row["a word, ms"] > WORD]
    return int(bool(slow))


if __name__ == "__main__":
    raise SystemExit(main())
