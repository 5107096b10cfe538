//! The derives and attributes with which parts are declared. farm-core exports them and documents them by examples that run:
//! nobody needs to name this crate.

mod attributes;
mod choice;
mod columns;
mod parameters;
mod register;

use proc_macro::TokenStream;

/// Declares the parameters of a part: see `farm_core::Parameters`.
#[proc_macro_derive(Parameters, attributes(parameter))]
pub fn parameters(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    parameters::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Declares the words that a parameter may take: see `farm_core::Choice`.
#[proc_macro_derive(Choice, attributes(choice))]
pub fn choice(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    choice::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Declares what a part keeps and whom it asks: see `farm_core::Columns`.
#[proc_macro_derive(Columns, attributes(columns, real, count, category, flag, event, one, maybe, all, stream, with))]
pub fn columns(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    columns::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Registers a kind of part, on the implementation of its trait: see `farm_core::register`.
#[proc_macro_attribute]
pub fn register(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let implementation = syn::parse_macro_input!(item as syn::ItemImpl);
    register::expand(arguments.into(), &implementation).unwrap_or_else(syn::Error::into_compile_error).into()
}
