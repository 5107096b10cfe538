//! What the macros share: documentation as a sentence, ranges of two ends.

use syn::{Attribute, Error, Expr, ExprLit, ExprRange, Lit, Meta, RangeLimits, Result};

/// The ends of `LOW..=HIGH`, both of them allowed values.
pub(crate) fn ends(range: ExprRange) -> Result<(Expr, Expr)> {
    match range {
        ExprRange { start: Some(low), end: Some(high), limits: RangeLimits::Closed(_), .. } => Ok((*low, *high)),
        range => Err(Error::new_spanned(range, "a range has both ends, which are allowed values: `0.0..=1.0`")),
    }
}

/// The first paragraph of a doc comment, in one line.
pub(crate) fn sentence(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).filter_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else { return None };
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else { return None };
        Some(text.value().trim().to_owned())
    });
    let paragraph: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    paragraph.join(" ")
}
