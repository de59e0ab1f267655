"""Limits a learner's outputs to plain text and pictures: never HTML, SVG or JavaScript."""

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from nbformat import NotebookNode, from_dict

from autograder.records.verdict import CheckVerdict

SIGNATURES = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}
MAX_TEXT = 20_000  # characters of one output


def safe_outputs(outputs: Any) -> list[NotebookNode]:
    """The outputs of one cell that may be shown, rebuilt from their parts; everything else is dropped."""
    safe = []
    for output in outputs if isinstance(outputs, list) else []:
        if not isinstance(output, Mapping):
            continue
        kind = output.get("output_type")
        if kind == "stream":
            name = "stderr" if output.get("name") == "stderr" else "stdout"
            safe.append(_stream(name, _text(output.get("text"))))
        elif kind == "error":
            traceback = output.get("traceback")
            lines = [_text(line) for line in traceback] if isinstance(traceback, list) else []
            safe.append(_error(_text(output.get("ename")), _text(output.get("evalue")), lines))
        elif kind in ("display_data", "execute_result"):
            data = output.get("data")
            data = data if isinstance(data, Mapping) else {}
            shown = safe_pictures(data)
            if _text(data.get("text/plain")):
                shown["text/plain"] = _text(data["text/plain"])
            if shown:
                safe.append(from_dict({"output_type": "display_data", "data": shown, "metadata": {}}))
    return safe


def safe_pictures(bundle: Mapping[str, Any]) -> dict[str, str]:
    """The PNG and JPEG pictures of a bundle whose data really are base64 of such a picture."""
    pictures = {}
    for kind, signature in SIGNATURES.items():
        data = bundle.get(kind)
        text = "".join(data) if isinstance(data, list) and all(isinstance(part, str) for part in data) else data
        if not isinstance(text, str):
            continue
        try:
            raw = base64.b64decode("".join(text.split()), validate=True)
        except (binascii.Error, ValueError):
            continue
        if raw.startswith(signature):
            pictures[kind] = base64.b64encode(raw).decode("ascii")
    return pictures


def check_outputs(check: CheckVerdict | None) -> list[NotebookNode]:
    """The outputs of a check cell from which nbgrader reads exactly the verdict's points.

    nbgrader gives full points to a cell without outputs, so a check without a verdict gets an error output.
    """
    if check is not None and check.points >= check.max_points:
        return [_stream("stdout", f"{check.message or '✓ passed'}\n")]
    if check is None or check.points <= 0:
        message = "This check was not graded." if check is None else check.message or "This check did not pass."
        return [_error("CheckFailed", message, [message])]
    result = {"output_type": "execute_result", "data": {"text/plain": repr(float(check.points))}}
    return [_stream("stdout", f"{check.message}\n"), from_dict({**result, "execution_count": None, "metadata": {}})]


def _stream(name: str, text: str) -> NotebookNode:
    return from_dict({"output_type": "stream", "name": name, "text": text})


def _error(name: str, value: str, lines: list[str]) -> NotebookNode:
    lines = lines or [f"{name}: {value}"]
    return from_dict({"output_type": "error", "ename": name, "evalue": value, "traceback": lines})


def _text(value: Any) -> str:
    if isinstance(value, list):
        value = "".join(part for part in value if isinstance(part, str))
    if not isinstance(value, str):
        return ""
    text = value.encode("utf-8", errors="replace").decode("utf-8")
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "\n… (cut off)"
