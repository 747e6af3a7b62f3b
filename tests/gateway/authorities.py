"""An authority for certificates of clients, by the openssl command."""

from __future__ import annotations

import subprocess
from pathlib import Path

_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class Authority:
    """Makes certificates. `cert`: its own, in PEM."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        self._folder = folder
        self.cert, self._key = folder / f"{name}.pem", folder / f"{name}.key"
        _run(
            "req",
            "-x509",
            *_KEY,
            "-days",
            "2",
            "-subj",
            f"/CN={name}",
            "-keyout",
            self._key,
            "-out",
            self.cert,
        )
        (folder / f"{name}.index").touch()
        self._config = folder / f"{name}.cnf"
        self._config.write_text(
            f"[ca]\ndefault_ca=d\n[d]\ndatabase={folder / name}.index\n"
            "default_md=sha256\ndefault_crl_days=2\n"
        )

    def client(self, file: str, *subject: str, days: int = 2, usage: str = "clientAuth") -> tuple[Path, Path]:
        """A certificate and its key. Input: the parts of its subject; negative days: expired."""
        cert, key = self._folder / f"{file}.crt", self._folder / f"{file}.key"
        request, more = self._folder / f"{file}.csr", self._folder / f"{file}.ext"
        _run(
            "req",
            "-new",
            *_KEY,
            "-subj",
            "".join(f"/{part}" for part in subject),
            "-keyout",
            key,
            "-out",
            request,
        )
        more.write_text(f"extendedKeyUsage={usage}\n")
        signed = ("x509", "-req", "-in", request, "-CA", self.cert, "-CAkey", self._key, "-CAcreateserial")
        _run(*signed, "-days", days, "-extfile", more, "-out", cert)
        key.chmod(0o600)
        return cert, key

    def revoke(self, *certs: Path) -> bytes:
        """The list of what is revoked, in PEM."""
        made = self._folder / "revoked.pem"
        common = ("ca", "-config", self._config, "-keyfile", self._key, "-cert", self.cert)
        for cert in certs:
            _run(*common, "-revoke", cert)
        _run(*common, "-gencrl", "-out", made)
        return made.read_bytes()


def _run(*words: object) -> None:
    done = subprocess.run(["openssl", *map(str, words)], capture_output=True, timeout=30)
    assert done.returncode == 0, done.stderr.decode()
