"""What mkdocs does with notebooks: each is run while the site is built, and is a page with what it showed.

The repository has them without outputs, so that a change is a change of text. On the site each is a Markdown
page of the same name: cells as code, and behind them what a kernel answered.
"""

from __future__ import annotations

import os
import re
from base64 import b64decode
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

ROOT = Path(__file__).parent.parent
SECONDS = 300  # for one cell, on a busy machine
TERMINAL = re.compile(r"\x1b\[[0-9;]*m")
DOWNLOAD = '<p><a href="../{name}.ipynb" download>Download this notebook</a></p>'


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each notebook, and the pictures that it shows. The notebook itself is there, too."""
    notebooks = [file for file in files if file.src_uri.endswith(".ipynb")]
    for file in notebooks:
        source = Path(str(file.abs_src_path))
        place = file.src_uri.removesuffix(".ipynb")
        page, pictures = page_of(run(source.read_text(encoding="utf-8")), source.stem)
        files.append(File.generated(config, f"{place}.md", content=page))
        for name, picture in pictures.items():
            files.append(File.generated(config, f"{Path(place).parent.as_posix()}/{name}", content=picture))
    return files


@cache
def run(text: str) -> nbformat.NotebookNode:
    """Run a notebook in a kernel of its own. Errors: PluginError, with the cell that failed."""
    notebook = nbformat.reads(text, as_version=4)
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    with TemporaryDirectory() as folder:
        env = os.environ | {"PYTHONPATH": os.pathsep.join(paths), "IPYTHONDIR": folder, "TMPDIR": folder}
        client = NotebookClient(notebook, timeout=SECONDS, kernel_name="python3")
        try:
            client.execute(env=env, cwd=folder)
        except CellExecutionError as error:
            raise PluginError(f"a notebook failed: {error}") from error
    return notebook


def page_of(notebook: nbformat.NotebookNode, name: str) -> tuple[str, dict[str, bytes]]:
    """A notebook as Markdown. Output: the text, and its pictures by name."""
    parts, pictures = [], {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(fenced(cell.source, "python"))
        for output in cell.outputs:
            png = output.get("data", {}).get("image/png")
            picture = f"{name}-{len(pictures) + 1}.png"
            parts.append(shown(output) if png is None else f"![What the cell draws]({picture})")
            if png is not None:
                pictures[picture] = b64decode(png)
    title, _, rest = "\n\n".join(parts).partition("\n\n")
    return f"{title}\n\n{DOWNLOAD.format(name=name)}\n\n{rest}\n", pictures


def shown(output: Any) -> str:
    """An output as Markdown: what it shows itself by in HTML, else its text.

    >>> shown({"output_type": "stream", "text": "a ± b"})
    '```text\\na ± b\\n```'
    """
    data = output.get("data", {})
    if "text/html" in data:
        lines = [line for line in data["text/html"].splitlines() if line.strip()]
        return '<div class="output">\n' + "\n".join(lines) + "\n</div>"
    return fenced(TERMINAL.sub("", output.get("text", data.get("text/plain", ""))).rstrip("\n"), "text")


def fenced(text: str, language: str) -> str:
    """Text between fences.

    >>> fenced("SELECT 1", "sql")
    '```sql\\nSELECT 1\\n```'
    """
    return f"```{language}\n{text}\n```"
