"""Programs that make what comes along: packages, pictures of the window, resources and translations.

Nothing that people run imports them.
"""
