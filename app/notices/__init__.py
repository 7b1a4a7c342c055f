"""Notices: the parts that Twinlens is made of, with their versions, licences and the texts of these.

From sources, and where pip installed the program, they are read from the installed packages (`packages.py`), with the
native libraries that these bring along (`libraries.py`). A bundle brings a list of what is really inside of it, made
when it was built.
"""
