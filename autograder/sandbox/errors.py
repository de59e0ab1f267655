"""The error raised when learners' code cannot be run safely: nothing runs, and the text says how to fix it."""

REMEDY = (
    "Learners' code is never run outside the sandbox, so nothing more was graded.\n"
    "Earlier verdicts are kept.\n"
    "  Missing bubblewrap?     sudo apt-get install bubblewrap   (Fedora: dnf install bubblewrap)\n"
    "  Ubuntu 24.04 or newer?  AppArmor forbids user namespaces: allow them for bwrap with a profile,\n"
    "                          or: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0\n"
    "  Inside a container?     start it with user namespaces allowed (docker: --security-opt seccomp=unconfined)\n"
    "  macOS or Windows?       bubblewrap needs Linux: grade in a virtual machine or a Linux container\n"
    "  Then try again:         python -m autograder doctor"
)

KILLED = (
    "Nothing more was graded; earlier verdicts are kept.\n"
    "  Short of memory?        each judge takes about 600 MB: run fewer, for example --workers 1\n"
    "  Then run the same command again."
)


class SandboxUnavailable(Exception):
    """The sandbox cannot start; the text says why and how to fix it."""

    def __init__(self, reason: str, remedy: str = REMEDY) -> None:
        super().__init__(f"the sandbox cannot start: {reason}\n{remedy}")
        self.reason, self.remedy = reason, remedy


class Unfit(SandboxUnavailable):
    """Learners' code would see what it must not; the text is one line."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason, remedy)
        self.args = (f"Not fit: {reason} Learners' code will not be run here. {remedy}",)
