"""Methods that learn from the features alone; ``y`` is ignored."""

from typing import Any

from ._estimator import Hasher


class LSH(Hasher):
    """Random hyperplanes through the mean (Charikar, STOC 2002): learns nothing, the floor of every comparison.

    Parameters beside those of :class:`Hasher`:

    centre : bool or None, default None
        Hyperplanes pass through the mean of the training rows; None: True. Only with linear functions.
    functions : str, default "linear"
        "linear", or "kernel": of radial basis responses to anchors.
    anchors : int or None, default None
        Anchors of the kernel, at most so many training rows; None: 300. Only with functions="kernel".
    width : float or None, default None
        Squared width of the kernel over the mean squared distance to anchors; None: 1.0. Only with
        functions="kernel".

    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> LSH(bits=16).fit(X[:300]).transform(X[300:]).shape
    (1497, 2)
    """

    _method = "lsh"
    _supervision = "none"

    def __init__(
        self,
        bits: int = 64,
        *,
        centre: bool | None = None,
        functions: str = "linear",
        anchors: int | None = None,
        width: float | None = None,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.centre = centre
        self.functions = functions
        self.anchors = anchors
        self.width = width
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SPH(Hasher):
    """Spectral hashing (Weiss, Torralba, Fergus, NIPS 2008): waves along principal components.

    Parameters: those of :class:`Hasher`.
    """

    _method = "sph"
    _supervision = "none"

    def __init__(self, bits: int = 64, *, random_state: Any = 1, n_jobs: int | None = None, verbose: int = 0) -> None:
        self.bits = bits
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class MDSH(Hasher):
    """Multidimensional spectral hashing (Weiss, Fergus, Torralba, ECCV 2012): smooth functions of principal
    components, those of most affinity first.

    Parameters beside those of :class:`Hasher`:

    width : float, default 1.0
        Width of the affinity over the mean distance to the nearest neighbours.
    neighbours : int, default 100
        Neighbours that this mean is over, at most.
    """

    _method = "mdsh"
    _supervision = "none"

    def __init__(
        self,
        bits: int = 64,
        *,
        width: float = 1.0,
        neighbours: int = 100,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.width = width
        self.neighbours = neighbours
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class AGH(Hasher):
    """Anchor graph hashing (Liu, Wang, Kumar, Chang, ICML 2011): smooth functions on a graph of anchors, each cut
    twice.

    Parameters beside those of :class:`Hasher`:

    anchors : int or None, default None
        Anchors; None: 300, or half of the training rows if those are fewer.
    neighbours : int, default 2
        Anchors a row belongs to.
    iterations : int, default 10
        Of k-means, which places the anchors.
    """

    _method = "agh"
    _supervision = "none"

    def __init__(
        self,
        bits: int = 64,
        *,
        anchors: int | None = None,
        neighbours: int = 2,
        iterations: int = 10,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.anchors = anchors
        self.neighbours = neighbours
        self.iterations = iterations
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class AGH1(Hasher):
    """Anchor graph hashing with one layer (Liu, Wang, Kumar, Chang, ICML 2011): each function is cut once.

    Parameters beside those of :class:`Hasher`:

    anchors : int or None, default None
        Anchors; None: 300, or half of the training rows if those are fewer.
    neighbours : int, default 2
        Anchors a row belongs to.
    iterations : int, default 10
        Of k-means, which places the anchors.
    """

    _method = "agh1"
    _supervision = "none"

    def __init__(
        self,
        bits: int = 64,
        *,
        anchors: int | None = None,
        neighbours: int = 2,
        iterations: int = 10,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.anchors = anchors
        self.neighbours = neighbours
        self.iterations = iterations
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SPHER(Hasher):
    """Spherical hashing (Heo, Lee, He, Chang, Yoon, CVPR 2012): balls that share a quarter of the data with each
    other.

    Parameters beside those of :class:`Hasher`:

    iterations : int, default 100
        At most.
    mean_tolerance : float, default 0.1
        Stop when the overlaps are this near to a quarter of the rows in the mean,
    spread_tolerance : float, default 0.15
        and their standard deviation is this small, in quarters of the rows.
    """

    _method = "spher"
    _supervision = "none"

    def __init__(
        self,
        bits: int = 64,
        *,
        iterations: int = 100,
        mean_tolerance: float = 0.1,
        spread_tolerance: float = 0.15,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.iterations = iterations
        self.mean_tolerance = mean_tolerance
        self.spread_tolerance = spread_tolerance
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class ITQ(Hasher):
    """Iterative quantisation (Gong, Lazebnik, CVPR 2011): principal components, rotated towards the corners of a cube.

    Parameters beside those of :class:`Hasher`:

    iterations : int, default 50
        Of the rotation, at most.
    functions : str, default "linear"
        "linear", or "kernel": of radial basis responses to anchors.
    anchors : int or None, default None
        Anchors of the kernel, at most so many training rows; None: 300. Only with functions="kernel".
    width : float or None, default None
        Squared width of the kernel over the mean squared distance to anchors; None: 1.0. Only with
        functions="kernel".

    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> ITQ(bits=32).fit(X[:300]).transform(X[300:]).shape
    (1497, 4)
    """

    _method = "itq"
    _supervision = "none"

    def __init__(
        self,
        bits: int = 64,
        *,
        iterations: int = 50,
        functions: str = "linear",
        anchors: int | None = None,
        width: float | None = None,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.iterations = iterations
        self.functions = functions
        self.anchors = anchors
        self.width = width
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class KLSH(Hasher):
    """Kernelised locality-sensitive hashing (Kulis, Grauman, ICCV 2009): random hyperplanes in a kernel space.

    Parameters beside those of :class:`Hasher`:

    anchors : int, default 300
        Anchors, at most the training rows.
    subset : int, default 30
        Anchors whose sum makes one random direction.
    width : float, default 1.0
        Squared width of the kernel over the mean squared distance to anchors.
    """

    _method = "klsh"
    _supervision = "none"

    def __init__(
        self,
        bits: int = 64,
        *,
        anchors: int = 300,
        subset: int = 30,
        width: float = 1.0,
        random_state: Any = 1,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.bits = bits
        self.anchors = anchors
        self.subset = subset
        self.width = width
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
