"""Where an exercise opens with one click: Colab, Kaggle, Binder, a JupyterHub.

The addresses are made from ``launch_buttons``, ``repository_url`` and ``repository_branch``, under
``html_theme_options`` in ``_config.yml``; an empty one takes its link away, and there are none before the book has an
address of its own. The published branch is the built book, which has the exercises in ``exercises/`` and the package
that their first cell installs at its top.
"""

from urllib.parse import quote, urlsplit

from sphinx.config import Config

from autograder.assignments.publication import is_public

KAGGLE = "https://kaggle.com/kernels/welcome"


def launchers(config: Config, name: str) -> dict[str, str]:
    """Name of the service → address that opens the exercise called ``name`` there."""
    options = config.html_theme_options
    repository, branch = options.get("repository_url", ""), options.get("repository_branch", "")
    if not (repository and branch and is_public(config.html_baseurl)):
        return {}
    buttons = options.get("launch_buttons", {})
    owner, _, project = urlsplit(repository).path.strip("/").partition("/")
    file = f"exercises/{name}.ipynb"
    pulled = f"repo={quote(repository, safe='')}&urlpath={quote(f'lab/tree/{project}/{file}')}&branch={quote(branch)}"
    services = {
        "Colab": ("colab_url", f"/github/{owner}/{project}/blob/{branch}/{file}"),
        "Binder": ("binderhub_url", f"/v2/gh/{owner}/{project}/{branch}?urlpath=lab/tree/{file}"),
        "JupyterHub": ("jupyterhub_url", f"/hub/user-redirect/git-pull?{pulled}"),
    }
    links = {where: buttons[key].rstrip("/") + rest for where, (key, rest) in services.items() if buttons.get(key)}
    return {"Kaggle": f"{KAGGLE}?src={repository}/blob/{branch}/{file}"} | links
