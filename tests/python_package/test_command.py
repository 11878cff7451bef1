"""The command `structhash`, which the package installs."""

import pathlib
import subprocess
import sys

import structhash

SCRIPT = pathlib.Path(sys.executable).with_name("structhash")


def run(*arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, **settings)


def test_the_command_has_the_version_of_the_package() -> None:
    assert structhash.__version__ in run("--version").stdout


def test_exit_codes_pass_through() -> None:
    assert run("train", "--no-such-option").returncode == 2
    assert run("inspect", "no_such_file.shm").returncode == 5


def test_it_trains_what_the_module_reads(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.csv").write_text("".join(f"{i % 7},{i % 5},{i % 3}\n" for i in range(60)))
    (tmp_path / "y.csv").write_text("".join(f"{i % 3}\n" for i in range(60)))
    done = run("train", "--features", "x.csv", "--labels", "y.csv", "--bits", "8", "--model", "m.shm", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert structhash.load(tmp_path / "m.shm").n_features_in_ == 3


def test_a_package_without_the_command_says_so(tmp_path: pathlib.Path) -> None:
    (tmp_path / "structhash").mkdir()
    (tmp_path / "structhash" / "__init__.py").touch()
    done = run("--version", env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 1
    assert "does not contain the command" in done.stderr
