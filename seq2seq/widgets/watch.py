"""The player where a front end can show it, else its text."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence

from seq2seq.playback import Playback

LAB, VSCODE = "JPY_SESSION_NAME", "__vsc_ipynb_file__"  # by which the two tell a kernel that somebody looks at it


def watch(
    runs: Mapping[str, Sequence[Playback]], translate: Callable[[str, Sequence[str]], Playback] | None = None
) -> None:
    """Show a :class:`~seq2seq.widgets.player.Player`; where no one would see it, nothing of it is even imported."""
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
