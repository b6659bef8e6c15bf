"""The command line: one file a command, each a function from text to a report."""
