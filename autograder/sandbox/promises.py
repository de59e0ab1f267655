"""The sandbox's promises, each tried for real: what ``doctor`` reports."""

import shutil
import time
from pathlib import Path

from autograder.sandbox.contents import ENGINE, ENVIRONMENT
from autograder.sandbox.limits import Limits
from autograder.sandbox.refusal import SandboxUnavailable
from autograder.sandbox.warm import Sandbox


def probe(root: Path) -> list[tuple[str, bool, str]]:
    """Tries each promise of the sandbox for real: (promise, holds, what was seen or how to mend it)."""
    if shutil.which("bwrap") is None:
        return [("bubblewrap is installed", False, str(SandboxUnavailable("the command `bwrap` is not installed.")))]
    found = [("bubblewrap is installed", True, shutil.which("bwrap") or "")]
    start = time.monotonic()
    try:
        with Sandbox(root, (), Limits(total_seconds=30)) as sandbox:
            found.append(("the sandbox starts", True, f"in {time.monotonic() - start:.1f} s, warm with torch"))
            for promise, expression in PROMISES.items():
                session = sandbox.open()
                try:
                    session.wire.send({"op": "run", "cell": "probe", "source": expression}, time.monotonic() + 20)
                    reply = session.wire.receive(time.monotonic() + 20)
                    text = "".join(out.get("text", "") for out in reply["outputs"])
                    found.append((promise, text.startswith("True"), text.strip() or str(reply.get("error"))))
                finally:
                    session.end()
    except SandboxUnavailable as error:
        found.append(("the sandbox starts", False, str(error)))
    return found


PROMISES = {
    "no network": "import socket\nprint([name for _, name in socket.if_nameindex()] == ['lo'])",
    "no files of yours": (
        f"import os\nprint(not any(os.path.exists(p) for p in {[str(Path.home() / '.ssh'), '/etc/passwd']!r}))"
    ),
    "nothing of the answers or the judge": (
        "import os\nfound = [name for top, _, names in os.walk('/course') for name in names]\n"
        f"print(sorted(found) == {sorted(Path(module).name for module in ENGINE)!r}, *found)"
    ),
    "no environment of yours": (
        f"import os\nprint(set(os.environ) <= set({sorted([*ENVIRONMENT, 'PWD'])!r}), *os.environ)"
    ),
    "only its own processes": (
        "import os\ndef seen(pid):\n    try:\n        os.kill(pid, 0)\n    except ProcessLookupError:\n"
        "        return False\n    except PermissionError:\n        return True\n    return True\n"
        "print([pid for pid in range(1, 500) if seen(pid)] == [os.getpid()])"
    ),
    "the given modules are read-only": (
        "try:\n    open('/course/autograder/sandbox/wire.py', 'a')\nexcept OSError as error:\n    print(True, error)"
    ),
    "no privileges, and no way to new ones": (
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.unshare(0x10000000) == -1 and libc.mount(b'x', b'/tmp', b'tmpfs', 0, None) == -1)"
    ),
    "memory is limited": (
        "try:\n    x = bytearray(16 * 2**30)\n    print(False)\nexcept MemoryError:\n    print(True)"
    ),
}
