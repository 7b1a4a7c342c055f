"""All data sets: a module for each, and its name in ``DATA_SETS``."""

from __future__ import annotations

from science.papers.data_set import DataSet
from science.papers.sets.crops import EDGE_CROPS, GIST_CROPS
from science.papers.sets.cut_outs import CUT_OUTS
from science.papers.sets.fashion import FASHION
from science.papers.sets.groups import GROUPS_VLAD
from science.papers.sets.learned import NETWORK_CROPS
from science.papers.sets.poker import POKER
from science.papers.sets.r_tables import DIGITS, DNA, INCOME, LETTER, SATELLITE, SHUTTLE, SOYBEAN, VEHICLE
from science.papers.sets.sift import ALL_SIFT, MILLION_SIFT, MORE_SIFT, SIFT
from science.papers.sets.vlad import VLAD_CROPS

DATA_SETS: tuple[DataSet, ...] = (
    SIFT,
    ALL_SIFT,
    MORE_SIFT,
    MILLION_SIFT,
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
    SATELLITE,
    SOYBEAN,
    CUT_OUTS,
    NETWORK_CROPS,
)
