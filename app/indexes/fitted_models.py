"""Storage of fitted models: kept once under their identity, loaded without pickle."""

from __future__ import annotations

from typing import TypeVar

from core.declaration.fitted import Fitted, Packed
from storage.database.schema import model
from storage.integrity.checksums import DamagedRowError, named
from storage.library.transaction import Transaction

F = TypeVar("F", bound=Fitted)


def keep_model(w: Transaction, key: str, text: str, fitted: Fitted, sample_digest: bytes = b"") -> int:
    """Keep a fitted model.

    Parameters
    ----------
    w : Transaction
    key : str
        Its identity.
    text : str
        The declaration that it was fitted from, as :func:`app.methods.catalogue.written_declaration` gives it.
    fitted : Fitted
    sample_digest : bytes
        Of its training sample; empty where it learned nothing.

    Returns
    -------
    int
        Id of the model; of the one already kept under the key, if there is one.
    """
    packed = fitted.pack()
    return w.models.put(
        key,
        kind=packed.kind,
        text=text,
        numbers=packed.numbers,
        arrays=packed.arrays,
        sample_digest=sample_digest,
    )


def load_model(r: Transaction, model_id: int, cls: type[F]) -> F:
    """Return a fitted model of a class."""
    row = r.models.by_id(model_id)
    packed = Packed(row.kind, dict(row.numbers), r.models.arrays(model_id))
    try:
        return cls.unpack(packed)
    except (KeyError, TypeError, ValueError) as error:  # of a server, whose rows have no checksums
        raise DamagedRowError(named(model, {"id": model_id})) from error
