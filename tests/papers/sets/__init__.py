"""Every data set. Adding one is a file here, and its name in ``DATA_SETS``."""

from __future__ import annotations

from tests.papers.data_set import DataSet
from tests.papers.sets.crops import COLOUR_CROPS, EDGE_CROPS
from tests.papers.sets.fashion import FASHION
from tests.papers.sets.labelled import DIGITS, DNA
from tests.papers.sets.sift import SIFT
from tests.papers.sets.vlad import VLAD_CROPS

DATA_SETS: tuple[DataSet, ...] = (SIFT, EDGE_CROPS, COLOUR_CROPS, FASHION, VLAD_CROPS, DIGITS, DNA)
