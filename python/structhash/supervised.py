"""Methods that learn from labels, with linear functions or trees."""

from typing import Any

from ._estimator import Hasher


class CCAITQ(Hasher):
    """Canonical correlations with the labels, rotated (Gong, Lazebnik, Gordo, Perronnin, TPAMI 2013).

    Parameters beside those of :class:`Hasher`:

    ridge : float, default 1e-3
        Added to both covariances.
    iterations : int, default 50
        Of the rotation, at most.
    functions : str, default "linear"
        "linear", or "kernel": of radial basis responses to anchors.
    anchors : int or None, default None
        Anchors of the kernel, at most so many training rows; None: 300. Only with functions="kernel".
    width : float or None, default None
        Squared width of the kernel over the mean squared distance to anchors; None: 1.0. Only with
        functions="kernel".
    """

    _method = "cca-itq"
    _supervision = "labels"

    def __init__(
        self,
        bits: int = 64,
        *,
        ridge: float = 1e-3,
        iterations: int = 50,
        functions: str = "linear",
        anchors: int | None = None,
        width: float | None = None,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.ridge = ridge
        self.iterations = iterations
        self.functions = functions
        self.anchors = anchors
        self.width = width
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class BREs(Hasher):
    """Binary reconstructive embeddings (Kulis, Darrell, NIPS 2009): Hamming distances fitted to those of the labels.

    Parameters beside those of :class:`Hasher`:

    points : int, default 1000
        Training rows used, at most.
    supports : int, default 20
        Of every bit.
    partners : float, default 0.05
        Pairs of every point, as a share of the points.
    sweeps : int, default 10
        Over all bits and supports, at most.
    functions : str, default "linear"
        "linear", or "kernel": of radial basis responses to anchors.
    anchors : int or None, default None
        Anchors of the kernel, at most so many training rows; None: 300. Only with functions="kernel".
    width : float or None, default None
        Squared width of the kernel over the mean squared distance to anchors; None: 1.0. Only with
        functions="kernel".
    """

    _method = "bres"
    _supervision = "labels"

    def __init__(
        self,
        bits: int = 64,
        *,
        points: int = 1000,
        supports: int = 20,
        partners: float = 0.05,
        sweeps: int = 10,
        functions: str = "linear",
        anchors: int | None = None,
        width: float | None = None,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.points = points
        self.supports = supports
        self.partners = partners
        self.sweeps = sweeps
        self.functions = functions
        self.anchors = anchors
        self.width = width
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class STHs(Hasher):
    """Self-taught hashing with labels (Zhang, Wang, Cai, Lu, SIGIR 2010): spectral codes of a label graph, then one
    classifier per bit.

    There are fewer bits than training rows; ``bits=None`` takes 64, or as many as there can be.

    Parameters beside those of :class:`Hasher`:

    neighbours : int, default 25
        Of every row, within its class.
    trade_off : float, default 1.0
        C of the support vector machines.
    functions : str, default "linear"
        "linear", or "kernel": of radial basis responses to anchors.
    anchors : int or None, default None
        Anchors of the kernel, at most so many training rows; None: 300. Only with functions="kernel".
    width : float or None, default None
        Squared width of the kernel over the mean squared distance to anchors; None: 1.0. Only with
        functions="kernel".
    """

    _method = "sths"
    _supervision = "labels"

    def __init__(
        self,
        bits: int | None = None,
        *,
        neighbours: int = 25,
        trade_off: float = 1.0,
        functions: str = "linear",
        anchors: int | None = None,
        width: float | None = None,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.neighbours = neighbours
        self.trade_off = trade_off
        self.functions = functions
        self.anchors = anchors
        self.width = width
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _bits(self, rows: int) -> int:
        return min(64, rows - 1) if self.bits is None else self.bits


class SPLH(Hasher):
    """Sequential projection learning (Wang, Kumar, Chang, TPAMI 2012): projections that mend the mistakes of the last.

    Parameters beside those of :class:`Hasher`:

    labelled_weight : float, default 1e-3
        Of the labelled pairs beside the variance.
    step : float, default 20.0
        Of the corrections of pairs that a bit got wrong.
    labelled : int, default 2000
        Rows whose pairs are used, at most.
    ridge : float, default 0.02
        Where whitening of the features fades out.
    components : int, default 256
        Principal components learned on, at most.
    functions : str, default "linear"
        "linear", or "kernel": of radial basis responses to anchors.
    anchors : int or None, default None
        Anchors of the kernel, at most so many training rows; None: 300. Only with functions="kernel".
    width : float or None, default None
        Squared width of the kernel over the mean squared distance to anchors; None: 1.0. Only with
        functions="kernel".
    """

    _method = "splh"
    _supervision = "labels"

    def __init__(
        self,
        bits: int = 64,
        *,
        labelled_weight: float = 1e-3,
        step: float = 20.0,
        labelled: int = 2000,
        ridge: float = 0.02,
        components: int = 256,
        functions: str = "linear",
        anchors: int | None = None,
        width: float | None = None,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.labelled_weight = labelled_weight
        self.step = step
        self.labelled = labelled
        self.ridge = ridge
        self.components = components
        self.functions = functions
        self.anchors = anchors
        self.width = width
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class FastHash(Hasher):
    """FastHash (Lin, Shen, Shi, van den Hengel, Suter, CVPR 2014): bits inferred by graph cuts, then learned by
    boosted trees.

    Parameters beside those of :class:`Hasher`:

    loss : str, default "hinge"
        Of the Hamming distance of a pair: "hinge", "ksh" or "bre".
    partners : int, default 100
        Similar and as many dissimilar ones per row, at most.
    sweeps : int, default 2
        Over the blocks of a cut.
    trees : int, default 30
        Per bit.
    depth : int, default 4
        Of a tree.
    rate : float, default 0.3
        Of boosting.
    feature_share : float or None, default None
        Share of the features a tree may look at; None: the library's choice.
    """

    _method = "fasthash"
    _supervision = "labels"

    def __init__(
        self,
        bits: int = 64,
        *,
        loss: str = "hinge",
        partners: int = 100,
        sweeps: int = 2,
        trees: int = 30,
        depth: int = 4,
        rate: float = 0.3,
        feature_share: float | None = None,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.loss = loss
        self.partners = partners
        self.sweeps = sweeps
        self.trees = trees
        self.depth = depth
        self.rate = rate
        self.feature_share = feature_share
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
