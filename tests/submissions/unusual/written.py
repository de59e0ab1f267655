"""Honest notebooks whose file was written in an unusual way: encodings, line ends, bytes too many."""

from unusual.notebook import cell, dumped, honest, own, put, text


@honest
def byte_order_mark(notebook):
    return b"\xef\xbb\xbf" + dumped(notebook)


@honest
def utf_16_with_a_mark(notebook):
    return dumped(notebook, ensure_ascii=False).decode().encode("utf-16")


@honest
def utf_16_without_a_mark(notebook):
    return dumped(notebook, ensure_ascii=False).decode().encode("utf-16-le")


@honest
def utf_32(notebook):
    return dumped(notebook, ensure_ascii=False).decode().encode("utf-32")


@honest
def latin_1(notebook):
    return dumped(put(notebook, "# déjà vu", before="attend"), ensure_ascii=False).decode().encode("latin-1", "replace")


@honest
def windows_1252(notebook):
    notebook["cells"].append(own("“Quotes” – and a dash", "markdown"))
    return dumped(notebook, ensure_ascii=False).decode().encode("cp1252", "replace")


@honest
def windows_line_ends(notebook):
    for one in notebook["cells"]:
        one["source"] = text(one).replace("\n", "\r\n")
    return dumped(notebook).replace(b"\n", b"\r\n")


@honest
def old_mac_line_ends(notebook):
    cell(notebook, "dot_scorer")["source"] = text(cell(notebook, "dot_scorer")).replace("\n", "\r")
    return notebook


@honest
def zeros_after_the_end(notebook):
    return dumped(notebook) + b"\0" * 512


@honest
def text_after_the_end(notebook):
    return dumped(notebook) + b"\n}\n"


@honest
def a_comma_too_many(notebook):
    return dumped(notebook).replace(b'"nbformat_minor": 5\n}', b'"nbformat_minor": 5,\n}')


@honest
def not_a_number_in_the_metadata(notebook):
    notebook["metadata"]["score"] = float("nan")
    return notebook


@honest
def lines_joined_without_newlines(notebook):
    for one in notebook["cells"]:
        one["source"] = text(one).split("\n")  # a converter forgot that each line keeps its newline
    return notebook
