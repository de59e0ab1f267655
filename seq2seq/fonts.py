"""Fonts for the words of a plot: matplotlib's own lacks Chinese, Japanese and Korean letters, and draws boxes.

Matplotlib is imported when a plot is drawn, so that importing this module is cheap.
"""

import warnings
from collections.abc import Iterable
from functools import cache


def families(texts: Iterable[str]) -> list[str]:
    """The fonts to draw the texts with: the style's own, then installed ones that have the letters it lacks.

    A letter that no installed font has is drawn as a box, and a warning names it.
    """
    import matplotlib as mpl
    from matplotlib import font_manager

    chosen = list(mpl.rcParams["font.family"])
    missing = {ord(letter) for text in texts for letter in text if letter.isprintable()}
    missing -= letters(font_manager.findfont(font_manager.FontProperties(family=chosen)))
    for font in font_manager.fontManager.ttflist if missing else ():
        if not font.name.startswith("Last Resort") and missing & letters(font.fname):
            chosen.append(font.name)
            missing -= letters(font.fname)
    if missing:
        boxes = " ".join(map(chr, sorted(missing)))
        warnings.warn(
            f"words: no installed font has {boxes}, which will be drawn as boxes; install one that has, such as "
            "Noto Sans CJK for Chinese, Japanese and Korean, and restart the kernel.",
            stacklevel=2,
        )
    return chosen


@cache
def letters(path: str) -> frozenset[int]:
    """The code points that a font file has."""
    from matplotlib import font_manager

    return frozenset(font_manager.get_font(path).get_charmap())
