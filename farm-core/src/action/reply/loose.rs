//! Reads JSON as models write it: with single quotes, keys without quotes, trailing commas, Python's words, and quotes inside strings.

use serde_json::{Map, Number, Value as Json};

/// The maximum depth of a value.
const MAX_DEPTH: usize = 32;

/// The work that reading the values of a text may take, in characters. Reading ends with no value when it is used up.
pub(super) fn fuel(text: &str) -> usize {
    16 * text.len() + 1024
}

/// The value at the start of a text, and its length in bytes. `fuel` is the work that is left.
pub(super) fn value(text: &str, fuel: &mut usize) -> Option<(Json, usize)> {
    let mut reader = Reader { text, at: 0, fuel };
    let value = reader.value(0)?;
    Some((value, reader.at))
}

struct Reader<'t, 'f> {
    text: &'t str,
    at: usize,
    fuel: &'f mut usize,
}

impl<'t> Reader<'t, '_> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn spend(&mut self, characters: usize) -> Option<()> {
        *self.fuel = self.fuel.checked_sub(characters + 1)?;
        Some(())
    }

    fn skip_space(&mut self) -> Option<()> {
        let trimmed = self.rest().trim_start();
        let skipped = self.rest().len() - trimmed.len();
        self.at += skipped;
        self.spend(skipped)
    }

    fn peek(&mut self) -> Option<char> {
        self.skip_space()?;
        self.rest().chars().next()
    }

    fn take(&mut self, letter: char) -> bool {
        let is_next = self.peek() == Some(letter);
        if is_next {
            self.at += letter.len_utf8();
        }
        is_next
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > MAX_DEPTH {
            return None;
        }
        match self.peek()? {
            '{' => self.object(depth),
            '[' => self.list(']', depth),
            '(' => self.list(')', depth),
            quote @ ('"' | '\'' | '“' | '‘') => self.string(quote).map(Json::String),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Json> {
        self.at += 1;
        let mut entries = Map::new();
        loop {
            match self.peek() {
                Some('}') => {
                    self.at += 1;
                    return Some(Json::Object(entries));
                }
                Some(',') => {
                    self.at += 1;
                    continue;
                }
                Some(_) => {}
                // A closing bracket at the end of the text may be missing.
                None => return (!entries.is_empty() && self.is_complete()).then_some(Json::Object(entries)),
            }
            let key = match self.peek()? {
                quote @ ('"' | '\'' | '“' | '‘') => self.string(quote)?,
                _ => {
                    let is_letter = |c: char| c.is_alphanumeric() || "_-#%°".contains(c);
                    let end = self.rest().find(|c| !is_letter(c))?;
                    let key = self.rest().get(..end).filter(|key| !key.is_empty())?;
                    self.at += end;
                    self.spend(end)?;
                    key.to_owned()
                }
            };
            if !self.take(':') && !self.take('=') {
                return None;
            }
            let value = self.value(depth + 1)?;
            entries.insert(key, value);
            if !matches!(self.peek(), None | Some(',' | '}')) {
                return None;
            }
        }
    }

    fn list(&mut self, close: char, depth: usize) -> Option<Json> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            match self.peek()? {
                letter if letter == close => {
                    self.at += 1;
                    return Some(Json::Array(items));
                }
                ',' => self.at += 1,
                _ => {
                    items.push(self.value(depth + 1)?);
                    if !matches!(self.peek()?, letter if letter == ',' || letter == close) {
                        return None;
                    }
                }
            }
        }
    }

    /// A string. Its end is a quote before a comma, a colon or a closing bracket, so that a string may contain quotes.
    fn string(&mut self, quote: char) -> Option<String> {
        self.at += quote.len_utf8();
        let close = match quote {
            '“' => '”',
            '‘' => '’',
            quote => quote,
        };
        let (mut out, mut letters) = (String::new(), self.rest().char_indices());
        while let Some((offset, letter)) = letters.next() {
            self.spend(1)?;
            if letter == '\\' {
                match letters.next()?.1 {
                    'n' => out.push('\n'),
                    't' => out.push('\t'),
                    other => out.push(other),
                }
            } else if letter == close {
                let end = self.at + offset + letter.len_utf8();
                let after = self.text[end..].trim_start();
                self.spend(self.text.len() - end - after.len())?;
                if after.is_empty() || after.starts_with([',', ':', '}', ']', ')', '=']) {
                    self.at = end;
                    return Some(out);
                }
                out.push(letter);
            } else {
                out.push(letter);
            }
        }
        None
    }

    /// A number, a word for a truth value, or a word without quotes.
    fn word(&mut self) -> Option<Json> {
        let end = self.rest().find([',', '}', ']', ')', '\n', '{', '[', '"', '\'', ':'])?;
        let word = self.rest()[..end].trim();
        self.spend(end)?;
        self.at += end;
        Some(match word {
            "" => return None,
            "true" | "True" => Json::Bool(true),
            "false" | "False" => Json::Bool(false),
            "null" | "None" => Json::Null,
            word => match word.parse::<i64>() {
                Ok(number) => Json::from(number),
                Err(_) => match word.parse().ok().and_then(Number::from_f64) {
                    Some(number) => Json::Number(number),
                    None => Json::from(word),
                },
            },
        })
    }

    /// Whether the text before the end of the text ends with a complete value.
    fn is_complete(&self) -> bool {
        self.text.trim_end().ends_with(['"', '\'', '}', ']', '”', '’'])
    }
}
