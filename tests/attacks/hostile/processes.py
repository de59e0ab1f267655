"""Processes: none outlives its submission, none reaches another."""

from attacks.notebooks import Attack

NAMED = "import ctypes, os, signal, time\nctypes.CDLL(None).prctl(15, b'attack-daemon', 0, 0, 0)\n"

ATTACKS = (
    Attack("daemon", "outlive the grading in a session of its own", NAMED + """
if not os.fork():
    os.setsid()
    if not os.fork():
        for number in range(1, 32):
            try:
                signal.signal(number, signal.SIG_IGN)
            except OSError:
                pass
        time.sleep(10**6)
    os._exit(0)
""", rich=True),
    Attack("kill everything", "end the grader", "import os\nos.kill(-1, 9)", rich=True),
    Attack("fork bomb", "take all processes",
           NAMED + "while True:\n    try:\n        os.fork()\n    except OSError:\n        time.sleep(0.1)", rich=True,
           status="timeout|crashed|memory"),
    Attack("nameless bomb", "start processes unseen, by a name that is no text", """
import ctypes, os, time
name = lambda text: ctypes.CDLL(None).prctl(15, text, 0, 0, 0)
name(b"\\xff\\xfe")
try:
    for _ in range(150):
        if not os.fork():
            name(b"attack-daemon")
            time.sleep(10**6)
except OSError:
    pass
time.sleep(10**6)
""", rich=True, status="crashed|memory"),
    Attack("200 sleepers", "leave processes behind",
           NAMED + "for _ in range(200):\n    if not os.fork():\n        time.sleep(10**6)\ntime.sleep(1)", rich=True,
           status="ok|timeout|crashed|memory"),
    Attack("kill itself", "end the grader with it", "import os\nos.kill(os.getpid(), 9)", rich=True),
    Attack("stop itself", "halt the grader", "import os, signal\nos.kill(os.getpid(), 19)", rich=True),
)  # fmt: skip
