#!/usr/bin/env python3
"""Checks that docs/dependencies.md names every package that is installed, found or pinned, in the pinned version."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "dependencies.md").read_text()


def text(name: str) -> str:
    return (ROOT / name).read_text()


def arrays(script: str, pattern: str) -> list[str]:
    """The words of every bash array whose name matches."""
    words: list[str] = []
    for body in re.findall(rf"^\w*{pattern}\w*=\(([^)]*)\)", script, flags=re.MULTILINE):
        words += [word for line in body.splitlines() for word in line.split("#")[0].split()]
    return words


def named(word: str) -> bool:
    return re.search(rf"(?<![\w@/-]){re.escape(word)}(?![\w/-])", PAGE) is not None


def row(name: str, version: str) -> bool:
    return f"| {name} | {version} |" in PAGE


def problems() -> list[str]:
    found = []
    for package in arrays(text("scripts/install_packages.sh"), "packages"):
        if not named(package):
            found.append(f"the Debian package {package} (scripts/install_packages.sh) is missing")
    cmake = text("CMakeLists.txt") + text("apps/structhash/CMakeLists.txt")
    libraries = re.findall(r"find_package\((\w+)", cmake) + re.findall(r"pkg_check_modules\((\w+)", cmake)
    for library in libraries:
        if library not in ("Threads", "PkgConfig", "Python") and f"| {library} |" not in PAGE:
            found.append(f"{library} (CMakeLists.txt) is missing")
    pins = arrays(text("test.sh"), "packages")
    for script in ("scripts/test_interop.sh", "scripts/test_scale.sh", "scripts/docs.sh", "scripts/build_wheel.sh", "scripts/repair_wheel.sh"):
        pins += arrays(text(script), "(?:needed|engines|dependencies)")
    for pin in pins:
        name, _, version = pin.partition("==")
        if not row(name, version):
            found.append(f"{pin} is missing or there in another version")
    for pin in arrays(text("scripts/test_interop.sh"), "node_packages"):
        name, _, version = pin.rpartition("@")
        if not row(name, version):
            found.append(f"the npm package {pin} is missing or there in another version")
    for name, version in json.loads(text("report/package.json"))["dependencies"].items():
        if not row(name, version):
            found.append(f"the npm package {name} {version} (report/package.json) is missing")
    for need in re.findall(r'"([\w-]+>=[\d.]+)"', text("pyproject.toml")):
        name, _, version = need.partition(">=")
        if not re.search(rf"{name} \(>={re.escape(version)}[,)]", PAGE.replace("\n", " ")):
            found.append(f"{need} (pyproject.toml) is missing")
    return found


def main() -> None:
    found = problems()
    for problem in found:
        print(f"docs/dependencies.md: {problem}")
    print("dependencies: good" if not found else f"dependencies: {len(found)} problems")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
