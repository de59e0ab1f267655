"""The player: a trained decoder word by word, with its input, weights, context and candidates at each step."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import traitlets

from seq2seq.widgets.playback import Playback, tokenise
from seq2seq.widgets.widget import Widget

LONGEST = 40  # typed words; pictures of more are illegible
LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"  # 31 levels on either side of 0
Translate = Callable[[str, Sequence[str]], Playback]


class Player(Widget, script="player"):
    """Sentences decoded by several models and, in a notebook, any typed sentence.

    ``runs`` maps the name of each model to its playbacks of the same sentences.
    ``translate(name, words)`` decodes a typed sentence with one of the models; without it there is no input field.

    Raises:
        ValueError: the models did not decode the same sentences, or there are none.
    """

    runs = traitlets.List(traitlets.Any()).tag(sync=True)  # the sentences of each model, as written by `compact`
    models = traitlets.List(traitlets.Unicode()).tag(sync=True)
    can_type = traitlets.Bool(False).tag(sync=True)
    typed = traitlets.Dict().tag(sync=True)  # the answer to the last typed sentence

    def __init__(
        self,
        runs: Mapping[str, Sequence[Playback]],
        translate: Translate | None = None,
        label: str = "A decoder, step by step",
    ) -> None:
        sources = [[playback.source for playback in playbacks] for playbacks in runs.values()]
        if not sources or not sources[0] or any(others != sources[0] for others in sources):
            raise ValueError("runs: expected the same sentences, at least one, decoded by every model.")
        self._text = "\n\n".join(f"{name}\n{playbacks[0].text()}" for name, playbacks in runs.items())
        self._translate = translate
        super().__init__(
            label=label,
            runs=[[compact(playback) for playback in playbacks] for playbacks in runs.values()],
            models=list(runs),
            can_type=translate is not None,
        )
        self.on_msg(self._on_message)

    def text(self) -> str:
        return self._text

    def _on_message(self, _: Any, message: Any, buffers: Any) -> None:
        """Answers a typed sentence; there is always an answer, if only a problem."""
        number, text = message.get("number", 0), str(message.get("text", ""))
        self.typed = {"number": number, "text": text, **self._answer(tokenise(text))}

    def _answer(self, words: list[str]) -> dict[str, Any]:
        if self._translate is None or not any(word.isalnum() for word in words):
            return {"problem": "Type a few English words, such as: the old cat sleeps."}
        if len(words) > LONGEST:
            return {"problem": f"These are {len(words)} words and signs; at most {LONGEST} can be shown."}
        try:
            playbacks = [self._translate(name, words) for name in self.models]
        except Exception as error:
            return {"problem": f"It could not be translated. {type(error).__name__}: {error}"}
        return {"runs": [compact(playback) for playback in playbacks]}


def compact(playback: Playback) -> dict[str, Any]:
    """A compact playback: weights and probabilities in thousandths, contexts as one letter per number."""
    words = list(dict.fromkeys(word for step in playback.steps for word, _ in step.candidates))
    return {
        "source": list(playback.source),
        "unknown": list(playback.unknown),
        "words": words,
        "read": playback.steps[0].read,
        "steps": [
            [
                [round(1000 * weight) for weight in step.weights],
                [words.index(word) for word, _ in step.candidates],
                [round(1000 * chance) for _, chance in step.candidates],
                "".join(_letter(number) for number in step.context),
            ]
            for step in playback.steps
        ],
    }


def _letter(number: float) -> str:
    """One of 63 characters, for -1 to 1, the range of tanh states and of their averages."""
    return LETTERS[round(31 * max(-1.0, min(1.0, number))) + 31]
