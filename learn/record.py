"""The learner's record: a small file beside the notebooks with what each exercise's last check found."""

import json
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from pathlib import Path

from autograder.progress.overview import TaskResult
from learn.results import Results, as_saved, digest

FILE = "learn-progress.json"


def write(notebook: Path, results: Results) -> None:
    """Replaces the notebook's entry; a damaged file is begun anew."""
    entries = _entries(notebook.parent)
    entries[notebook.name] = {"checked": date.today().isoformat(), **asdict(results)}
    path = notebook.parent / FILE
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    fresh.replace(path)


def results_of(notebook: Path) -> Results:
    """The results of the last `learn check`, if the notebook's sources are still the same; else those saved in it."""
    now, entry = digest(notebook), _entries(notebook.parent).get(notebook.name, {})
    with suppress(LookupError, TypeError):  # there is no entry, or it is damaged or another version's
        if entry["digest"] == now:
            tasks = tuple(TaskResult(**task) for task in entry["tasks"])
            return Results(tasks, *(entry[name] for name in ("hidden", "in_words", "unanswered", "digest")))
    return as_saved(notebook)


def _entries(folder: Path) -> dict[str, dict]:
    try:
        entries = json.loads((folder / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return entries if isinstance(entries, dict) else {}
