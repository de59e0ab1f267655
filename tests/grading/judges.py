"""Judges that need no sandbox, for workers that are processes of their own."""

import os
import signal
from pathlib import Path
from types import SimpleNamespace

from distributed import KilledWorker, get_worker
from small_course import FakeJudge, NoSandbox  # noqa: F401


class Breaking(FakeJudge):
    started = 0

    def run(self, job):
        if any("breaks the judge" in cell.source for cell in job.cells):
            raise RuntimeError("the judge broke")
        return super().run(job)


class Telling(Breaking):
    """Says for which worker it judged; does what a word in the submission tells it to."""

    def run(self, job):
        code = "\n".join(cell.source for cell in job.cells)
        mark = Path(code.partition("kills the first worker ")[2].partition("\n")[0])
        if "kills its worker" in code or ("kills the first worker" in code and not mark.exists()):
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if "is told to have killed its worker" in code:
            raise KilledWorker("judged", SimpleNamespace(address="tcp://gone:1"), 1)
        verdict = super().run(job)
        verdict.notes.append(get_worker().address)
        return verdict
