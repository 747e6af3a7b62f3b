"""The log as JSON, an object in each line."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime


class JsonLines(logging.Formatter):
    """A record as JSON: when, how grave, what happened, and its fields, if it has any.

    The text of an exception is left out, since it may quote a value; only its type is told.
    """

    def format(self, record: logging.LogRecord) -> str:
        """One line.

        >>> record = logging.LogRecord("dpduck.gateway", logging.INFO, "", 1, "hello %s", ("you",), None)
        >>> json.loads(JsonLines().format(record))["message"]
        'hello you'
        """
        said: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        fields = getattr(record, "fields", None)
        if isinstance(fields, dict):
            said |= fields
        if record.exc_info and record.exc_info[0] is not None:
            said["error"] = record.exc_info[0].__name__
        return json.dumps(said)
