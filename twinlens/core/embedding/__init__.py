"""Items in the plane: principal components at once, and an embedding that keeps neighbours together."""

from twinlens.core.embedding.principal_plane import pca_plane
from twinlens.core.embedding.tsne import NeighbourEmbedding, neighbour_embedding

__all__ = ["NeighbourEmbedding", "neighbour_embedding", "pca_plane"]
