"""``python -m twinlens.app.cli`` is the command ``twinlens``."""

from twinlens.app.cli.main import main

if __name__ == "__main__":
    main()
