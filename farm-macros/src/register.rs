//! `#[register]` adds a kind to typetag, which writes its parts, and to the registry, which reads and describes them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::{Error, Expr, ExprArray, Ident, ItemImpl, LitStr, Result, Type, parse_quote};

/// The part traits, whose names are also the names of the part types.
const PARTS: [&str; 5] = ["Entity", "Farmer", "Rule", "Score", "Policy"];

/// The attribute's arguments.
#[derive(Default)]
struct Options {
    entity: Option<Type>,
    runs_in: Vec<Expr>,
    pictures: Vec<Expr>,
    name: Option<LitStr>,
    doc: Option<Expr>,
    source: Option<Expr>,
    sets: Option<Expr>,
    open: Option<Expr>,
}

pub(crate) fn expand(arguments: TokenStream, implementation: &ItemImpl) -> Result<TokenStream> {
    let options = options(arguments)?;
    let of_trait = trait_of(implementation)?;
    let Some(entity) = &options.entity else {
        if PARTS.iter().all(|part| of_trait != part) {
            return Err(Error::new_spanned(
                of_trait,
                "write this on the implementation of a part (`impl Entity for …`, or Farmer, Rule, Score or Policy), \
                 or on the implementation of a behaviour, with its entity: `#[register(entity = Kind, source = \"…\")]`",
            ));
        }
        if let Some(phase) = options.runs_in.first() {
            return Err(Error::new_spanned(phase, "set the phases of the part in `declare`: `d.runs_in(…)`"));
        }
        if let Some(picture) = options.pictures.first() {
            return Err(Error::new_spanned(picture, "set the picture of the part in `declare`: `d.picture(…)`"));
        }
        return kind(&options, of_trait, &implementation.self_ty, implementation);
    };
    if of_trait != "Behaviour" {
        return Err(Error::new_spanned(of_trait, "an entity needs a behaviour: `impl Behaviour for …`"));
    }
    let (behaviour, phases, pictures) = (&implementation.self_ty, &options.runs_in, &options.pictures);
    let declared: ItemImpl = parse_quote! {
        impl ::farm_core::Entity for #entity {
            fn declare(&self, d: &mut ::farm_core::Declarations<'_>) -> ::farm_core::Bind<'_, dyn ::farm_core::Behaviour> {
                #(d.runs_in(#phases);)*
                let declared = <#behaviour as ::farm_core::Columns<#entity>>::declare(d, self);
                #(d.picture(#pictures);)*
                ::farm_core::Bind::new(move |found| declared.bind(found))
            }
        }
    };
    let kind = kind(&options, &parse_quote!(Entity), entity, &declared)?;
    Ok(quote!(#implementation #kind))
}

/// The kind for the part `this`, from its `implementation`.
fn kind(options: &Options, part: &Ident, this: &Type, implementation: &ItemImpl) -> Result<TokenStream> {
    let name = match &options.name {
        Some(name) => name.value(),
        None => type_name(this)?.to_string(),
    };
    let Some(source) = &options.source else {
        return Err(Error::new_spanned(
            this,
            "a kind needs its source: `#[register(source = \"a paper, a standard, your own design\")]`",
        ));
    };
    let doc = match &options.doc {
        Some(doc) => quote!(#doc),
        None => quote!(<#this as ::farm_core::config::Parameters>::DOC),
    };
    let open = match &options.open {
        Some(open) => quote!(::core::option::Option::Some(#open)),
        None => quote!(::core::option::Option::None),
    };
    let sets = options.sets.as_ref().map_or(quote!(""), |sets| quote!(#sets));
    Ok(quote! {
        const _: () = {
            // The code that `typetag` generates uses this name.
            use ::farm_core::typetag;

            #[typetag::serialize(name = #name)]
            #implementation
        };

        ::farm_core::inventory::submit! {
            ::farm_core::registry::Kind::new(
                ::farm_core::config::PartKind::#part,
                #name,
                #source,
                ::core::module_path!(),
                ::farm_core::registry::KindSource::Linked {
                    table: <#this as ::farm_core::config::Parameters>::table,
                    read: |parameters| ::core::result::Result::Ok(::farm_core::registry::AnyPart::#part(
                        ::std::boxed::Box::new(::farm_core::serde_yaml::from_value::<#this>(parameters)?),
                    )),
                },
            )
            .with_doc(#doc)
            .with_sets(#sets)
            .with_open(#open)
        }
    })
}

fn trait_of(implementation: &ItemImpl) -> Result<&Ident> {
    let path = implementation.trait_.as_ref().map(|(path, _)| path);
    let ident = path.and_then(|path| path.segments.last()).map(|segment| &segment.ident);
    ident.ok_or_else(|| Error::new_spanned(&implementation.self_ty, "write this on the implementation of a trait"))
}

fn type_name(this: &Type) -> Result<&Ident> {
    let path = if let Type::Path(path) = this { path.path.segments.last() } else { None };
    path.map(|segment| &segment.ident).ok_or_else(|| Error::new_spanned(this, "a kind must be a struct with a name"))
}

fn options(arguments: TokenStream) -> Result<Options> {
    let mut options = Options::default();
    let parser = syn::meta::parser(|meta| {
        let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match key.as_str() {
            "entity" => options.entity = Some(meta.value()?.parse()?),
            "name" => options.name = Some(meta.value()?.parse()?),
            "runs_in" => options.runs_in = one_or_more(meta.value()?.parse()?),
            "picture" => options.pictures = one_or_more(meta.value()?.parse()?),
            "doc" => options.doc = Some(meta.value()?.parse()?),
            "source" => options.source = Some(meta.value()?.parse()?),
            "sets" => options.sets = Some(meta.value()?.parse()?),
            "open" => options.open = Some(meta.value()?.parse()?),
            _ => {
                return Err(meta.error(
                    "expected one of `source`, `sets`, `doc`, `name`, `open`, and on a behaviour `entity`, `runs_in`, `picture`",
                ));
            }
        }
        Ok(())
    });
    parser.parse2(arguments)?;
    Ok(options)
}

/// The expressions of an array, or one expression.
fn one_or_more(value: Expr) -> Vec<Expr> {
    match value {
        Expr::Array(ExprArray { elems, .. }) => elems.into_iter().collect(),
        value => vec![value],
    }
}
