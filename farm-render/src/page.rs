//! The frame of a self-contained HTML page.

use farm_core::inspect::escape_controls;
use farm_plot::style_sheet;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Prevents browsers from fetching anything, whatever the page contains.
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// A self-contained HTML page. Its title, its content and its data may contain text from anyone.
#[derive(Debug)]
pub struct HtmlPage<'a> {
    /// The code of its language.
    pub language: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its content.
    pub body: Markup,
    /// Its style sheet. The comment `dark colours of charts` marks the place of these colours.
    pub style: &'static str,
    /// The id of the script's data, and the data as JSON.
    pub data: (&'static str, String),
    /// Its script.
    pub script: &'static str,
}

impl HtmlPage<'_> {
    /// Writes the page. Control characters and characters that set the writing direction become escapes such as `\u202e`, wherever they are.
    #[must_use]
    pub fn write(self) -> String {
        // These three are not text: a browser reads them up to the end of their element. Style and script are constants of this project, and
        // JSON without `<` can't contain that end.
        let style = PreEscaped(self.style.replace("/* dark colours of charts */", &style_sheet()));
        let script = PreEscaped(self.script);
        let (id, json) = (self.data.0, PreEscaped(self.data.1.replace('<', "\\u003c")));
        let page = html! {
            (DOCTYPE)
            html lang=(self.language) {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta http-equiv="Content-Security-Policy" content=(POLICY);
                    meta name="color-scheme" content="light dark";
                    title { (self.title) }
                    link rel="icon" href="data:,";
                    style { (style) }
                }
                body {
                    (self.body)
                    script type="application/json" id=(id) { (json) }
                    script { (script) }
                }
            }
        };
        escape_controls(&page.into_string()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_leaves_its_place() {
        for (text, shown, data) in [
            (
                "</title><script>alert(1)</script>",
                "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;",
                "\\u003c/title>",
            ),
            ("\" onload=\"alert(1)", "&quot; onload=&quot;alert(1)", "\\\" onload"),
            ("&lt;", "&amp;lt;", "&lt;"),
            ("<!-- <script>", "&lt;!-- &lt;script&gt;", "\\u003c!-- \\u003cscript>"),
            (
                "a\u{202e}b\u{2066}c\u{0}\u{1b}\u{9b}",
                "a\\u202eb\\u2066c\\u0000\\u001b\\u009b",
                "a\\u202eb\\u2066c\\u0000\\u001b\\u009b",
            ),
            ("two\nlines", "two\nlines", "two\\nlines"),
        ] {
            let json = serde_json::json!({ "name": text });
            let page = HtmlPage {
                language: "en",
                title: text,
                body: html! { p title=(text) { (text) } },
                style: "p { margin: 0; }",
                data: ("data", json.to_string()),
                script: "\"use strict\";",
            };
            let page = page.write();
            assert!(page.contains(&format!("<title>{shown}</title>")), "{page}");
            assert!(page.contains(&format!("<body><p title=\"{shown}\">{shown}</p><script type=")), "{page}");
            let (_, rest) = page.split_once("id=\"data\">").unwrap();
            let (read, end) = rest.split_once("</script>").unwrap();
            assert!(read.contains(data), "{read}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(read).unwrap(), json);
            assert_eq!(end, "<script>\"use strict\";</script></body></html>");
        }
    }
}
