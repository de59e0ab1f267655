"""Shows translators step by step: in the player if the front end can show it, else as text.

Where a submission is graded, the library is not available and there is no reader, so nothing is decoded.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

LAB, VSCODE = "JPY_SESSION_NAME", "__vsc_ipynb_file__"  # how the two mark a kernel with a front end


def watch(translators: Mapping[str, Any], words: Sequence[str], source_vocab: Any, target_vocab: Any) -> None:
    """Show how each translator, by name, decodes the words; the player also accepts typed sentences.

    Translators and vocabularies are those that :func:`seq2seq.widgets.playback.play` expects.
    """
    try:
        from seq2seq.widgets.playback import Playback, play
    except ImportError:
        print("The player is not available here.")
        return

    def translate(name: str, sentence: Sequence[str]) -> Playback:
        return play(translators[name], sentence, source_vocab, target_vocab)

    runs = {name: [translate(name, words)] for name in translators}
    if _has_front_end():
        try:
            from IPython.display import display

            from seq2seq.widgets.player import Player
        except ImportError:  # no widgets installed
            pass
        else:
            display(Player(runs, translate))
            return
    print("\n\n".join(f"{name}\n{playbacks[0].text()}" for name, playbacks in runs.items()))


def _has_front_end() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and (bool(os.environ.get(LAB)) or VSCODE in shell.user_ns)
