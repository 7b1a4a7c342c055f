"""What a person can do, declared once: menus, keys, the sheet of keys and the command palette come from it."""
