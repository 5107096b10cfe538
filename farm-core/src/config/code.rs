//! A problem's code, which identifies the kind of error. The code stays the same when the message changes.
//!
//! Each area of the project declares its codes in one enum, with [`codes!`](crate::codes). Programs compare codes; messages are for
//! readers.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{PoisonError, RwLock};

/// The kind of error that a problem reports, identified by its code.
#[derive(Clone, Copy)]
pub struct Code(&'static CodeInfo);

/// A code's name and explanation.
#[derive(Debug, farm_macros::Getters)]
pub struct CodeInfo {
    /// The code's name, in lower-case words with hyphens, such as `unknown-parameter`. A plugin's code starts with the plugin's name:
    /// `slugs::no-leaf`.
    pub(crate) name: &'static str,
    /// A sentence that states the error. After an empty line, the text explains why it is an error and how to fix it.
    pub(crate) doc: &'static str,
}

/// The codes of one area.
#[derive(Debug, farm_macros::Getters)]
pub struct CodeArea {
    /// The area's name, such as `parameters`.
    pub(crate) name: &'static str,
    /// What the area's problems are about, in one sentence.
    pub(crate) doc: &'static str,
    /// The area's codes, in declaration order.
    pub(crate) codes: &'static [CodeInfo],
    /// The module that declares the area. The path starts with the crate's name.
    pub(crate) module: &'static str,
}

inventory::collect!(CodeArea);

impl CodeArea {
    /// Creates the area for a module's codes. Used by [`codes!`](crate::codes).
    pub const fn new(name: &'static str, doc: &'static str, codes: &'static [CodeInfo], module: &'static str) -> Self {
        Self { name, doc, codes, module }
    }
}

/// The areas declared by the loaded plugins, in loading order.
static LOADED: RwLock<Vec<&'static CodeArea>> = RwLock::new(Vec::new());

impl Code {
    /// The code for a declaration.
    pub const fn new(info: &'static CodeInfo) -> Self {
        Self(info)
    }

    /// The code's name, such as `unknown-parameter`.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// A sentence that states the error.
    pub fn sentence(self) -> String {
        self.0.sentence()
    }

    /// Why it is an error and how to fix it; empty if the sentence is sufficient.
    pub fn reason(self) -> String {
        self.0.reason()
    }
}

impl CodeInfo {
    /// Creates a code from its name and explanation. Used by [`codes!`](crate::codes).
    pub const fn new(name: &'static str, doc: &'static str) -> Self {
        Self { name, doc }
    }

    /// A sentence that states the error.
    pub fn sentence(&self) -> String {
        joined(self.doc.split("\n\n").next().unwrap_or_default())
    }

    /// Why it is an error and how to fix it; empty if the sentence is sufficient.
    pub fn reason(&self) -> String {
        self.doc.split_once("\n\n").map_or_else(String::new, |(_, reason)| joined(reason))
    }
}

/// Joins the lines of a doc comment.
fn joined(lines: &str) -> String {
    lines.split_whitespace().collect::<Vec<_>>().join(" ")
}

// A plugin has its own copy of a declaration. The comparison therefore uses names, not addresses.
impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Code {}

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// All areas: first the engine's areas, then the other areas by name.
pub fn code_areas() -> Vec<&'static CodeArea> {
    let mut areas: Vec<&CodeArea> = inventory::iter::<CodeArea>.into_iter().collect();
    areas.extend(LOADED.read().unwrap_or_else(PoisonError::into_inner).iter());
    let own = |area: &CodeArea| !area.module.starts_with("farm_core");
    areas.sort_by_key(|area| (own(area), area.name));
    areas
}

/// The code with this name.
pub fn code(name: &str) -> Option<Code> {
    code_areas().into_iter().flat_map(|area| area.codes).find(|info| info.name == name).map(Code)
}

/// Adds a plugin's code areas.
pub(crate) fn add_code_areas(areas: &[&'static CodeArea]) {
    LOADED.write().unwrap_or_else(PoisonError::into_inner).extend(areas);
}

/// Whether `name` is valid for a code: words of lower-case letters and digits, joined by hyphens, optionally after a plugin's name.
pub const fn is_code(name: &str) -> bool {
    let bytes = name.as_bytes();
    let (mut i, mut before) = (0, b'-');
    while i < bytes.len() {
        let is_sound = match bytes[i] {
            b'a'..=b'z' | b'0'..=b'9' | b'_' => true,
            b'-' => before != b'-' && before != b':',
            b':' => before != b'-' && i > 0,
            _ => false,
        };
        if !is_sound {
            return false;
        }
        before = bytes[i];
        i += 1;
    }
    before != b'-' && before != b':'
}

/// Declares an area's codes: `codes! { /// What they are about. pub enum SlugError: "slugs" { /// A sentence. NoLeaf = "slugs::no-leaf", }
/// }`.
///
/// `farm explain` prints a code's doc comment: one sentence, an empty line, and why it is an error. Outside this project, a code's name
/// starts with its crate's name. The enum converts into a [`Code`](crate::config::Code).
#[macro_export]
macro_rules! codes {
    (
        $(#[doc = $area_doc:literal])+
        $visibility:vis enum $name:ident: $area:literal {
            $( $(#[doc = $doc:literal])+ $variant:ident = $code:literal, )+
        }
    ) => {
        $(#[doc = $area_doc])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        $visibility enum $name {
            $(
                $(#[doc = $doc])+
                #[doc = ""]
                #[doc = concat!("The code `", $code, "`.")]
                $variant,
            )+
        }

        impl $name {
            const CODES: &'static [$crate::config::CodeInfo] = &[
                $( $crate::config::CodeInfo::new($code, concat!($($doc, "\n"),+)), )+
            ];
        }

        impl From<$name> for $crate::config::Code {
            fn from(code: $name) -> Self {
                Self::new(&$name::CODES[code as usize])
            }
        }

        const _: () = { $( assert!($crate::config::is_code($code), "a code is written `like-this`"); )+ };

        $crate::inventory::submit! {
            $crate::config::CodeArea::new($area, concat!($($area_doc),+), $name::CODES, module_path!())
        }
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::config::{NameError, YamlError};

    #[test]
    fn a_code_is_its_name() {
        let code = Code::from(YamlError::DuplicateKey);
        assert_eq!(code.name(), "duplicate-key");
        assert_eq!(super::code("duplicate-key"), Some(code));
        assert_ne!(code, NameError::UnknownPart.into());
        static COPY: CodeInfo = CodeInfo { name: "duplicate-key", doc: "In another place." };
        assert_eq!(code, Code::new(&COPY));
        assert!(super::code("duplicate").is_none());
    }

    #[test]
    fn a_doc_comment_is_a_sentence_and_its_reason() {
        static INFO: CodeInfo = CodeInfo { name: "x", doc: " It is\n wrong.\n\n Do\n it right.\n" };
        assert_eq!(Code::new(&INFO).sentence(), "It is wrong.");
        assert_eq!(Code::new(&INFO).reason(), "Do it right.");
        static SHORT: CodeInfo = CodeInfo { name: "x", doc: " It is wrong.\n" };
        assert_eq!(Code::new(&SHORT).reason(), "");
    }

    #[test]
    fn names_are_words_with_hyphens() {
        for good in ["a", "unknown-key", "not-utf8", "slugs::no-leaf", "my_slugs::no-leaf"] {
            assert!(is_code(good), "{good}");
        }
        for bad in ["", "-a", "a-", "a--b", "A", "a b", "slugs::", "::a", "slugs::-a", "a\u{e9}"] {
            assert!(!is_code(bad), "{bad}");
        }
    }

    #[test]
    fn names_are_unique_in_the_engine() {
        let mut seen = BTreeSet::new();
        for info in code_areas().iter().flat_map(|area| area.codes) {
            assert!(seen.insert(info.name), "{} is declared twice", info.name);
            let sentence = info.sentence();
            assert!(sentence.ends_with('.') && sentence.len() > 12, "{}: {sentence}", info.name);
        }
        assert!(seen.len() > 60, "{}", seen.len());
    }
}
