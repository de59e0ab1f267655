"""The hook in the learner's kernel: hears which checks ran in a cell, and shows the standing below it.

Where checks are imported without IPython, as the judge does, nothing is hooked in.
"""

import os
import sys
from pathlib import Path
from typing import Any

from autograder import expect
from autograder.progress.standing import Standing
from autograder.progress.tasks import Tasks, read

LAB, VSCODE = "JPY_SESSION_NAME", "__vsc_ipynb_file__"  # where the two say which notebook a kernel belongs to


def follow() -> None:
    """Begin to follow the checks, if this is a notebook or a shell of IPython; a second call changes nothing."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or any(isinstance(listener, Following) for listener in expect.listeners):
        return
    following = Following(shell)
    expect.listeners.append(following)
    shell.events.register("post_run_cell", following.show)


class Following:
    """One kernel's memory of its checks."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.passed: dict[str, bool] = {}
        self.fresh = False  # a check has run since the standing was shown last
        self.widget: Any = None
        self.views = 0  # how many have been put up; the last one alone is to be seen

    def __call__(self, check: str, passed: bool) -> None:
        self.passed[check] = passed
        self.fresh = self.fresh or not check.endswith("_hidden")

    def show(self, _: object = None) -> None:
        """After each cell. Whatever goes wrong here, the check's own word stands."""
        if not self.fresh:
            return
        self.fresh = False
        try:
            tasks = self.tasks()
            if tasks is not None:
                self.display(Standing(tasks, self.passed))
        except Exception as error:
            print(f"(Progress cannot be shown: {type(error).__name__}.)")

    def tasks(self) -> Tasks | None:
        """The tasks of the notebook that this kernel belongs to; else of the one beside it that has these checks."""
        named = [os.environ.get(LAB, ""), self.shell.user_ns.get(VSCODE) or ""]
        for path in named:
            if path and (tasks := read(Path(str(path)))):
                return tasks
        asked = {check for check in self.passed if not check.endswith("_hidden")}
        for path in sorted(Path.cwd().glob("*.ipynb"), key=lambda path: -path.stat().st_mtime):
            tasks = read(path)
            if tasks is not None and asked <= {check for task in tasks.tasks for check in task.checks}:
                return tasks
        return None

    def display(self, standing: Standing) -> None:
        """As a widget where a front end can show it, else as a line of text."""
        if not (os.environ.get(LAB) or VSCODE in self.shell.user_ns):
            print(standing.text())
            return
        try:
            import ipywidgets
        except ImportError:
            print(standing.text())
            return
        if self.widget is None:
            self.widget = ipywidgets.HTML()
        self.widget.value = standing.html()
        if self.views:  # a saved notebook cannot show widgets again: the fewer it holds, the fewer complaints
            self.publish("", "", update=True)
        self.views += 1
        self.publish(self.widget.model_id, standing.text())

    def publish(self, model: str, text: str, update: bool = False) -> None:
        """A view of the model, as an update in the place of the last one; JupyterLab hides a view without a model."""
        view = {"version_major": 2, "version_minor": 0, "model_id": model}
        bundle = {"application/vnd.jupyter.widget-view+json": view, "text/plain": text}
        place = {"display_id": f"progress-{id(self)}-{self.views}"}
        self.shell.display_pub.publish(bundle, {}, transient=place, update=update)
