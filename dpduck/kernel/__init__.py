"""What has to be believed: see docs/TRUST.md."""
