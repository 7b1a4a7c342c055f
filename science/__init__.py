"""Programs that measure Twinlens: the experiments of the papers, and its speed beside other libraries."""
