"""Hooks of MkDocs (mkdocs.yml): adds the generated pages of the Python and C++ references to the site."""
import pathlib
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cpp_reference  # noqa: E402
import python_reference  # noqa: E402


def on_files(files, config):
    for path, text in {**python_reference.pages(), **cpp_reference.pages()}.items():
        files.append(File.generated(config, path, content=text))
    return files
