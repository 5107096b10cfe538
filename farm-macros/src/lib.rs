#![doc = include_str!("../README.md")]

mod attributes;
mod choice;
mod columns;
mod equation;
mod getters;
mod parameters;
mod register;

use proc_macro::TokenStream;

/// Declares a part's parameters; see `farm_core::Parameters`.
#[proc_macro_derive(Parameters, attributes(parameter))]
pub fn parameters(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    parameters::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Declares the words that a parameter accepts; see `farm_core::Choice`.
#[proc_macro_derive(Choice, attributes(choice))]
pub fn choice(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    choice::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Declares a part's data and the providers that it uses; see `farm_core::Columns`.
#[proc_macro_derive(
    Columns,
    attributes(
        columns, real, count, category, flag, action, event, event_with, one, maybe, all, stream, with, nested, bind
    )
)]
pub fn columns(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    columns::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes fields readable that only their own crate may change. Each `pub(crate)` field gets a method with the field's name and
/// documentation. This derive is for farm-core itself.
///
/// The `getter` attribute has these arguments:
/// - `name = …`: the method's name, if another method already has the field's name.
/// - `copy`: the type is copied, although its name does not show this.
/// - `skip`: the field has no method.
#[proc_macro_derive(Getters, attributes(getter))]
pub fn getters(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    getters::expand(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Registers a kind of part. Place it on the `impl` of the part's trait; see `farm_core::register`.
#[proc_macro_attribute]
pub fn register(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let implementation = syn::parse_macro_input!(item as syn::ItemImpl);
    register::expand(arguments.into(), &implementation).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Adds a function to the index of equations; see `farm_core::equation`.
#[proc_macro_attribute]
pub fn equation(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let function = syn::parse_macro_input!(item as syn::ItemFn);
    equation::expand(arguments.into(), function).unwrap_or_else(syn::Error::into_compile_error).into()
}
