"""``{result}``: a number taken from a committed result, never typed.

``{result}`length_curve:fixed.bleu.41-50|.1f` `` reads seq2seq/experiments/results/length_curve.json, follows the
keys, and formats the value. ``*`` takes every entry of a list or object, to be reduced by mean, min, max, std, sum,
count or spread, the mean with the range behind it: ``{result}`length_curve:runs.*.bleu|spread|.1f` ``. A key that
contains a dot, a bar or a star is put in double quotes: ``{result}`estimator:estimators."gumbel_0.3".bias|.2f` ``.
``benchmarks/`` before the name takes a result of the benchmarks.
"""

import json
import re
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

RESULTS = Path("seq2seq/experiments/results")
FOLDERS = {"": RESULTS, "benchmarks": Path("benchmarks/results")}


class Spread(list[float]):
    """Values that are written as their mean, with the least and the largest behind it if there are several."""

    def __format__(self, spec: str) -> str:
        mean, low, high = (format(value, spec) for value in (statistics.fmean(self), min(self), max(self)))
        return mean if len(self) == 1 else f"{mean} ({low.removesuffix('%')}–{high})"


REDUCERS: dict[str, Callable[[list[Any]], Any]] = {
    "mean": statistics.fmean,
    "std": statistics.stdev,
    "min": min,
    "max": max,
    "sum": sum,
    "count": len,
    "spread": Spread,
}

KEY = r'"[^"]*"|[^".|]+'
ADDRESS = re.compile(rf"(?P<name>[^:|]+)(?::(?P<keys>(?:{KEY})(?:\.(?:{KEY}))*)?)?(?P<steps>\|.*)?")


class ResultError(LookupError):
    """The expression has no value; the message says where the lookup ended."""


def parse(expression: str) -> tuple[str, list[str], list[str]]:
    """The name of the result, the keys (with any quotes) and the steps."""
    parts = ADDRESS.fullmatch(expression)
    if parts is None:
        raise ResultError(f'result: {expression!r} cannot be read; expected name:key."a.key".key|step.')
    steps = parts["steps"].split("|")[1:] if parts["steps"] else []
    return parts["name"], re.findall(KEY, parts["keys"] or ""), steps


def follow(value: Any, keys: list[str], expression: str) -> Any:
    """The value at the keys; a list of values if ``*`` is among them."""
    for place, key in enumerate(keys):
        if key == "*":
            entries = list(value.values()) if isinstance(value, dict) else value
            return [follow(entry, keys[place + 1 :], expression) for entry in entries]
        key = key.strip('"')
        try:
            value = value[int(key)] if isinstance(value, list) else value[key]
        except (KeyError, IndexError, ValueError, TypeError):
            there = list(value) if isinstance(value, dict) else f"a {type(value).__name__}"
            raise ResultError(f"result: {expression!r} ends at {key!r}; there is {there}.") from None
    return value


def flatten(values: list[Any]) -> list[Any]:
    return [entry for value in values for entry in (flatten(value) if isinstance(value, list) else [value])]


def evaluate(root: Path, expression: str) -> tuple[str, Path]:
    """The text of an expression, and the file it was read from."""
    name, keys, steps = parse(expression)
    where, _, name = name.rpartition("/")
    path = root / FOLDERS.get(where, RESULTS / where) / f"{name}.json"
    if not path.is_file():
        raise ResultError(f"result: {expression!r} names {path.relative_to(root)}, which does not exist.")
    value = follow(json.loads(path.read_text()), keys, expression)
    for step in steps:
        if step in REDUCERS:
            value = REDUCERS[step](flatten(value))
        else:
            try:
                value = format(value, step)
            except (ValueError, TypeError) as error:
                raise ResultError(f"result: {expression!r}: {step!r} formats no {type(value).__name__}.") from error
    return str(value).replace("-", "−") if str(value).lstrip("-").replace(".", "").isdigit() else str(value), path


class ResultRole(SphinxRole):
    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            text, path = evaluate(Path(self.env.srcdir), self.text)
        except ResultError as error:
            message = self.inliner.reporter.error(str(error), line=self.lineno)
            return [nodes.problematic(self.rawtext, self.rawtext)], [message]
        self.env.note_dependency(str(path))
        return [nodes.inline(self.rawtext, text, classes=["result"])], []


def setup(app: Sphinx) -> None:
    app.add_role("result", ResultRole())
