//! `#[register]`: gives a kind to typetag, which writes it, and to the registry, which reads and describes it.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::{Error, Expr, Ident, ItemImpl, LitStr, Result, Type};

/// The traits of parts, which are also the names of the sorts.
const PARTS: [&str; 5] = ["Entity", "Farmer", "Rule", "Score", "Policy"];

/// What the attribute says.
#[derive(Default)]
struct Options {
    name: Option<LitStr>,
    doc: Option<Expr>,
    source: Option<Expr>,
    sets: Option<Expr>,
    open: Option<Expr>,
}

pub(crate) fn expand(arguments: TokenStream, implementation: &ItemImpl) -> Result<TokenStream> {
    let options = options(arguments)?;
    let part = part(implementation)?;
    let this = &implementation.self_ty;
    let name = match options.name {
        Some(name) => name.value(),
        None => type_name(this)?.to_string(),
    };
    let Some(source) = options.source else {
        return Err(Error::new_spanned(
            this,
            "a kind says where it comes from: `#[register(source = \"a paper, a standard, your own design\")]`",
        ));
    };
    let doc = options.doc.map_or(quote!(<#this as ::farm_core::config::Parameters>::DOC), |doc| quote!(#doc));
    let open =
        options.open.map_or(quote!(::core::option::Option::None), |open| quote!(::core::option::Option::Some(#open)));
    let sets = options.sets.map_or(quote!(""), |sets| quote!(#sets));
    Ok(quote! {
        const _: () = {
            // `typetag` names itself by this name.
            use ::farm_core::typetag;

            #[typetag::serde(name = #name)]
            #implementation
        };

        ::farm_core::inventory::submit! {
            ::farm_core::registry::Kind {
                part: ::farm_core::config::PartKind::#part,
                name: #name,
                doc: #doc,
                source: #source,
                sets: #sets,
                open: #open,
                module: ::core::module_path!(),
                from: ::farm_core::registry::KindSource::Linked {
                    table: <#this as ::farm_core::config::Parameters>::table,
                    read: |parameters| ::core::result::Result::Ok(::farm_core::registry::AnyPart::#part(
                        ::std::boxed::Box::new(::farm_core::serde_yaml::from_value::<#this>(parameters)?),
                    )),
                },
            }
        }
    })
}

/// The sort of part, which is the trait's name.
fn part(implementation: &ItemImpl) -> Result<&Ident> {
    let message = "this stands on the implementation of a part: `impl Entity for …`, of Farmer, Rule, Score or Policy";
    let path = implementation.trait_.as_ref().map(|(_, path, _)| path);
    let ident = path.and_then(|path| path.segments.last()).map(|segment| &segment.ident);
    ident
        .filter(|ident| PARTS.iter().any(|part| ident == part))
        .ok_or_else(|| Error::new_spanned(&implementation.self_ty, message))
}

fn type_name(this: &Type) -> Result<&Ident> {
    let path = if let Type::Path(path) = this { path.path.segments.last() } else { None };
    path.map(|segment| &segment.ident).ok_or_else(|| Error::new_spanned(this, "a kind is a struct with a name"))
}

fn options(arguments: TokenStream) -> Result<Options> {
    let mut options = Options::default();
    let parser = syn::meta::parser(|meta| {
        if meta.path.is_ident("name") {
            options.name = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("doc") {
            options.doc = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("source") {
            options.source = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("sets") {
            options.sets = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("open") {
            options.open = Some(meta.value()?.parse()?);
        } else {
            return Err(meta.error("expected one of `source`, `sets`, `doc`, `name`, `open`"));
        }
        Ok(())
    });
    parser.parse2(arguments)?;
    Ok(options)
}
