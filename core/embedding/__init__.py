"""Items in the plane: principal components at once, and an embedding that keeps neighbours together."""

from core.embedding.neighbour_embedding import NeighbourEmbedding, neighbour_embedding
from core.embedding.principal_plane import pca_plane

__all__ = ["NeighbourEmbedding", "neighbour_embedding", "pca_plane"]
