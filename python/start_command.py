#!python
"""Installed as `structhash`: starts the command, which is a program inside the package."""

import importlib.util
import os
import sys


def main() -> None:
    package = importlib.util.find_spec("structhash")  # found, not imported: the command needs no numpy
    for folder in package.submodule_search_locations or [] if package else []:
        program = os.path.join(folder, "bin", "structhash")
        if os.path.exists(program):
            os.execv(program, ["structhash", *sys.argv[1:]])
    sys.exit(f"structhash: the package of {sys.executable} does not contain the command; install it again with pip")


main()
