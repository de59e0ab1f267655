"""The address of a dask scheduler."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from autograder.errors import UsageError

if TYPE_CHECKING:
    from distributed.security import Security


@dataclass(frozen=True)
class Scheduler:
    """The address and, for ``tls://``, the certificate files."""

    address: str
    ca_file: str | None = None
    cert: str | None = None
    key: str | None = None

    def security(self) -> "Security | None":
        """None without TLS; files not given here come from dask's own configuration.

        Raises:
            UsageError: the files and the address do not match.
        """
        named = {"tls_ca_file": self.ca_file, "tls_client_cert": self.cert, "tls_client_key": self.key}
        files = {name: file for name, file in named.items() if file}
        if not self.address.startswith("tls://"):
            if files:
                raise UsageError(f"the --tls files are for a scheduler at tls://…, this one is {self.address!r}.")
            return None
        from distributed.security import Security

        security = Security(require_encryption=True, **files)
        if not (security.tls_ca_file and security.tls_client_cert):  # type: ignore[attr-defined]
            raise UsageError("a scheduler at tls://… needs --tls-ca-file, --tls-cert and --tls-key.")
        return security
