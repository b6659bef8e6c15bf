"""Where the commands begin: until all is imported, Ctrl-C ends them as it ends any program, without a traceback."""

from __future__ import annotations

import signal


def damier() -> None:
    """The command `damier`."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from damier.cli.main import main

    main()


def tictactoe() -> None:
    """The command `tictactoe`."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from damier.cli.tictactoe import main

    main()
