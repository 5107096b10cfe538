//! `#[derive(Choice)]` turns an enum into the words that a parameter accepts.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, LitStr, Result, Variant};

use crate::attributes::{read_and_write_as_form, sentence};

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a choice must be an enum with one variant for each word"));
    };
    let Some(first) = data.variants.first().map(|variant| &variant.ident) else {
        return Err(Error::new_spanned(&input.ident, "a choice needs at least one word"));
    };
    let name = &input.ident;
    let text = name.to_string();
    let words = data.variants.iter().map(word).collect::<Result<Vec<LitStr>>>()?;
    let variants: Vec<_> = data.variants.iter().map(|variant| &variant.ident).collect();
    let read_and_write = read_and_write_as_form(name);
    Ok(quote! {
        impl ::core::default::Default for #name {
            fn default() -> Self {
                Self::#first
            }
        }

        const _: () = {
            // `Form` serializes and deserializes the enum, so that the enum itself needs no serde attributes.
            #[derive(::farm_core::serde::Serialize, ::farm_core::serde::Deserialize)]
            #[serde(crate = "::farm_core::serde", remote = #text)]
            enum Form { #(#[serde(rename = #words)] #variants),* }

            #read_and_write

            impl ::farm_core::config::ParameterValue for #name {
                fn kind() -> ::farm_core::config::ParameterKind {
                    ::farm_core::config::ParameterKind::Choice(&[#(#words),*])
                }
            }
        };
    })
}

/// The word for a variant, which is the word in `#[choice("word")]` or the variant's name in snake_case.
fn word(variant: &Variant) -> Result<LitStr> {
    if sentence(&variant.attrs).is_empty() {
        return Err(Error::new_spanned(variant, "a choice needs a description: write a sentence above it, `/// …`"));
    }
    if !variant.fields.is_empty() {
        return Err(Error::new_spanned(variant, "a choice is a word and must have no fields"));
    }
    if let Some(attribute) = variant.attrs.iter().find(|attribute| attribute.path().is_ident("choice")) {
        return attribute.parse_args();
    }
    let mut word = String::new();
    for (i, letter) in variant.ident.to_string().chars().enumerate() {
        if letter.is_uppercase() && i > 0 {
            word.push('_');
        }
        word.extend(letter.to_lowercase());
    }
    Ok(LitStr::new(&word, variant.ident.span()))
}
