//! `#[derive(Getters)]` creates a method for each field that only its own crate may change but all code may read.
//!
//! For a `pub(crate)` field, the derive creates a method with the field's name and documentation. Strings, lists and the contents of boxes
//! are borrowed (`&str`, `&[T]`, `&T`), even inside an option. Numbers and shared references are copied.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Data, DeriveInput, Error, Field, GenericArgument, Ident, PathArguments, PathSegment, Result, Type, Visibility,
};

/// The arguments of `#[getter(…)]`.
#[derive(Default)]
struct Options {
    /// The method's name, if it differs from the field's name.
    name: Option<Ident>,
    /// Whether the type is copied, although its name does not show this.
    is_copied: bool,
    /// Whether the field has no getter.
    is_skipped: bool,
}

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "`Getters` needs a struct"));
    };
    let (name, (generics, arguments, bounds)) = (&input.ident, input.generics.split_for_impl());
    let fields = data.fields.iter().filter(|field| matches!(field.vis, Visibility::Restricted(_)));
    let getters = fields.map(getter).collect::<Result<Vec<_>>>()?;
    Ok(quote! {
        impl #generics #name #arguments #bounds {
            #(#getters)*
        }
    })
}

fn getter(field: &Field) -> Result<TokenStream> {
    let options = options(field)?;
    if options.is_skipped {
        return Ok(TokenStream::new());
    }
    let (ident, ty) = (&field.ident, &field.ty);
    let docs = field.attrs.iter().filter(|attribute| attribute.path().is_ident("doc"));
    let name = options.name.as_ref().or(ident.as_ref());
    let (returned, value) = match option(ty) {
        _ if options.is_copied || is_copy(ty) => (quote!(#ty), quote!(self.#ident)),
        Some(inner) => match target(inner) {
            Some(target) => (quote!(::core::option::Option<&#target>), quote!(self.#ident.as_deref())),
            None => (quote!(::core::option::Option<&#inner>), quote!(self.#ident.as_ref())),
        },
        None => match target(ty) {
            Some(target) => (quote!(&#target), quote!(::core::ops::Deref::deref(&self.#ident))),
            None => (quote!(&#ty), quote!(&self.#ident)),
        },
    };
    Ok(quote! {
        #(#docs)*
        #[inline]
        pub fn #name(&self) -> #returned {
            #value
        }
    })
}

fn options(field: &Field) -> Result<Options> {
    let mut options = Options::default();
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("getter")) {
        attribute.parse_nested_meta(|meta| {
            match meta.path.get_ident().map(ToString::to_string).as_deref() {
                Some("name") => options.name = Some(meta.value()?.parse()?),
                Some("copy") => options.is_copied = true,
                Some("skip") => options.is_skipped = true,
                _ => return Err(meta.error("expected `name = …`, `copy` or `skip`")),
            }
            Ok(())
        })?;
    }
    Ok(options)
}

/// The last segment of a path, such as `Vec<u8>` in `std::vec::Vec<u8>`.
fn last(ty: &Type) -> Option<&PathSegment> {
    if let Type::Path(path) = ty { path.path.segments.last() } else { None }
}

/// The type between the angle brackets.
fn inner(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    arguments.args.iter().find_map(|argument| if let GenericArgument::Type(ty) = argument { Some(ty) } else { None })
}

fn option(ty: &Type) -> Option<&Type> {
    last(ty).filter(|segment| segment.ident == "Option").and_then(inner)
}

const NUMBERS: [&str; 13] =
    ["bool", "char", "u8", "u16", "u32", "u64", "usize", "i8", "i16", "i32", "i64", "f32", "f64"];

/// Whether the type is copied. Copied types are numbers, shared references, and tuples, arrays and options of these.
fn is_copy(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_none(),
        Type::Tuple(tuple) => tuple.elems.iter().all(is_copy),
        Type::Array(array) => is_copy(&array.elem),
        _ => option(ty).is_some_and(is_copy) || last(ty).is_some_and(|last| NUMBERS.iter().any(|n| last.ident == n)),
    }
}

/// The type to which a reference to this type is automatically converted, if there is one.
fn target(ty: &Type) -> Option<Type> {
    let segment = last(ty)?;
    match (segment.ident.to_string().as_str(), inner(segment)) {
        ("String", _) => Some(syn::parse_quote!(str)),
        ("PathBuf", _) => Some(syn::parse_quote!(::std::path::Path)),
        ("Vec", Some(inner)) => Some(syn::parse_quote!([#inner])),
        ("Box" | "Arc", Some(inner)) => Some(target(inner).unwrap_or_else(|| inner.clone())),
        _ => None,
    }
}
