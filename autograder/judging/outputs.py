"""What a learner's cell showed, rebuilt from what the sandbox said of it."""

from typing import Any

from autograder.judging.trust import spoken

MAX_OUTPUTS = 1000  # of one cell


def size_of(output: dict[str, Any]) -> int:
    return len(output.get("text", "")) + sum(map(len, output.get("data", {}).values()))


def outputs_of(reply: dict[str, Any], limit: int) -> tuple[list[dict[str, Any]], bool]:
    """A cell's outputs, rebuilt from what the sandbox said: streams, texts, pictures and one error, all of them cut."""
    outputs: list[dict[str, Any]] = []
    left = limit + 1000
    said = reply.get("outputs")
    for output in said[:MAX_OUTPUTS] if isinstance(said, list) else []:
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
        kind, detail, line = (spoken(error.get(key)) for key in ("kind", "detail", "line"))
        trace = [*([f"at your line `{line}`"] if line else []), f"{kind}: {detail}"]
        outputs.append({"output_type": "error", "ename": kind, "evalue": detail, "traceback": trace})
    return outputs, isinstance(error, dict)
