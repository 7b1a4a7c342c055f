"""What the scripts ``twinlens`` and ``twinlens-gui`` call."""


def command() -> None:
    """Run the command line."""
    from app.cli.main import main

    main()


def window() -> None:
    """Open the window, with the libraries, folders and pictures that are named."""
    from app.gui.process.start import main

    main()
