"""First module of the bundled program: the command line, the window, or one of the processes that they start."""

import multiprocessing
import os
import sys
from pathlib import Path


def give_back_environment() -> None:
    """Undo what PyInstaller's loader did to the environment: other programs load the system's own libraries."""
    for name in [name for name in os.environ if name.startswith("_PYI_")]:
        del os.environ[name]
    os.environ.pop("LD_LIBRARY_PATH", None)
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before


if __name__ == "__main__":
    give_back_environment()
    multiprocessing.freeze_support()
    if Path(sys.argv[0]).stem == "twinlens-gui":
        from twinlens.app.gui.frame.start import main as open_window

        open_window()
    else:
        from twinlens.app.cli.main import main

        main()
