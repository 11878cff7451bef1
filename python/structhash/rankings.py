"""Methods that learn from rankings, made of labels or of judgments: StructHash and CGH."""

from typing import Any

from ._estimator import Hasher


class StructHash(Hasher):
    """Codes and bit weights learned for a ranking measure (Lin, Shen, Wu, ECCV 2014).

    What is None is chosen on held-out queries; with fewer than 100 queries to learn from there is no telling, and
    defaults are taken.

    Parameters beside those of :class:`Hasher`:

    measure : str, default "ndcg@100"
        What is optimised, and what ``score`` gives: auc, ndcg@K, ndcg-trec@K, precision@K, recall@K, map or mrr.
    functions : str, default "linear"
        Hash functions: "linear", "kernel", "stump" or "tree".
    relevant : int, default 50
        Relevant items per query to learn from, at most.
    irrelevant : int, default 50
        Irrelevant items per query to learn from, at most.
    trade_off : float or None, default None
        C over the smallest C that learns anything; greater than 1.
    ridge : float or None, default None
        Of soft whitening; linear and kernel functions.
    penalty : float or None, default None
        On directions; linear and kernel functions.
    width : float or None, default None
        Of the kernel.
    shrinkage : float or None, default None
        Of the weights towards their mean, in 0..1.
    dither : float or None, default None
        Size of the random functions beside those of late bits; only kernel functions gain by it.
    auc_share : float, default 0.5
        Share of AUC in the loss that is trained; 0: the measure alone.
    anchors : int, default 2000
        Of the kernel, at most.
    validation : float, default 0.2
        Share of the queries that is held out for choosing.
    stage_wise : bool, default False
        Leave the weights of earlier bits alone: faster, a little worse.

    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> StructHash(bits=32).fit(X[:300], y[:300]).transform(X[300:]).shape
    (1497, 4)
    """

    _method = "structhash"
    _supervision = "lists"

    def __init__(
        self,
        bits: int = 64,
        *,
        measure: str = "ndcg@100",
        functions: str = "linear",
        relevant: int = 50,
        irrelevant: int = 50,
        trade_off: float | None = None,
        ridge: float | None = None,
        penalty: float | None = None,
        width: float | None = None,
        shrinkage: float | None = None,
        dither: float | None = None,
        auc_share: float = 0.5,
        anchors: int = 2000,
        validation: float = 0.2,
        stage_wise: bool = False,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.measure = measure
        self.functions = functions
        self.relevant = relevant
        self.irrelevant = irrelevant
        self.trade_off = trade_off
        self.ridge = ridge
        self.penalty = penalty
        self.width = width
        self.shrinkage = shrinkage
        self.dither = dither
        self.auc_share = auc_share
        self.anchors = anchors
        self.validation = validation
        self.stage_wise = stage_wise
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class CGH(Hasher):
    """Column generation hashing (Li, Lin, Shen, van den Hengel, Dick, ICML 2013): codes and bit weights learned from
    triplets.

    Parameters beside those of :class:`Hasher`:

    functions : str, default "linear"
        Hash functions: "linear", "kernel", "stump" or "tree".
    relevant : int, default 50
        Relevant items per query to learn from, at most.
    irrelevant : int, default 50
        Irrelevant items per query to learn from, at most.
    loss : str, default "squared-hinge"
        Of the margin of a triplet, or "hinge".
    trade_off : float, default 30.0
        C over the smallest C that learns anything; greater than 1.
    ridge : float or None, default None
        Of soft whitening; None: that of the functions.
    penalty : float or None, default None
        On directions; None: that of the functions.
    shrinkage : float, default 0.5
        Of the weights towards their mean, in 0..1.
    """

    _method = "cgh"
    _supervision = "lists"

    def __init__(
        self,
        bits: int = 64,
        *,
        functions: str = "linear",
        relevant: int = 50,
        irrelevant: int = 50,
        loss: str = "squared-hinge",
        trade_off: float = 30.0,
        ridge: float | None = None,
        penalty: float | None = None,
        shrinkage: float = 0.5,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.functions = functions
        self.relevant = relevant
        self.irrelevant = irrelevant
        self.loss = loss
        self.trade_off = trade_off
        self.ridge = ridge
        self.penalty = penalty
        self.shrinkage = shrinkage
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
