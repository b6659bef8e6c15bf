"""One module a step, each named by what it changes."""
