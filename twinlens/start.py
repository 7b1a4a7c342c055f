"""Entry points of the scripts ``twinlens`` and ``twinlens-gui``."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType

_INTERRUPTED = 130
"""The exit code; :mod:`twinlens.app.cli.progress`, which has it too, is not imported yet."""


def command() -> None:
    """Run the command line."""
    _end_quietly()
    with _naming_what_is_missing():
        from twinlens.app.cli.main import main

    main()


def window() -> None:
    """Open the window, with the libraries, folders and pictures that are named."""
    _end_quietly()
    with _naming_what_is_missing():
        try:
            from twinlens.app.gui.frame.start import main
        except ModuleNotFoundError:
            raise
        except ImportError as error:
            from twinlens.app.cli.window import lacking
            from twinlens.app.language.texts import text

            print(text(lacking(error)), file=sys.stderr)
            raise SystemExit(2) from None
    main()


@contextlib.contextmanager
def _naming_what_is_missing() -> Iterator[None]:
    """Say in a sentence that an installation for scripts has no program."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "twinlens":
            raise
        print(
            f"This is Twinlens for scripts, without the program ({error.name} is not installed).\n"
            "Install the program: pip install 'twinlens[app]'",
            file=sys.stderr,
        )
        raise SystemExit(2) from None


def _end_quietly() -> None:
    """Let Ctrl-C end the process at once while it only imports, and again when all is done, without a traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else whoever starts it wants it ignored, say
        signal.signal(signal.SIGINT, _end)


def _end(number: int, frame: FrameType | None) -> None:
    os._exit(_INTERRUPTED)
