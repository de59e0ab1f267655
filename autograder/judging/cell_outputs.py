"""A learner's cell outputs, rebuilt from the sandbox's reply."""

from typing import Any

from autograder.judging.sanitise import printable

MAX_OUTPUTS = 1000  # per cell


def size_of(output: dict[str, Any]) -> int:
    return len(output.get("text", "")) + sum(map(len, output.get("data", {}).values()))


def outputs_of(reply: dict[str, Any], limit: int) -> tuple[list[dict[str, Any]], bool]:
    """A cell's outputs, truncated: streams, texts, pictures and at most one error; and whether there was an error."""
    outputs: list[dict[str, Any]] = []
    left = limit + 1000
    replied = reply.get("outputs")
    for output in replied[:MAX_OUTPUTS] if isinstance(replied, list) else []:
        match output:
            case {"output_type": "stream", "name": "stdout" | "stderr" as name, "text": str(text)} if left > 0:
                outputs.append({"output_type": "stream", "name": name, "text": text[:left]})
                left -= len(text)
            case {"output_type": "display_data", "data": dict(data)}:
                shown = {
                    mime: text
                    for mime, text in data.items()
                    if mime in ("text/plain", "image/png") and isinstance(text, str) and len(text) <= left
                }
                if shown:
                    outputs.append({"output_type": "display_data", "data": shown, "metadata": {}})
                    left -= sum(map(len, shown.values()))
    error = reply.get("error")
    if isinstance(error, dict):
        kind, detail, line = (printable(error.get(key)) for key in ("kind", "detail", "line"))
        trace = [*([f"at your line `{line}`"] if line else []), f"{kind}: {detail}"]
        outputs.append({"output_type": "error", "ename": kind, "evalue": detail, "traceback": trace})
    return outputs, isinstance(error, dict)
