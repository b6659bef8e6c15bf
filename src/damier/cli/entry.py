"""Beginning of the commands. Nothing is imported before Ctrl-C has its answer: see `interrupt`."""

from __future__ import annotations

from damier.cli import interrupt


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
    interrupt.listen_from_the_start()
    import os
    import sys

    from damier.cli.language import checked, of_environment, split
    from damier.core.errors import DamierError
    from damier.core.words import speak

    speak(of_environment(os.environ))
    try:
        wanted, arguments = split(sys.argv[1:])
        if wanted is not None:
            speak(checked(wanted))
    except DamierError as error:
        from damier.cli.command import prepare_streams, remark

        prepare_streams()
        remark(f"damier: {error}")
        sys.exit(error.exit_code)
    return arguments
