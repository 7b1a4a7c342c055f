"""Make the site: ``python -m tools.distribution.guide_site [FOLDER] [--open]``."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import webbrowser
from pathlib import Path

from tools.distribution.guide_site.site import ROOT, assemble, configuration, folder_of, link_faults
from twinlens.app.language.texts import LANGUAGES, set_language


def make(site: Path) -> None:
    """Make the site of every language: the first at the top of the folder, each other in a folder of its name.

    Raises
    ------
    subprocess.CalledProcessError
        If mkdocs has anything to say against the sources.
    """
    for language in LANGUAGES:
        target = site / folder_of(language)
        with tempfile.TemporaryDirectory() as temporary:
            set_language(language)
            pages = assemble(Path(temporary) / "pages", language)
            file = Path(temporary) / "mkdocs.yml"  # JSON is YAML too
            file.write_text(json.dumps(configuration(pages, language)), encoding="utf-8")
            command = [
                sys.executable,
                "-m",
                "mkdocs",
                "build",
                "--strict",
                "--quiet",
                "-f",
                str(file),
                "-d",
                str(target),
            ]
            environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # or its makers advertise what comes after it
            subprocess.run(command, check=True, cwd=ROOT, env=environment)
        (target / "404.html").unlink()  # for servers; its links lead to the top of one


def main() -> int:
    """Make the site, follow its links, and open it on request."""
    parser = argparse.ArgumentParser(prog="run.py guide", description="Make the guide as a site.")
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "dist" / "guide")
    parser.add_argument("--open", action="store_true", help="Open it in the browser afterwards.")
    arguments = parser.parse_args()
    site = arguments.folder.absolute()
    make(site)
    found = link_faults(site)
    for fault in found:
        print(fault, file=sys.stderr)
    print(site / "index.html")
    if arguments.open:
        webbrowser.open((site / "index.html").as_uri())
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
