"""Cells and outputs as nbformat makes them, but without its slow validation of each."""

from typing import Any

from nbformat import NotebookNode, from_dict


def code_cell(source: str, name: str, metadata: dict[str, Any]) -> NotebookNode:
    fields: dict[str, Any] = {"cell_type": "code", "execution_count": None, "outputs": []}
    return from_dict({"id": name, "metadata": metadata, "source": source, **fields})


def markdown_cell(source: str, name: str, metadata: dict[str, Any]) -> NotebookNode:
    return from_dict({"id": name, "cell_type": "markdown", "metadata": metadata, "source": source})


def stream(name: str, text: str) -> NotebookNode:
    return from_dict({"output_type": "stream", "name": name, "text": text})


def display(data: dict[str, str]) -> NotebookNode:
    return from_dict({"output_type": "display_data", "data": data, "metadata": {}})


def result(text: str) -> NotebookNode:
    """The value of a cell's last expression."""
    fields: dict[str, Any] = {"execution_count": None, "metadata": {}}
    return from_dict({"output_type": "execute_result", "data": {"text/plain": text}, **fields})


def error(name: str, value: str, traceback: list[str]) -> NotebookNode:
    return from_dict({"output_type": "error", "ename": name, "evalue": value, "traceback": traceback})


def trimmed(source: str) -> str:
    """Without blank lines around it and blanks at the ends of lines, which editors change."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())
