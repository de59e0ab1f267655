"""Translators at work: the player where a front end can show it, else its text.

Where a submission is graded, the library is not at hand and nobody looks: there nothing is decoded.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

LAB, VSCODE = "JPY_SESSION_NAME", "__vsc_ipynb_file__"  # by which the two tell a kernel that somebody looks at it


def watch(translators: Mapping[str, Any], words: Sequence[str], source_vocab: Any, target_vocab: Any) -> None:
    """Show how each translator, under its name, decodes the words; in a player further sentences can be typed.

    Translators and vocabularies are as :func:`seq2seq.playback.play` wants them.
    """
    try:
        from seq2seq.playback import Playback, play
    except ImportError:
        print("Nobody watches here.")
        return

    def translate(name: str, sentence: Sequence[str]) -> Playback:
        return play(translators[name], sentence, source_vocab, target_vocab)

    runs = {name: [translate(name, words)] for name in translators}
    if _is_seen():
        try:
            from IPython.display import display

            from seq2seq.widgets.player import Player
        except ImportError:  # no widgets here
            pass
        else:
            display(Player(runs, translate))
            return
    print("\n\n".join(f"{name}\n{playbacks[0].text()}" for name, playbacks in runs.items()))


def _is_seen() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and (bool(os.environ.get(LAB)) or VSCODE in shell.user_ns)
