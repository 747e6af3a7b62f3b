"""Audits: tests of what an answer reveals besides its numbers, and how much its numbers reveal; no proofs."""
