"""The hook in the learner's kernel: records which checks ran in a cell, and shows the progress below it.

Without IPython, as in the judge, no hook is installed.
"""

import os
import sys
from pathlib import Path
from typing import Any

from autograder import finding
from autograder.progress.overview import Progress
from autograder.progress.tasks import Tasks, read, released

LAB, VSCODE = "JPY_SESSION_NAME", "__vsc_ipynb_file__"  # where JupyterLab and VS Code name the kernel's notebook
HOSTED = ("COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE")  # there the notebook is no file that the kernel can read


def follow() -> None:
    """Start following the checks in a notebook or IPython shell; a second call has no effect."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or any(isinstance(listener, KernelHook) for listener in finding.listeners):
        return
    hook = KernelHook(shell)
    finding.listeners.append(hook)
    shell.events.register("post_run_cell", hook.show)


class KernelHook:
    """The results of the checks in one kernel."""

    def __init__(self, shell: Any) -> None:
        self.shell = shell
        self.passed: dict[str, bool] = {}
        self.fresh = False  # a check has run since the progress was last shown
        self.views = 0  # displayed so far; only the last stays visible

    def __call__(self, check: str, passed: bool) -> None:
        self.passed[check] = passed
        self.fresh = self.fresh or not check.endswith("_hidden")

    def show(self, _: object = None) -> None:
        """Called after each cell; an error here must not hide the check's result."""
        if not self.fresh:
            return
        self.fresh = False
        try:
            tasks = self.tasks()
            if tasks is not None:
                self.display(Progress.of(tasks, self.passed))
        except Exception as error:
            print(f"(Progress cannot be shown: {type(error).__name__}.)")

    def tasks(self) -> Tasks | None:
        """The tasks of this kernel's notebook; if unknown, of one that has these checks: in the folder, or released."""
        for path in filter(None, (os.environ.get(LAB), self.shell.user_ns.get(VSCODE))):
            if tasks := read(Path(str(path))):
                return tasks
        ran = {check for check in self.passed if not check.endswith("_hidden")}
        beside = sorted(Path.cwd().glob("*.ipynb"), key=lambda path: -path.stat().st_mtime)
        elsewhere = released() if any(name in os.environ for name in HOSTED) else []
        for path in [*beside, *elsewhere]:
            tasks = read(path)
            if tasks is not None and ran <= {check for task in tasks.tasks for check in task.checks}:
                return tasks
        return None

    def display(self, progress: Progress) -> None:
        """As HTML in a notebook, in place of what stood below the check before; as a line of text in a terminal.

        Not as a widget: a notebook that is opened again could not show it.
        """
        if not hasattr(self.shell, "kernel"):
            print(progress.text())
            return
        if self.views:
            self.publish({"text/plain": ""}, update=True)
        self.views += 1
        self.publish({"text/html": progress.html(), "text/plain": progress.text()})

    def publish(self, bundle: dict[str, str], update: bool = False) -> None:
        transient = {"display_id": f"progress-{id(self)}-{self.views}"}
        self.shell.display_pub.publish(bundle, {}, transient=transient, update=update)
