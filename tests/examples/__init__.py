"""The examples of docs/EXAMPLES.md: they run, their claims hold, and so do their promises."""
