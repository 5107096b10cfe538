//! The derives and attributes with which parts are declared. farm-core exports them and documents them by examples that run:
//! nobody needs to name this crate.

mod attributes;
mod choice;
mod columns;
mod getters;
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

/// Lets others read the fields that a crate alone may change: a method for each `pub(crate)` field, which has the field's name and
/// documentation. For farm-core itself.
///
/// Of the attribute `getter`, `name = …` is the method's name where a method has the field's, `copy` says that the type is copied
/// where that can't be seen from its name, and `skip` that there is none.
#[proc_macro_derive(Getters, attributes(getter))]
pub fn getters(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    getters::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Registers a kind of part, on the implementation of its trait: see `farm_core::register`.
#[proc_macro_attribute]
pub fn register(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let implementation = syn::parse_macro_input!(item as syn::ItemImpl);
    register::expand(arguments.into(), &implementation).unwrap_or_else(syn::Error::into_compile_error).into()
}
