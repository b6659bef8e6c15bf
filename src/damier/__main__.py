"""`python -m damier` is `damier`."""

from damier.cli.main import main

main()
