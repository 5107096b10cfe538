//! `#[derive(Parameters)]` generates the defaults, the YAML form and the table from a struct's fields.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Expr, Field, Fields, LitStr, Result};

use crate::attributes::{ends, read_and_write_as_form, sentence};

/// The arguments of a field's attribute.
#[derive(Default)]
struct Options {
    name: Option<LitStr>,
    unit: Option<LitStr>,
    default: Option<Expr>,
    range: Option<(Expr, Expr)>,
    idle: Option<LitStr>,
    instead: Option<LitStr>,
    added: bool,
}

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "`Parameters` needs a struct with named fields"));
    };
    let fields = match &data.fields {
        Fields::Named(fields) => fields.named.iter().collect(),
        Fields::Unit => Vec::new(),
        Fields::Unnamed(_) => {
            return Err(Error::new_spanned(&input.ident, "`Parameters` needs a struct with named fields"));
        }
    };
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "`Parameters` allows no generics"));
    }
    let name = &input.ident;
    let doc = sentence(&input.attrs);
    let (text, default_path) = (name.to_string(), format!("{name}::default"));
    let (mut remote, mut defaults, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for field in fields {
        let options = options(field)?;
        let (ident, ty) = (&field.ident, &field.ty);
        let field_doc = sentence(&field.attrs);
        if field_doc.is_empty() {
            return Err(Error::new_spanned(
                field,
                "a parameter needs a description: write a sentence above it, `/// …`",
            ));
        }
        let yaml = yaml_name(field, &options);
        let default = options.default.map_or(quote!(::core::default::Default::default()), |value| quote!(#value));
        let range = match options.range {
            Some((low, high)) => quote!(::core::option::Option::Some((#low as f64, #high as f64))),
            None => quote!(::core::option::Option::None),
        };
        // The parameter is written only if it is set, so that older games keep their text and their fingerprint.
        let skip = options.added.then(|| quote!(#[serde(skip_serializing_if = "::core::option::Option::is_none")]));
        remote.push(quote!(#[serde(rename = #yaml)] #skip #ident: #ty));
        defaults.push(quote!(#ident: #default));
        let idle = idle(options.idle.as_ref(), options.instead.as_ref())?;
        rows.push(quote!(::farm_core::config::ParameterDoc::new(
            #yaml,
            #field_doc,
            <#ty as ::farm_core::config::ParameterValue>::kind(),
            #range,
            defaults.get(#yaml).cloned().unwrap_or_default(),
        ) #idle));
    }
    let read_and_write = read_and_write_as_form(name);
    Ok(quote! {
        impl ::core::default::Default for #name {
            fn default() -> Self {
                Self { #(#defaults),* }
            }
        }

        const _: () = {
            // `Form` serializes and deserializes the struct, so that the struct itself needs no serde attributes.
            #[derive(::farm_core::serde::Serialize, ::farm_core::serde::Deserialize)]
            #[serde(crate = "::farm_core::serde", remote = #text, default = #default_path, deny_unknown_fields)]
            struct Form { #(#remote),* }

            #read_and_write

            impl ::farm_core::config::Parameters for #name {
                const DOC: &'static str = #doc;

                fn table() -> ::std::vec::Vec<::farm_core::config::ParameterDoc> {
                    let defaults = ::farm_core::serde_yaml::to_value(Self::default()).unwrap_or_default();
                    ::std::vec![#(#rows),*]
                }
            }
        };
    })
}

/// The condition under which a parameter is not read, `PARAMETER: WORD`, and its replacement.
fn idle(when: Option<&LitStr>, instead: Option<&LitStr>) -> Result<TokenStream> {
    match (when, instead) {
        (None, None) => Ok(quote!()),
        (None, Some(instead)) => Err(Error::new_spanned(instead, "`instead` needs `idle`")),
        (Some(when), instead) => {
            let text = when.value();
            let message = "expected another parameter and its word, such as `idle = \"equations: paper\"`";
            let (parameter, word) = text.split_once(": ").ok_or_else(|| Error::new_spanned(when, message))?;
            let instead = instead.map(LitStr::value).unwrap_or_default();
            Ok(quote!(.idle_with(#parameter, #word, #instead)))
        }
    }
}

/// The YAML key, which is the given name, or the field's name with its unit.
fn yaml_name(field: &Field, options: &Options) -> String {
    let ident = field.ident.as_ref().map(|ident| ident.to_string()).unwrap_or_default();
    let ident = ident.trim_start_matches("r#");
    match (&options.name, &options.unit) {
        (Some(name), _) => name.value(),
        (None, Some(unit)) => format!("{ident}#{}", unit.value()),
        (None, None) => ident.to_owned(),
    }
}

fn options(field: &Field) -> Result<Options> {
    let mut options = Options::default();
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("parameter")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("name") {
                options.name = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("unit") {
                options.unit = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("default") {
                options.default = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("range") {
                options.range = Some(ends(meta.value()?.parse()?)?);
            } else if meta.path.is_ident("idle") {
                options.idle = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("instead") {
                options.instead = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("added") {
                options.added = true;
            } else {
                return Err(
                    meta.error("expected one of `name`, `unit`, `default`, `range`, `idle`, `instead`, `added`")
                );
            }
            Ok(())
        })?;
    }
    if let (Some(_), Some(unit)) = (&options.name, &options.unit) {
        return Err(Error::new_spanned(unit, "a `name` contains its unit after `#`: set either a name or a unit"));
    }
    Ok(options)
}
