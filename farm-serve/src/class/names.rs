//! Names of people, and the code of a class.

use crate::fields::Invalid;

/// The maximum length of a pupil's name and of a class's name, in characters.
pub(super) const MAX_NICKNAME: usize = 20;
pub(super) const MAX_CLASS_NAME: usize = 40;

/// The characters of a code: none that looks like another.
const ALPHABET: &[u8] = b"23456789abcdefghjkmnpqrstuvwxyz";
const CODE_LENGTH: usize = 8;

/// Reads a name: letters of any language, digits, single spaces and `-`, `_`, `.` and `'`, the first a letter or a digit. So a name is never
/// markup, a formula or an invisible or reversing character.
///
/// # Errors
/// The name is empty, too long, or contains another character.
pub(super) fn name(given: &str, most: usize) -> Result<String, Invalid> {
    let name = given.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_valid = |c: char| c.is_alphanumeric() || " -_.'’".contains(c);
    if let Some(wrong) = name.chars().find(|c| !is_valid(*c)) {
        let wrong = wrong.escape_debug();
        return Err(Invalid(format!(
            "a name can't contain `{wrong}`: use letters, digits, spaces, `-`, `_`, `.` or `'`"
        )));
    }
    if !name.starts_with(char::is_alphanumeric) {
        return Err(Invalid("a name starts with a letter or a digit".into()));
    }
    match name.chars().count() {
        length if length > most => {
            Err(Invalid(format!("the name has {length} characters; at most {most} are possible")))
        }
        _ => Ok(name),
    }
}

/// Whether two names look the same to people.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
}

/// Draws a code that people can type, such as `kx7m-2pqd`: 40 bits.
///
/// # Errors
/// The system provides no random numbers.
pub(super) fn drawn_code() -> Result<String, getrandom::Error> {
    let mut bytes = [0; CODE_LENGTH];
    getrandom::fill(&mut bytes)?;
    let letters: String = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(*byte) % ALPHABET.len()])).collect();
    let (first, second) = letters.split_at(CODE_LENGTH / 2);
    Ok(format!("{first}-{second}"))
}

/// A code as people type it, in its own form.
pub(super) fn code(typed: &str) -> String {
    let letters: Vec<char> = typed
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .take(2 * CODE_LENGTH)
        .collect();
    let (first, second) = letters.split_at(letters.len().min(CODE_LENGTH / 2));
    [first, second].map(|half| half.iter().collect::<String>()).join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_letters_of_any_language_and_never_markup_formulas_or_invisible() {
        for (given, read) in [
            ("Robin", "Robin"),
            ("  Élodie   2 ", "Élodie 2"),
            ("Мила", "Мила"),
            ("ليلى", "ليلى"),
            ("O'Neil-K.", "O'Neil-K."),
        ] {
            assert_eq!(name(given, MAX_NICKNAME).unwrap(), read);
        }
        let wrong = [
            "",
            "   ",
            "<b>",
            "=1+1",
            "+1",
            "-a",
            "@a",
            "a\u{202e}b",
            "a\u{200b}b",
            "a\u{0}b",
            "a\nb;",
            "\u{2066}a",
            "a&b",
            "\"",
            "a\u{301}",
        ];
        for given in wrong.into_iter().chain([&*"a".repeat(21)]) {
            assert!(name(given, MAX_NICKNAME).is_err(), "{given:?}");
        }
        // The message shows an invisible character.
        assert!(name("a\u{202e}", MAX_NICKNAME).unwrap_err().0.contains("\\u{202e}"));
        assert!(is_same("Élodie", "éLODIE") && !is_same("Robin", "Robyn"));
    }

    #[test]
    fn a_code_is_read_as_people_type_it() {
        let drawn = drawn_code().unwrap();
        assert_eq!(drawn.len(), 9);
        assert_ne!(drawn, drawn_code().unwrap());
        for typed in
            [drawn.clone(), drawn.replace('-', ""), drawn.to_uppercase(), format!(" {} ", drawn.replace('-', " "))]
        {
            assert_eq!(code(&typed), drawn);
        }
        assert_eq!((&*code(""), &*code("é")), ("-", "-"));
    }
}
