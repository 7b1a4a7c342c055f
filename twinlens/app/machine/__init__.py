"""The computer that Twinlens runs on: folders, preferences, disk, trash, processes, power, and the desktop's menu."""
