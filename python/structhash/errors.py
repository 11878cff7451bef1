"""Errors of the library that are neither ValueError nor OSError."""


class CorruptFileError(ValueError):
    """A file is damaged, of another kind, or of a newer version."""


class SolverError(RuntimeError):
    """The linear programme of training could not be solved."""
