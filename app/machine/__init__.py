"""The computer that Twinlens runs on: folders, settings, power, processes, the desktop."""
