"""Where a dask scheduler listens."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.grading.refusal import UsageError

if TYPE_CHECKING:
    from distributed.security import Security


@dataclass(frozen=True)
class Scheduler:
    """Its address, and the files that prove who is who where that begins with ``tls://``."""

    address: str
    ca_file: str | None = None
    cert: str | None = None
    key: str | None = None

    def security(self) -> "Security | None":
        """None without TLS; files that are not named here come from dask's own configuration.

        Raises:
            UsageError: the files and the address do not go together.
        """
        named = {"tls_ca_file": self.ca_file, "tls_client_cert": self.cert, "tls_client_key": self.key}
        files = {name: file for name, file in named.items() if file}
        if not self.address.startswith("tls://"):
            if files:
                raise UsageError(f"the --tls files are for a scheduler at tls://…, this one is {self.address!r}.")
            return None
        from distributed.security import Security

        security = Security(require_encryption=True, **files)
        if not (security.tls_ca_file and security.tls_client_cert):
            raise UsageError("a scheduler at tls://… needs --tls-ca-file, --tls-cert and --tls-key.")
        return security
