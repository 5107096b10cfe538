//! Builds Markdown pages from pieces.

use std::fmt::Write;

/// An unfinished page.
#[derive(Debug, Default)]
pub(super) struct Page(String);

impl Page {
    /// Starts a page with its title.
    pub(super) fn new(title: &str) -> Self {
        Self(format!("# {title}\n"))
    }

    /// The Markdown.
    pub(super) fn into_text(self) -> String {
        self.0
    }

    /// Adds a paragraph, or any other block.
    pub(super) fn paragraph(&mut self, text: &str) {
        if !text.trim().is_empty() {
            // Writing to a string never fails.
            let _ = write!(self.0, "\n{}\n", text.trim_end());
        }
    }

    /// Adds a heading of the second level.
    pub(super) fn heading(&mut self, title: &str) {
        self.paragraph(&format!("## {title}"));
    }

    /// Adds a block of code.
    pub(super) fn block(&mut self, language: &str, text: &str) {
        self.paragraph(&format!("```{language}\n{}\n```", text.trim_end()));
    }

    /// Adds a table that opens when its title is clicked.
    pub(super) fn folded(&mut self, title: &str, header: &[&str], rows: &[Vec<String>]) {
        if !rows.is_empty() {
            self.paragraph(&format!("<details><summary>{title}</summary>"));
            self.table("", header, rows);
            self.paragraph("</details>");
        }
    }

    /// Adds a heading and a table below it, or nothing if the table has no rows. Empty columns are left out.
    pub(super) fn table(&mut self, title: &str, header: &[&str], rows: &[Vec<String>]) {
        if rows.is_empty() {
            return;
        }
        if !title.is_empty() {
            self.heading(title);
        }
        let is_used = |column: &usize| rows.iter().any(|row| row.get(*column).is_some_and(|cell| !cell.is_empty()));
        let columns: Vec<usize> = (0..header.len()).filter(is_used).collect();
        let line = |cell: &dyn Fn(usize) -> String| {
            format!("| {} |\n", columns.iter().map(|column| cell(*column)).collect::<Vec<_>>().join(" | "))
        };
        let mut text = line(&|column| header[column].to_owned());
        text += &line(&|_| "---".to_owned());
        for row in rows {
            text += &line(&|column| row.get(column).cloned().unwrap_or_default());
        }
        self.paragraph(&text);
    }
}

/// Inline code. Bars are escaped, because they end a table cell even in code.
pub(super) fn code(text: &str) -> String {
    match text {
        "" => String::new(),
        text => format!("`{}`", text.replace('|', "\\|")),
    }
}

/// A sentence from a declaration, with Markdown's special characters escaped except in code.
pub(super) fn prose(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut plain = String::new();
    for (index, part) in words.split('`').enumerate() {
        if index > 0 {
            plain.push('`');
        }
        for c in part.chars() {
            match c {
                '|' => plain.push_str("\\|"),
                '<' | '*' | '[' | ']' if index % 2 == 0 => plain.extend(['\\', c]),
                c => plain.push(c),
            }
        }
    }
    plain
}

/// A link.
pub(super) fn link(text: &str, target: &str) -> String {
    format!("[{text}]({target})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_literally_stays_literal() {
        assert_eq!(prose("A  < b, `x|y*` [m]."), "A \\< b, `x\\|y*` \\[m\\].");
        assert_eq!(code("a|b"), "`a\\|b`");
    }

    #[test]
    fn a_table_leaves_out_columns_without_entries() {
        let mut page = Page::new("T");
        page.table("Rows", &["a", "b"], &[vec!["1".into(), String::new()], vec!["2".into()]]);
        page.table("None", &["a"], &[]);
        assert_eq!(page.into_text(), "# T\n\n## Rows\n\n| a |\n| --- |\n| 1 |\n| 2 |\n");
    }
}
