"""Where the commands begin: until all is imported, Ctrl-C ends them as it ends any program, without a traceback."""

from __future__ import annotations

import os
import signal
import sys

from damier.cli.language import checked, of_environment, split
from damier.core.errors import DamierError
from damier.core.words import speak


def damier() -> None:
    """The command `damier`."""
    arguments = begun()
    from damier.cli.main import main

    main(arguments)


def tictactoe() -> None:
    """The command `tictactoe`."""
    arguments = begun()
    from damier.cli.tictactoe import main

    main(arguments)


def begun() -> list[str]:
    """The arguments of this process without `--lang`: from here on it speaks that language."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    speak(of_environment(os.environ))
    try:
        wanted, arguments = split(sys.argv[1:])
        if wanted is not None:
            speak(checked(wanted))
    except DamierError as error:
        from damier.cli.output import remark

        remark(f"damier: {error}")
        sys.exit(error.exit_code)
    return arguments
