"""Pages of HTML from the Markdown of this repository, with the standard library alone.

The book uses a part of Markdown: headings, paragraphs, lists, tables, blocks of code, code spans, bold
and links. A line that is none of these is a paragraph. Tests hold that no word of a page is lost.
"""
import html
import posixpath
import re

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #8888; padding: 0.3rem 0.6rem; text-align: left; vertical-align: top; }
pre { border: 1px solid #8888; overflow-x: auto; padding: 0.6rem; }
code { font-family: ui-monospace, monospace; font-size: 0.9em; overflow-wrap: anywhere; }
nav { border-bottom: 1px solid #8888; margin-bottom: 1rem; padding-bottom: 0.5rem; }
"""


def page(title, body, index):
    """Returns a whole page; `index` is the way from it to the index."""
    return (f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width">\n<title>{html.escape(title)}</title>\n'
            f"<style>{STYLE}</style>\n"
            f'<nav><a href="{html.escape(index)}">Index of the pack</a></nav>\n{body}\n</html>\n')


def anchor(heading, seen):
    """Returns the anchor of a heading, as GitHub makes it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    text = "".join(c for c in text.lower() if c.isalnum() or c in " -_").replace(" ", "-")
    seen[text] = seen.get(text, -1) + 1
    return f"{text}-{seen[text]}" if seen[text] else text


def span(text, link):
    """Returns a line with code spans, links and bold; `link` says where a target leads, or None."""
    done = []
    # Text between single backticks is code. Nothing in it is a link or bold.
    for place, part in enumerate(re.split(r"(?<!`)`(?!`)", text)):
        done.append(f"\0{len(done)}\0" if place % 2 else part)
        if place % 2:
            done[-1] = ("code", part)
    text = "".join(part if isinstance(part, str) else f"\0{place}\0" for place, part in enumerate(done))

    def code(match):
        return f"<code>{html.escape(done[int(match[1])][1], quote=False)}</code>"

    def linked(match):
        target = link(match[2])
        return f'<a href="{html.escape(target)}">{match[1]}</a>' if target else match[1]

    text = html.escape(text, quote=False)
    text = re.sub(r"\[([^\]]*)\]\(([^)\s]+)\)", linked, text)
    text = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", text)
    return re.sub("\0(\\d+)\0", code, text)


def cells(line):
    """Returns the cells of a line of a table."""
    line = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)]


ITEM = re.compile(r"( *)([-*]|\d+\.) +(.*)")


def body(markdown, link):
    """Returns the HTML of a text."""
    lines = markdown.split("\n")
    out, seen, at = [], {}, 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("```"):
            end = next(n for n in range(at + 1, len(lines)) if lines[n].startswith("```"))
            out.append(f"<pre><code>{html.escape(chr(10).join(lines[at + 1:end]), quote=False)}</code></pre>")
            at = end + 1
        elif line.startswith("<!--"):
            while "-->" not in lines[at]:
                at += 1
            at += 1
        elif match := re.match(r"(#+) +(.*)", line):
            level = len(match[1])
            out.append(f'<h{level} id="{anchor(match[2], seen)}">{span(match[2], link)}</h{level}>')
            at += 1
        elif line.startswith("|") and at + 1 < len(lines) and re.match(r"\|[ :|-]+$", lines[at + 1].strip()):
            end = at
            while end < len(lines) and lines[end].startswith("|"):
                end += 1
            out.append(table(lines[at:end], link))
            at = end
        elif ITEM.match(line):
            at = items(lines, at, out, link)
        elif line.strip():
            end = at
            while end < len(lines) and lines[end].strip() and not begins_block(lines, end, at):
                end += 1
            out.append(f"<p>{span(chr(10).join(lines[at:end]), link)}</p>")
            at = end
        else:
            at += 1
    return "\n".join(out)


def begins_block(lines, at, first):
    """Whether a line ends the paragraph that began at `first`."""
    line = lines[at]
    return at > first and (line.startswith(("```", "#", "|", "<!--")) or ITEM.match(line) is not None)


def table(lines, link):
    rows = [cells(line) for line in (lines[0], *lines[2:])]
    head = "".join(f"<th>{span(cell, link)}</th>" for cell in rows[0])
    rest = "".join("<tr>" + "".join(f"<td>{span(cell, link)}</td>" for cell in row) + "</tr>\n" for row in rows[1:])
    return f"<table>\n<tr>{head}</tr>\n{rest}</table>"


def items(lines, at, out, link):
    """Writes a list, and returns the line behind it. What stands under an item is a text of its own."""
    indent, mark = ITEM.match(lines[at])[1], ITEM.match(lines[at])[2]
    tag = "ul" if mark in "-*" else "ol"
    out.append(f"<{tag}>")
    while at < len(lines):
        match = ITEM.match(lines[at])
        if match is None or match[1] != indent or (match[2] in "-*") != (tag == "ul"):
            break
        width = match.start(3)
        inside = [match[3]]
        at += 1
        while at < len(lines):
            line = lines[at]
            is_deeper = line[:width].strip() == "" and line.strip() != ""
            # A line without its indent goes on with the paragraph of the item.
            goes_on = line.strip() and inside[-1].strip() and not begins_block(lines, at, at - 1)
            follows = not line.strip() and at + 1 < len(lines) and lines[at + 1][:width].strip() == "" \
                and lines[at + 1].strip() != ""
            if not (is_deeper or goes_on or follows):
                break
            inside.append(line[width:] if is_deeper else line)
            at += 1
        out.append(f"<li>{body(chr(10).join(inside), link)}</li>")
        if at + 1 < len(lines) and not lines[at].strip():
            after = ITEM.match(lines[at + 1])
            if after is not None and after[1] == indent:
                at += 1
    out.append(f"</{tag}>")
    return at


def links_of(path, known):
    """Returns what leads from the page of `path` to others: `known` are the paths that have pages."""
    folder = posixpath.dirname(path)

    def link(target):
        target = html.unescape(target)
        if target.startswith(("https://", "http://", "#")):
            return target
        file, _, section = target.partition("#")
        where = posixpath.normpath(posixpath.join(folder, file))
        if where not in known:
            return None
        way = posixpath.relpath(known[where], posixpath.dirname(known[path]))
        return f"{way}#{section}" if section else way

    return link
