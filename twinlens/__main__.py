"""``python -m twinlens`` is the command ``twinlens``."""

from twinlens.start import command

if __name__ == "__main__":
    command()
