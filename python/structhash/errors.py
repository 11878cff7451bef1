"""Exceptions of the library beside ValueError and OSError."""


class CorruptFileError(ValueError):
    """A file is damaged, of another kind, or of a newer version."""


class SolverError(RuntimeError):
    """The linear program of training could not be solved."""
