//! `#[equation("23")]` adds a function to the index of equations. The function itself does not change.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Error, ItemFn, LitStr, Result, Token, parse_quote};

pub(crate) fn expand(arguments: TokenStream, mut function: ItemFn) -> Result<TokenStream> {
    let equations = Punctuated::<LitStr, Token![,]>::parse_terminated.parse2(arguments)?;
    let name = &function.sig.ident;
    if equations.is_empty() {
        return Err(Error::new_spanned(name, "name the equations: `#[equation(\"23\")]`"));
    }
    let text = name.to_string();
    let submitted = parse_quote! {
        ::farm_core::inventory::submit! {
            ::farm_core::registry::Equation::new(&[#equations], #text, ::core::file!(), ::core::line!())
        }
    };
    function.block.stmts.insert(0, submitted);
    Ok(quote!(#function))
}
