//! Code that the macros share. It handles doc comments as one sentence, ranges with two ends, and a type's serde form.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Error, Expr, ExprLit, ExprRange, Ident, Lit, Meta, RangeLimits, Result};

/// The two ends of `LOW..=HIGH`. Both ends are allowed values.
pub(crate) fn ends(range: ExprRange) -> Result<(Expr, Expr)> {
    match range {
        ExprRange { start: Some(low), end: Some(high), limits: RangeLimits::Closed(_), .. } => Ok((*low, *high)),
        range => Err(Error::new_spanned(range, "a range needs both ends, and both are allowed values: `0.0..=1.0`")),
    }
}

/// The first paragraph of a doc comment, on one line.
pub(crate) fn sentence(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter(|attribute| attribute.path().is_ident("doc")).filter_map(|attribute| {
        let Meta::NameValue(pair) = &attribute.meta else { return None };
        let Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) = &pair.value else { return None };
        Some(text.value().trim().to_owned())
    });
    let paragraph: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    paragraph.join(" ")
}

/// Serializes and deserializes a type through a companion type `Form`, which has the serde attributes.
pub(crate) fn read_and_write_as_form(name: &Ident) -> TokenStream {
    quote! {
        impl ::farm_core::serde::Serialize for #name {
            fn serialize<S: ::farm_core::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                Form::serialize(self, serializer)
            }
        }

        impl<'de> ::farm_core::serde::Deserialize<'de> for #name {
            fn deserialize<D: ::farm_core::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::core::result::Result<Self, D::Error> {
                Form::deserialize(deserializer)
            }
        }
    }
}
