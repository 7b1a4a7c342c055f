"""Visual words, and the descriptors that are made of them: VLAD, bags of words, the pyramid match."""
