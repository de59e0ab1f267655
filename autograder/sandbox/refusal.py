"""What is said when learners' code cannot be run safely: nothing runs, and the text says how to mend it."""

REMEDY = (
    "Learners' code is never run outside the sandbox, so nothing was graded without it.\n"
    "What was graded before is kept.\n"
    "  Missing bubblewrap?     sudo apt-get install bubblewrap   (Fedora: dnf install bubblewrap)\n"
    "  Ubuntu 24.04 or newer?  AppArmor forbids user namespaces: allow them for bwrap with a profile,\n"
    "                          or: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0\n"
    "  Inside a container?     start it with user namespaces allowed (docker: --security-opt seccomp=unconfined)\n"
    "  macOS or Windows?       bubblewrap needs Linux: grade in a virtual machine or a Linux container\n"
    "  Then try again:         python -m autograder doctor"
)

KILLED = (
    "Nothing was graded without it; what was graded before is kept.\n"
    "  Short of memory?        a judge takes about 600 MB: fewer of them, as --workers 1, take less\n"
    "  Then run the same command again."
)


class SandboxUnavailable(Exception):
    """The sandbox cannot start; the text says why and how to mend it."""

    def __init__(self, reason: str, remedy: str = REMEDY) -> None:
        super().__init__(f"the sandbox cannot start: {reason}\n{remedy}")
        self.reason, self.remedy = reason, remedy
