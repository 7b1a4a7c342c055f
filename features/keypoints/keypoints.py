"""The keypoints of a picture as the geometric check compares them: small enough to be kept, and exact to mirror.

A keypoint is described in a frame that is turned as the picture is around it. So the description of a keypoint in the
mirrored or inverted picture is known without looking at that picture: the frame is mirrored, or, since all gradients
turn around, turned by half a circle. Only numbers change their places.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from features.keypoints.sift import LENGTH, Cap, local_features
from features.pictures.picture import Picture

_SPOTS, _DIRECTIONS = 4, 8  # SIFT: 4 x 4 spots around the keypoint, 8 directions of gradients in each
_LEVEL = 2.0**-9  # of the kept bytes; a share above a quarter of a description's gradients in one direction is cut


def _places(mirrored: bool, inverted: bool) -> npt.NDArray[np.intp]:
    """Return where each number of the changed description stands in the plain one, (128,).

    The order is row, column, direction, in a frame whose x axis is the keypoint's own direction.
    """
    table = np.arange(LENGTH).reshape(_SPOTS, _SPOTS, _DIRECTIONS)
    if mirrored:
        table = table[::-1, :, (-np.arange(_DIRECTIONS)) % _DIRECTIONS]
    if inverted:
        table = table[::-1, ::-1]
    return np.ascontiguousarray(table.ravel())


_MIRRORED, _INVERTED = _places(True, False), _places(False, True)


@dataclass(frozen=True, eq=False)
class Keypoints:
    """Keypoints with places and descriptors, strongest first.

    Lengths are shares of the picture's longer side, so that they do not depend on how large it was read.

    Parameters
    ----------
    width, height : float
        Of the picture; the longer one is 1.
    places : ndarray of float32, (n, 2)
        x and y.
    sizes : ndarray of float32, (n,)
    angles : ndarray of float32, (n,)
        Degrees, clockwise.
    levels : ndarray of uint8, (n, 128)
        RootSIFT in steps of 1/512.
    """

    width: float
    height: float
    places: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.float32]
    angles: npt.NDArray[np.float32]
    levels: npt.NDArray[np.uint8]

    @classmethod
    def of(cls, picture: Picture, cap: int | Cap) -> Keypoints:
        """Take the strongest keypoints of a picture, as descriptors with the same cap do: SIFT is run once."""
        found = local_features(picture, cap)
        height, width = picture.rgb.shape[:2]
        longer = np.float32(max(height, width))
        return cls(
            width / float(longer),
            height / float(longer),
            (found.places + np.float32(0.5)) / longer,
            found.sizes / longer,
            found.angles,
            np.minimum(np.rint(found.roots * np.float32(1 / _LEVEL)), 255).astype(np.uint8),
        )

    def __len__(self) -> int:
        return len(self.sizes)

    @property
    def roots(self) -> npt.NDArray[np.float32]:
        """RootSIFT, (n, 128), of length about 1."""
        return self.levels * np.float32(_LEVEL)

    def mirrored(self) -> Keypoints:
        """Return the keypoints of the mirror image, left and right exchanged."""
        places = np.column_stack((np.float32(self.width) - self.places[:, 0], self.places[:, 1]))
        return replace(self, places=places, angles=np.mod(180 - self.angles, 360), levels=self.levels[:, _MIRRORED])

    def inverted(self) -> Keypoints:
        """Return the keypoints of the negative."""
        return replace(self, angles=np.mod(180 + self.angles, 360), levels=self.levels[:, _INVERTED])


def mirrored_roots(roots: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the descriptions of the same keypoints in the mirror image, (n, 128); exact."""
    return roots[:, _MIRRORED]


def inverted_roots(roots: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the descriptions of the same keypoints in the negative, (n, 128); exact."""
    return roots[:, _INVERTED]
