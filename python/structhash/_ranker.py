"""The base class of estimators that train on rankings: StructHash and CGH."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._hasher import Hasher
from ._types import ArrayLike, Labels, Relevance

if TYPE_CHECKING:
    from typing_extensions import Self


class Ranker(Hasher):
    """Trains on ranked lists, which are made from labels or relevance."""

    def fit(
        self,
        X: ArrayLike,
        y: Labels | None = None,
        *,
        relevance: Relevance | None = None,
        queries: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Trains a model on the rows of X and their supervision.

        Parameters
        ----------
        X : array-like of shape (rows, features)
        y : array-like of shape (rows,) or (rows, labels), or sparse matrix
            Classes of any type, or a 0/1 matrix with one column per label.
        relevance : instead of y
            ``{query: {item: grade}}``, pairs ``(query, item)``, or a scipy sparse matrix of grades. Queries and items
            are row numbers of X.
        queries : array-like of shape (queries, features)
            Feature vectors of the queries. Queries in ``relevance`` are then row numbers of this matrix.
        sample_weight : array-like of shape (rows,) or (queries,)
            Weight of every row as a query, or of every row of ``queries``: its ranking counts that much. Rows of
            weight 0 are still items that other queries rank.
        """
        return self._fit(X, y, relevance, queries, sample_weight)
