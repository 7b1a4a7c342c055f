"""``python -m app.cli`` is the command ``twinlens``."""

from app.cli.main import main

if __name__ == "__main__":
    main()
