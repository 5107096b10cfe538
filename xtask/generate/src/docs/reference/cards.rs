//! Cards, which are links to pages with pictures, side by side.

use maud::{PreEscaped, html};

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
    let markup = html! {
        div.cards {
            @for Card { name, page, picture, text, note } in cards {
                a.card href=(page) {
                    // The picture is an element that this program wrote.
                    span.card-picture { (PreEscaped(picture)) }
                    b { (line(name)) } " " span { (line(text)) } " " small { (line(note)) }
                }
            }
        }
    };
    markup.into_string()
}

/// The text on one line.
pub(super) fn line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
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
