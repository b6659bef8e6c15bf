"""A lab to which each address of this machine is a place of its own, as those of thirty students are:
python -m benchmarks.many_addresses serve …
"""

from __future__ import annotations

import sys

from damier.cli.main import main
from damier.web import limits

if __name__ == "__main__":
    limits.is_here = lambda address: False
    sys.exit(main(sys.argv[1:]))
