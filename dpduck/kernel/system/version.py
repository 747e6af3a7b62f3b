"""The version of dpduck that is installed."""

from __future__ import annotations

from importlib import metadata


def installed_version() -> str:
    """Return the version, or "unknown" of a folder of the source that was not installed."""
    try:
        return metadata.version("dpduck")
    except metadata.PackageNotFoundError:
        return "unknown"
