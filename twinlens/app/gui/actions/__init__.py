"""Actions, declared once: menus, keys, the sheet of keys and the command palette come from them."""
