"""Methods that learn from labels, by default with functions of a kernel."""

from typing import Any

from ._estimator import Hasher


class KSH(Hasher):
    """Supervised hashing with kernels (Liu, Wang, Ji, Jiang, Chang, CVPR 2012): bit by bit, codes whose products are
    the similarity of the labels.

    Parameters beside those of :class:`Hasher`:

    ridge : float, default 1e-5
        Added to the covariance of the features.
    iterations : int, default 50
        Of the optimiser per bit, at most; 0: the spectral solution as it is.
    functions : str, default "kernel"
        "linear", or "kernel": of radial basis responses to anchors.
    anchors : int or None, default None
        Anchors of the kernel, at most so many training rows; None: 300. Only with functions="kernel".
    width : float or None, default None
        Squared width of the kernel over the mean squared distance to anchors; None: 1.0. Only with
        functions="kernel".
    """

    _method = "ksh"
    _supervision = "labels"

    def __init__(
        self,
        bits: int = 64,
        *,
        ridge: float = 1e-5,
        iterations: int = 50,
        functions: str = "kernel",
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


class SDH(Hasher):
    """Supervised discrete hashing (Shen, Shen, Liu, Shen, CVPR 2015): codes from which the labels can be read off
    linearly.

    Parameters beside those of :class:`Hasher`:

    penalty : float, default 1.0
        Of the classifier on the codes.
    attachment : float, default 1e-5
        Pulls the codes towards what the features can give.
    ridge : float, default 1e-6
        Of the regression on the features.
    rounds : int, default 5
        Of classifier, codes, regression.
    passes : int, default 10
        Over the bits within a round, at most.
    functions : str, default "kernel"
        "linear", or "kernel": of radial basis responses to anchors.
    anchors : int or None, default None
        Anchors of the kernel, at most so many training rows; None: 1,000. Only with functions="kernel".
    width : float or None, default None
        Squared width of the kernel over the mean squared distance to anchors; None: 0.35. Only with
        functions="kernel".
    """

    _method = "sdh"
    _supervision = "labels"

    def __init__(
        self,
        bits: int = 64,
        *,
        penalty: float = 1.0,
        attachment: float = 1e-5,
        ridge: float = 1e-6,
        rounds: int = 5,
        passes: int = 10,
        functions: str = "kernel",
        anchors: int | None = None,
        width: float | None = None,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.penalty = penalty
        self.attachment = attachment
        self.ridge = ridge
        self.rounds = rounds
        self.passes = passes
        self.functions = functions
        self.anchors = anchors
        self.width = width
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class HCSDH(Hasher):
    """Regression to a Hadamard code per class (Koutaki, Shirai, Ambai, IEEE TIP 2018).

    Parameters beside those of :class:`Hasher`:

    ridge : float, default 1e-7
        Of the regression.
    functions : str, default "kernel"
        "linear", or "kernel": of radial basis responses to anchors.
    anchors : int or None, default None
        Anchors of the kernel, at most so many training rows; None: 1,000. Only with functions="kernel".
    width : float or None, default None
        Squared width of the kernel over the mean squared distance to anchors; None: 0.35. Only with
        functions="kernel".
    """

    _method = "hcsdh"
    _supervision = "labels"

    def __init__(
        self,
        bits: int = 64,
        *,
        ridge: float = 1e-7,
        functions: str = "kernel",
        anchors: int | None = None,
        width: float | None = None,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.ridge = ridge
        self.functions = functions
        self.anchors = anchors
        self.width = width
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class COSDISH(Hasher):
    """Column sampling based discrete hashing (Kang, Li, Zhou, AAAI 2016).

    Parameters beside those of :class:`Hasher`:

    rounds : int, default 10
        Each with a new sample of columns.
    passes : int, default 3
        Over the bits within a round.
    restarts : int, default 4
        Of the coordinate descent on a bit.
    ridge : float, default 1e-6
        Of the regression on the features.
    functions : str, default "kernel"
        "linear", or "kernel": of radial basis responses to anchors.
    anchors : int or None, default None
        Anchors of the kernel, at most so many training rows; None: 1,000. Only with functions="kernel".
    width : float or None, default None
        Squared width of the kernel over the mean squared distance to anchors; None: 0.35. Only with
        functions="kernel".
    """

    _method = "cosdish"
    _supervision = "labels"

    def __init__(
        self,
        bits: int = 64,
        *,
        rounds: int = 10,
        passes: int = 3,
        restarts: int = 4,
        ridge: float = 1e-6,
        functions: str = "kernel",
        anchors: int | None = None,
        width: float | None = None,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.rounds = rounds
        self.passes = passes
        self.restarts = restarts
        self.ridge = ridge
        self.functions = functions
        self.anchors = anchors
        self.width = width
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class MIHash(Hasher):
    """MIHash (Cakir, He, Bargal, Sclaroff, ICCV 2017): one layer whose distances tell most about relevance.

    Parameters beside those of :class:`Hasher`:

    bins : int, default 16
        Of the histograms of distances.
    batch : int, default 200
        Rows per step.
    epochs : int, default 100
        Over the training rows.
    rate : float, default 0.2
        Of the first steps.
    slope : float, default 2.0
        Of the sigmoid.
    decay : float, default 0.1
        Share of the weights that a step of rate 1 would take away.
    ridge : float, default 1e-2
        Where whitening of the features fades out.
    functions : str, default "kernel"
        "linear", or "kernel": of radial basis responses to anchors.
    anchors : int or None, default None
        Anchors of the kernel, at most so many training rows; None: 1,000. Only with functions="kernel".
    width : float or None, default None
        Squared width of the kernel over the mean squared distance to anchors; None: 0.35. Only with
        functions="kernel".
    """

    _method = "mihash"
    _supervision = "labels"

    def __init__(
        self,
        bits: int = 64,
        *,
        bins: int = 16,
        batch: int = 200,
        epochs: int = 100,
        rate: float = 0.2,
        slope: float = 2.0,
        decay: float = 0.1,
        ridge: float = 1e-2,
        functions: str = "kernel",
        anchors: int | None = None,
        width: float | None = None,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.bins = bins
        self.batch = batch
        self.epochs = epochs
        self.rate = rate
        self.slope = slope
        self.decay = decay
        self.ridge = ridge
        self.functions = functions
        self.anchors = anchors
        self.width = width
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
