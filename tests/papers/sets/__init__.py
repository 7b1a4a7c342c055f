"""Every data set. Adding one is a file here, and its name in ``DATA_SETS``."""

from __future__ import annotations

from tests.papers.data_set import DataSet
from tests.papers.sets.crops import EDGE_CROPS, GIST_CROPS
from tests.papers.sets.cut_outs import CUT_OUTS
from tests.papers.sets.fashion import FASHION
from tests.papers.sets.groups import GROUPS_VLAD
from tests.papers.sets.income import INCOME
from tests.papers.sets.labelled import DIGITS, DNA
from tests.papers.sets.learned import NETWORK_CROPS
from tests.papers.sets.mlbench import LETTER, SHUTTLE, SOYBEAN, VEHICLE
from tests.papers.sets.poker import POKER
from tests.papers.sets.sift import ALL_SIFT, MORE_SIFT, SIFT
from tests.papers.sets.vlad import VLAD_CROPS

DATA_SETS: tuple[DataSet, ...] = (
    SIFT,
    ALL_SIFT,
    MORE_SIFT,
    EDGE_CROPS,
    GIST_CROPS,
    FASHION,
    GROUPS_VLAD,
    VLAD_CROPS,
    DIGITS,
    DNA,
    INCOME,
    SHUTTLE,
    LETTER,
    POKER,
    VEHICLE,
    SOYBEAN,
    CUT_OUTS,
    NETWORK_CROPS,
)
