"""The command line: one file a command, each a function from text to a report.

See docs of part D in `damier --help`.
"""
