"""Attempts to break privacy, the ledger and the gateway, for as long as one likes."""
