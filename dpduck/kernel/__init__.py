"""What is believed for privacy: plans, their check, charges, noise and releases. See docs/TRUST.md."""
