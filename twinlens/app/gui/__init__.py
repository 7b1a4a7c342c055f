"""The window: the only part of the program that imports Qt. It calls the use cases, as the command line does."""

import os

# PySide makes each class of Qt when its name is first asked for, and two threads that ask at the same time (a job that
# imports a view, the window that shows another) end the program. So each module makes all of its classes at once.
os.environ["PYSIDE6_OPTION_LAZY"] = "0"
