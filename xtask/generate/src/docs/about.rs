//! A page's description, for search engines and link previews: its first paragraph instead of the book's sentence.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::links::html_files;

/// Maximum number of characters to quote from a page.
const MAX_CHARACTERS: usize = 200;

/// Replaces the book's sentence in the head of each page with the page's first paragraph.
///
/// # Errors
/// A page can't be read or written.
pub(super) fn describe(folder: &Path, of_book: &str) -> Result<()> {
    for path in html_files(folder)? {
        let text = fs::read_to_string(&path).with_context(|| format!("{} can't be read", path.display()))?;
        let Some(about) = first_paragraph(&text) else { continue };
        let (head, rest) = text.split_once("</head>").unwrap_or((&text, ""));
        let own = head.replace(&format!("content=\"{of_book}\""), &format!("content=\"{about}\""));
        if own != head {
            fs::write(&path, format!("{own}</head>{rest}"))
                .with_context(|| format!("{} can't be written", path.display()))?;
        }
    }
    Ok(())
}

/// The words of the first non-empty paragraph, as the value of an attribute.
fn first_paragraph(html: &str) -> Option<String> {
    let (_, main) = html.split_once("<main>")?;
    let paragraphs = main.split("<p").skip(1).filter_map(|rest| rest.split_once('>')?.1.split_once("</p>"));
    paragraphs.map(|(paragraph, _)| words(paragraph)).find(|words| !words.is_empty()).map(shortened)
}

/// HTML without its tags, with one space between words. Escaped characters stay escaped.
fn words(html: &str) -> String {
    let mut plain = String::new();
    let mut is_tag = false;
    for c in html.chars() {
        match c {
            '<' => is_tag = true,
            '>' => is_tag = false,
            '"' if !is_tag => plain.push_str("&quot;"),
            c if !is_tag => plain.push(c),
            _ => {}
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text, shortened to whole words.
fn shortened(text: String) -> String {
    if text.chars().count() <= MAX_CHARACTERS {
        return text;
    }
    let cut: String = text.chars().take(MAX_CHARACTERS).collect();
    format!("{} …", cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_described_by_its_first_paragraph() {
        let page = "<head><meta content=\"The book\"></head><main><h1>A</h1><p><img src=\"a.png\"></p>\n<p class=\"x\">Plants <b>grow</b>\n &amp; \"die\".</p><p>More.</p>";
        assert_eq!(first_paragraph(page).as_deref(), Some("Plants grow &amp; &quot;die&quot;."));
        assert_eq!(first_paragraph("<p>Not on the page</p>"), None);
        let long = shortened("word ".repeat(100));
        assert!(long.ends_with("word …") && long.chars().count() <= MAX_CHARACTERS + 2);
        let folder = std::env::temp_dir().join(format!("farm-about-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("a.html"), page).unwrap();
        describe(&folder, "The book").unwrap();
        let written = fs::read_to_string(folder.join("a.html")).unwrap();
        assert!(
            written.starts_with("<head><meta content=\"Plants grow &amp; &quot;die&quot;.\"></head><main>"),
            "{written}"
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
