//! Cards, which are links to pages with pictures, side by side.

/// A card that leads to a page.
#[derive(Debug)]
pub(super) struct Card {
    /// Its title.
    pub name: String,
    /// The address of the page.
    pub page: String,
    /// An image, as HTML; empty for none.
    pub picture: String,
    /// Its description.
    pub text: String,
    /// Numbers, in small letters.
    pub note: String,
}

/// The cards as an HTML block in Markdown. Such a block must not contain an empty line.
pub(super) fn html(cards: &[Card]) -> String {
    let mut out = String::from("<div class=\"cards\">\n");
    for Card { name, page, picture, text, note } in cards {
        let (text, note) = (escape(text), escape(note));
        out += &format!(
            "<a class=\"card\" href=\"{page}\"><span class=\"card-picture\">{picture}</span><b>{}</b> <span>{text}</span> <small>{note}</small></a>\n",
            escape(name)
        );
    }
    out + "</div>"
}

/// Escaped text for use between tags, on one line.
pub(super) fn escape(text: &str) -> String {
    farm_plot::escape_html(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_leads_to_its_page_and_no_name_leaves_its_place() {
        let card = Card {
            name: "<b>".to_owned(),
            page: "games/a.html".to_owned(),
            picture: String::new(),
            text: "two\n\nlines".to_owned(),
            note: "1 plot".to_owned(),
        };
        let html = html(&[card]);
        assert!(html.contains("href=\"games/a.html\"") && html.contains("&lt;b&gt;") && html.contains("two lines"));
        assert!(!html.contains("\n\n"));
    }
}
