"""What an answer tells besides its numbers, and how much its numbers tell: tried, not proved."""
