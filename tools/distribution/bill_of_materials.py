"""Bill of materials in CycloneDX's JSON, made from the notices and validated before it is written."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, Property, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

from twinlens.app.notices import Notices, ProgramPart

_KEPT_FILES = "twinlens:file"
"""Name of the properties that tell the files of a native library."""


def write_bill(notices: Notices, path: Path) -> None:
    """Write the bill of materials of the notices.

    Raises
    ------
    ValueError
        If it does not keep to the schema.
    """
    path.write_text(bill(notices), "utf-8")


def bill(notices: Notices) -> str:
    """Return the bill of materials of the notices; the same notices give the same text."""
    components = {_reference(part): _component(part) for part in notices.parts}
    own = components.pop(_reference(notices.parts[0]))
    own.type = ComponentType.APPLICATION
    digest = hashlib.sha256(notices.model_dump_json().encode()).hexdigest()
    made = Bom(
        components=components.values(),
        serial_number=uuid5(NAMESPACE_URL, digest),
        metadata=BomMetaData(component=own, timestamp=_timestamp()),
    )
    by_name = {part.name: _reference(part) for part in notices.parts if not part.within}
    for part in notices.parts[1:]:
        around = components.get(by_name.get(part.within, ""), own)
        made.register_dependency(around, [components[_reference(part)]])
    text = str(JsonV1Dot6(made).output_as_string(indent=1)) + "\n"
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if fault is not None:
        raise ValueError(f"The bill of materials does not keep to CycloneDX's schema: {fault}")
    return text


def _reference(part: ProgramPart) -> str:
    return f"{part.within or 'twinlens'}/{part.name}@{part.version}"


def _component(part: ProgramPart) -> Component:
    return Component(
        name=part.name,
        version=part.version or None,
        bom_ref=_reference(part),
        purl=PackageURL.from_string(part.purl) if part.purl else None,
        licenses=[LicenseFactory().make_from_string(part.licence)],
        external_references=_addresses(part),
        properties=[Property(name=_KEPT_FILES, value=file) for file in part.files],
    )


def _addresses(part: ProgramPart) -> Iterator[ExternalReference]:
    for kind, address in ((ExternalReferenceType.WEBSITE, part.home), (ExternalReferenceType.VCS, part.source)):
        if address:
            yield ExternalReference(type=kind, url=XsUri(address))


def _timestamp() -> datetime:
    """Return the build time by the convention of reproducible builds."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    return datetime.now(UTC).replace(microsecond=0) if given is None else datetime.fromtimestamp(int(given), UTC)
