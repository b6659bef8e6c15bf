"""`python -m damier` is `damier`."""

from damier.cli.entry import damier

damier()
