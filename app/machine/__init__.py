"""The computer that Twinlens runs on: folders, preferences, disk and trash, processes, power, and the desktop's menu."""
