"""Hooks of MkDocs (mkdocs.yml): the generated references, folders in the navigation, docs/home.md as the first page.

MkDocs makes index.md the first page of a site. docs/index.md is about indexes of codes, so it becomes indexes.md
in the site, and links to it follow.
"""
import pathlib
import re
import sys

from mkdocs.structure.files import File

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import cpp_reference  # noqa: E402
import python_reference  # noqa: E402

RENAMED = {'index.md': 'indexes.md', 'home.md': 'index.md'}


def with_folders(nav, docs):
    """The navigation with every folder ("adr/") replaced by its pages, in the order of their names."""
    if isinstance(nav, str):
        return sorted(f'{nav}{page.name}' for page in (docs / nav).glob('*.md')) if nav.endswith('/') else nav
    if isinstance(nav, dict):
        return {title: with_folders(value, docs) for title, value in nav.items()}
    return [with_folders(value, docs) for value in nav]


def on_config(config):
    config.nav = with_folders(config.nav, pathlib.Path(config.docs_dir))
    return config


def with_new_links(text):
    return re.sub(r'(\]\((?:\.\./)*)index\.md', r'\1indexes.md', text)


def on_files(files, config):
    texts = {}
    for old, new in RENAMED.items():
        file = files.get_file_from_path(old)
        texts[new] = file.content_string
        files.remove(file)
    for path, text in {**texts, **python_reference.pages(), **cpp_reference.pages()}.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown, **_):
    return with_new_links(markdown)
