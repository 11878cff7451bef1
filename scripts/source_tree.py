"""What the checks of the source tree share: where the files are and how long they may be."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ('include', 'src', 'apps', 'tests', 'benchmarks', 'examples', 'python', 'scripts')
SUFFIXES = {'.hpp', '.h', '.cpp', '.cc', '.py', '.sh'}
MAX_LINES = 400


def source_files(*folders):
    """Source files below the given folders of the repository, in a fixed order."""
    for folder in folders or FOLDERS:
        for path in sorted((ROOT / folder).rglob('*')):
            if path.suffix in SUFFIXES and path.is_file():
                yield path


def name(path):
    return path.relative_to(ROOT).as_posix()


def too_long():
    """One message per source file above the limit."""
    for path in source_files():
        lines = len(path.read_text(encoding='utf-8').splitlines())
        if lines > MAX_LINES:
            yield f'{name(path)}: {lines} lines, at most {MAX_LINES} are allowed; split it'


def report(problems, what):
    """Prints the problems; returns the exit status."""
    problems = list(problems)
    for problem in problems:
        print(problem)
    print(f'{what}: {len(problems)} problems' if problems else f'{what}: good')
    return 1 if problems else 0
