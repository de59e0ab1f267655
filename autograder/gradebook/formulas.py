"""TeX → MathML, which browsers and screen readers read by themselves: no script, no font, no request.

By ``docutils.utils.math.latex2mathml``; what it does not know is shown as the TeX that was written.
"""

from functools import lru_cache
from html import escape

from docutils.utils.math import latex2mathml

LONGEST = 4_000  # characters of one formula; longer ones are shown as they are


@lru_cache(maxsize=4096)
def mathml(tex: str, block: bool) -> str:
    """A formula as a ``<math>`` element, on a line of its own where ``block``; never raises for what ``tex`` is."""
    tex = tex.strip()
    try:
        if len(tex) > LONGEST:
            raise ValueError("too long")
        made = latex2mathml.tex2mathml(tex, as_block=block)
    except Exception:  # the converter meets hostile TeX with whatever Python raises there, RecursionError among them
        return f"<pre><code>{escape(tex)}</code></pre>" if block else f"<code>{escape(tex)}</code>"
    return "".join(line.strip() for line in made.splitlines())
