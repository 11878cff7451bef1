"""The base class of estimators that train on rankings: StructHash and CGH."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._hasher import Hasher
from ._training_set import Supervision
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
        query_labels: Labels | None = None,
        two_encoders: bool = False,
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
            Feature vectors of the queries. Queries in ``relevance`` are then row numbers of this matrix. If they have
            another number of columns than X, they get an encoder of their own: ``transform_queries``.
        query_labels : with y and queries
            Labels of the queries, of the same kind as y.
        two_encoders : bool, default False
            Queries of another kind get an encoder of their own also if they have as many columns as X.
        sample_weight : array-like of shape (rows,) or (queries,)
            Weight of every row as a query, or of every row of ``queries``: its ranking counts that much. Rows of
            weight 0 are still items that other queries rank.
        """
        return self._fit(X, Supervision(y, relevance, queries, query_labels, sample_weight, two_encoders))
