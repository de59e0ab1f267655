"""One submission in its box, as the judge holds it."""

import socket

from autograder.sandbox.wire import Wire


class Session:
    """One submission's process: the wire to it, and a leash whose end kills the whole tree."""

    def __init__(self, wire: Wire, leash: socket.socket) -> None:
        self.wire = wire
        self.leash = leash

    def end(self, seconds: float = 5.0) -> str:
        """Kills the process tree and returns how it ended: "killed", "exit N", "signal N", "memory" or "processes"."""
        self.wire.close()
        try:
            self.leash.settimeout(seconds)
            self.leash.shutdown(socket.SHUT_WR)
            return self.leash.recv(64).decode("ascii", "replace") or "killed"
        except OSError:
            return "killed"
        finally:
            self.leash.close()
