"""What formgrader shows of a notebook, which it does with a Jupyter server's rights in the browser; and its lists.

Formgrader imports this module as it starts, for the filter that autograder/settings.py names.
"""

import re
from typing import Any

from jinja2 import pass_context
from markupsafe import Markup

from autograder.gradebook.engine import close_connections
from autograder.gradebook.lists import share_lists
from autograder.gradebook.rendering import Piece, rendered

share_lists()
close_connections()


@pass_context
def markdown_to_html(context: Any, source: str) -> Markup:
    """In the place of nbconvert's ``markdown2html``, which hands on whatever scripts a learner wrote.

    Links within the page, as those of the summary to its checks, are kept where they name what they say.
    """
    (html,) = rendered([Piece("prose", source, context.get("cell", {}).get("attachments"))])
    return Markup(re.sub(r"<a>([\w-]+)</a>", r'<a href="#\1">\1</a>', str(html)))
