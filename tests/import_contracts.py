"""A contract for import-linter: each package imports only the libraries that are named for it."""

from __future__ import annotations

import sys

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class LibrariesContract(Contract):
    """Lists, for each package, the libraries outside the standard one that it may import.

    Configuration options:
        - allowed: lines ``package: library library ...``; of two packages that hold a module, the inner one counts.
    """

    type_name = "libraries"

    allowed = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Look at every direct import of every module of the named packages."""
        libraries: dict[str, frozenset[str]] = {}
        for line in self.allowed:  # type: ignore[attr-defined]  # the field's descriptor gives a list
            package, _, names = line.partition(":")
            libraries[package] = frozenset(names.split())
        own = {package.partition(".")[0] for package in libraries}
        faults = []
        for module in sorted(graph.modules):
            package = _innermost(module, libraries)
            if package is None:
                continue
            for imported in sorted(graph.find_modules_directly_imported_by(module)):
                library = imported.partition(".")[0]
                if library not in own | libraries[package] | sys.stdlib_module_names:
                    details = graph.get_import_details(importer=module, imported=imported)
                    lines = ", ".join(str(detail["line_number"]) for detail in details)
                    faults.append(f"{module} imports {library} (l. {lines}), which {package} does not know.")
        return ContractCheck(kept=not faults, metadata={"faults": faults})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one line for each fault."""
        for fault in check.metadata["faults"]:
            output.print_error(fault, bold=False)


def _innermost(module: str, packages: dict[str, frozenset[str]]) -> str | None:
    """Find the smallest of the packages that holds the module."""
    holding = [package for package in packages if module == package or module.startswith(f"{package}.")]
    return max(holding, key=len, default=None)
