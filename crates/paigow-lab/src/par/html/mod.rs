//! Pages as one self-contained page of HTML, which is also well-formed XML. It has no script and no
//! network, is light and dark, and can be printed.

mod fractions;
mod log;
mod svg;

use super::page::{ParBlock, ParPage, ParPages, ParRowKind, ParSection, ParTable, ParTableRow};
use super::sheet::ParDocument;

const STYLE: &str = include_str!("style.css");

/// Writes pages, and every fraction of their document.
pub(super) fn html(pages: &ParPages, document: &ParDocument) -> String {
    let title = escaped(&pages.title);
    let mut text = format!(
        "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n\
         <meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{}</h1>\n<p class=\"program\">{}</p>\n</header>\n",
        escaped(&pages.heading),
        escaped(&pages.program)
    );
    if pages.pages.len() > 1 {
        text += "<nav aria-label=\"Rulesets\">\n<ul>\n";
        for page in &pages.pages {
            text += &format!("<li><a href=\"#{0}\">{0}</a></li>\n", escaped(&page.id));
        }
        text += "</ul>\n</nav>\n";
    }
    text += "<main>\n<section class=\"method\" aria-label=\"How the figures are made\">\n<ul>\n";
    for words in &pages.method {
        text += &format!("<li>{}</li>\n", escaped(words));
    }
    text += "</ul>\n</section>\n";
    if let Some(overview) = &pages.overview {
        text += &table(overview);
    }
    for (page, sheet) in pages.pages.iter().zip(&document.sheets) {
        text += &article(page);
        text += &fractions::appendix(&page.id, sheet);
        text += "</article>\n";
    }
    text + "</main>\n</body>\n</html>\n"
}

/// Writes a page, its end tag left open.
fn article(page: &ParPage) -> String {
    let id = escaped(&page.id);
    let mut text = format!("<article id=\"{id}\">\n<h2>{}</h2>\n<dl>\n", escaped(&page.title));
    for (name, value) in &page.about {
        text += &format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value));
    }
    text += "</dl>\n<nav aria-label=\"Parts of this sheet\">\n<ul>\n";
    for section in &page.sections {
        let anchor = escaped(&section.id);
        text += &format!("<li><a href=\"#{id}-{anchor}\">{}</a></li>\n", escaped(&section.title));
    }
    text += &format!("<li><a href=\"#{id}-fractions\">Every number</a></li>\n</ul>\n</nav>\n");
    for part in &page.sections {
        text += &section(part, &id);
    }
    text
}

fn section(section: &ParSection, page: &str) -> String {
    let id = format!("{page}-{}", escaped(&section.id));
    let title = escaped(&section.title);
    let mut text = format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h3 id=\"{id}-title\">{title}</h3>\n"
    );
    for block in &section.blocks {
        match block {
            ParBlock::Paragraph(words) => text += &format!("<p>{}</p>\n", escaped(words)),
            ParBlock::Table(of) => text += &table(of),
            ParBlock::Plot(plot) => text += &svg::figure(plot, page),
        }
    }
    text + "</section>\n"
}

/// Writes a table in a frame of its own, which scrolls if the page is too narrow.
pub(super) fn table(table: &ParTable) -> String {
    let caption = escaped(&table.caption);
    let mut text = format!(
        "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\">\n<table>\n\
         <caption>{caption}</caption>\n<thead>\n<tr>"
    );
    for column in &table.columns {
        let class = if column.is_figure { " class=\"figure\"" } else { "" };
        text += &format!("<th scope=\"col\"{class}>{}</th>", escaped(column.title));
    }
    text += "</tr>\n</thead>\n<tbody>\n";
    for line in &table.rows {
        text += &row(line, table);
    }
    text + "</tbody>\n</table>\n</div>\n"
}

fn row(line: &ParTableRow, table: &ParTable) -> String {
    let class = match line.kind {
        ParRowKind::Plain => "",
        ParRowKind::Total => " class=\"total\"",
        ParRowKind::Marked => " class=\"marked\"",
        ParRowKind::Wrong => " class=\"wrong\"",
    };
    let mut text = format!("<tr{class}>");
    for (place, (cell, column)) in line.cells.iter().zip(&table.columns).enumerate() {
        let class = if column.is_figure { " class=\"figure\"" } else { "" };
        let words = escaped(cell);
        text += &if place == 0 {
            format!("<th scope=\"row\"{class}>{words}</th>")
        } else {
            format!("<td{class}>{words}</td>")
        };
    }
    text + "</tr>\n"
}

/// Escapes words for text and attributes. A control character that XML does not allow becomes a
/// replacement character.
pub(super) fn escaped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for letter in words.chars() {
        match letter {
            '&' => text += "&amp;",
            '<' => text += "&lt;",
            '>' => text += "&gt;",
            '"' => text += "&quot;",
            '\'' => text += "&#39;",
            '\n' | '\t' => text.push(' '),
            letter if letter.is_control() || ('\u{fffe}'..='\u{ffff}').contains(&letter) => {
                text.push('\u{fffd}');
            }
            letter => text.push(letter),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_a_mark() {
        assert_eq!(
            escaped("<a href=\"x\">'A&B'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;A&amp;B&#39;&lt;/a&gt;"
        );
        assert_eq!(escaped("a\u{0}b\u{7f}c\u{ffff}\nd"), "a\u{fffd}b\u{fffd}c\u{fffd} d");
    }
}
