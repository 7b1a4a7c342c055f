"""The language of the window: the texts of Twinlens, those of Qt's own dialogs, and the form of numbers and dates."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app.language.choice import chosen_language
from app.language.spoken import set_language


def install_language(application: QCoreApplication, preferred: str = "system") -> str:
    """Let the application speak a language; the one that it spoke before is taken away.

    Parameters
    ----------
    application : QCoreApplication
    preferred : str
        "system" or one of `app.language.choice.LANGUAGES`. Widgets made before keep the language they were made in.

    Returns
    -------
    str
        The language that is spoken now.
    """
    system = QLocale.system()
    language = chosen_language(preferred, system.uiLanguages())
    set_language(language)
    QLocale.setDefault(system if system.name().startswith(language) else QLocale(language))
    for old in application.findChildren(QTranslator):
        application.removeTranslator(old)
        old.deleteLater()
    of_qt = QTranslator(application)
    if of_qt.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(of_qt)
    return language
