"""The Postgres protocol without sockets: bytes to messages, by the table of states; replies to bytes."""
