"""Arrays by what they hold: the names that annotations of the whole program share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

AnyArray = npt.NDArray[Any]
BoolMask = npt.NDArray[np.bool_]
OptionalMask = BoolMask | None
Float32Matrix = npt.NDArray[np.float32]
Float32Vectors = npt.NDArray[np.float32]
Float64Matrix = npt.NDArray[np.float64]
Float64Values = npt.NDArray[np.float64]
PlaneMap = npt.NDArray[np.float64]
FloatArray = npt.NDArray[np.floating]
Int32Rows = npt.NDArray[np.int32]
Int64Ids = npt.NDArray[np.int64]
Int64Labels = npt.NDArray[np.int64]
Int64Numbers = npt.NDArray[np.int64]
Int64Rows = npt.NDArray[np.int64]
IntegerRows = npt.NDArray[np.integer]
UInt32Rows = npt.NDArray[np.uint32]
UInt64Words = npt.NDArray[np.uint64]
UInt8Pixels = npt.NDArray[np.uint8]
