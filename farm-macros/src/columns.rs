//! `#[derive(Columns)]` reads a part's data, the providers that it uses and the events that it emits from a struct's fields.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::meta::ParseNestedMeta;
use syn::parse::ParseStream;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, ExprLit, Field, Fields, GenericArgument, Ident, Lit, LitStr, Meta,
    PathArguments, Result, Token, Type,
};

use crate::attributes::{ends, sentence};

/// The attributes that declare a field's type.
const SORTS: [&str; 14] = [
    "real",
    "count",
    "category",
    "flag",
    "action",
    "event",
    "event_with",
    "one",
    "maybe",
    "all",
    "stream",
    "with",
    "nested",
    "bind",
];

/// The arguments of the attribute for a variable, an action or an event.
#[derive(Default)]
struct Options {
    when: Option<Expr>,
    each: Option<Expr>,
    name: Option<Expr>,
    doc: Option<Expr>,
    unit: Option<LitStr>,
    range: Option<(Expr, Expr)>,
    names: Option<Expr>,
    kind: Option<Expr>,
    shape: Option<Expr>,
    default: Option<Expr>,
    roles: Vec<Expr>,
    per_step: Option<Expr>,
    parameters: Option<Expr>,
    usual: Option<Expr>,
    synonyms: Option<Expr>,
    done: Option<Expr>,
    badge: Option<Expr>,
    without_effect: Option<Expr>,
    on_soil: bool,
    per_plot: bool,
    hidden: bool,
}

pub(crate) fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let message = "`Columns` needs a struct with named fields";
    let Data::Struct(data) = &input.data else { return Err(Error::new_spanned(&input.ident, message)) };
    let Fields::Named(fields) = &data.fields else { return Err(Error::new_spanned(&input.ident, message)) };
    let (mut declared, mut bound, mut given, mut own) = (Vec::new(), Vec::new(), None, Vec::new());
    for field in &fields.named {
        let name = &field.ident;
        let mut sorts = field.attrs.iter().filter(|attribute| SORTS.iter().any(|sort| attribute.path().is_ident(sort)));
        let Some(attribute) = sorts.next() else {
            if given.replace(field).is_some() {
                let help = "only one field may have no attribute (the value passed in); every other field needs one of \
                    `#[real]`, `#[count]`, `#[category]`, `#[flag]`, `#[action]`, `#[event]`, `#[event_with]`, `#[one]`, `#[maybe]`, `#[all]`, \
                    `#[stream]`, `#[with]`, `#[nested]`, `#[bind]`";
                return Err(Error::new_spanned(field, help));
            }
            let ty = &field.ty;
            declared.push(Declared { field, value: quote!(), ty: quote!(#ty) });
            continue;
        };
        if let Some(second) = sorts.next() {
            return Err(Error::new_spanned(second, "a field may have only one of these attributes"));
        }
        let sort = attribute.path().get_ident().map(ToString::to_string).unwrap_or_default();
        if let Some(number) = number_of(&sort) {
            own.push((field, number));
        }
        if sort == "bind" {
            let value: Expr = attribute.parse_args()?;
            bound.push(quote!(let #name = #value;));
            continue;
        }
        let ty = token_type(field, attribute, &sort)?;
        let value = value(field, attribute, &sort)?;
        declared.push(Declared { field, value: quote!(let #name: #ty = #value;), ty });
        match (sort.as_str(), &field.ty) {
            ("with" | "stream" | "action", _) => {}
            ("maybe" | "all", _) if role(attribute)?.when.is_some() => {
                // Without its condition, nothing is found.
                let none = if sort == "all" { quote!(.unwrap_or_default()) } else { quote!(.flatten()) };
                bound.push(quote!(let #name = found.get(#name) #none;));
            }
            ("nested", ty) => bound.push(quote!(let #name = <#ty as ::farm_core::Bound>::bind(#name, found);)),
            _ => bound.push(quote!(let #name = found.get(#name);)),
        }
    }
    let (this, visibility) = (&input.ident, &input.vis);
    let declaration = format_ident!("Declared{this}");
    // The expressions on other fields refer to the passed value by its field's name.
    let (generics, of, handed) = match given {
        Some(field) => {
            let (name, ty) = (&field.ident, &field.ty);
            (quote!(), quote!(#ty), quote!(let #name: #ty = ::core::clone::Clone::clone(given);))
        }
        None => (quote!(<Given>), quote!(Given), quote!(let _ = given;)),
    };
    let view = view(input, &own)?;
    let values = declared.iter().map(|declared| &declared.value);
    let names: Vec<_> = declared.iter().map(|declared| &declared.field.ident).collect();
    let visibilities = declared.iter().map(|declared| &declared.field.vis);
    let types = declared.iter().map(|declared| &declared.ty);
    let all = fields.named.iter().map(|field| &field.ident);
    let doc = format!("What [`{this}`] is made of, before the game is complete.");
    Ok(quote! {
        #[doc = #doc]
        #visibility struct #declaration { #(#visibilities #names: #types),* }

        impl ::farm_core::Bound for #this {
            type Declared = #declaration;

            fn bind(declared: #declaration, found: &mut ::farm_core::Found<'_>) -> Self {
                let #declaration { #(#names),* } = declared;
                let _ = &found;
                #(#bound)*
                Self { #(#all),* }
            }
        }

        impl #declaration {
            /// Exchanges the tokens for columns.
            #[allow(dead_code, reason = "`register` binds the columns by the trait")]
            #visibility fn bind(self, found: &mut ::farm_core::Found<'_>) -> #this {
                ::farm_core::Bound::bind(self, found)
            }
        }

        impl #generics ::farm_core::Columns<#of> for #this {
            fn declare(d: &mut ::farm_core::Declarations<'_>, given: &#of) -> #declaration {
                let _ = &d;
                #handed
                #(#values)*
                #declaration { #(#names),* }
            }
        }

        #view
    })
}

/// A field that is declared, and its type before the game is complete.
struct Declared<'f> {
    field: &'f Field,
    value: TokenStream,
    ty: TokenStream,
}

/// The type of a field before the game is complete.
fn token_type(field: &Field, attribute: &Attribute, sort: &str) -> Result<TokenStream> {
    let ty = &field.ty;
    let token = |token: &str, number: TokenStream| {
        let token = format_ident!("{token}");
        quote!(::farm_core::declare::#token<#number>)
    };
    if let Some(number) = number_of(sort) {
        let own = token("Own", number);
        let options = options(attribute)?;
        return Ok(match (&options.each, ty, &options.when) {
            (Some(_), Type::Array(array), _) => {
                let len = &array.len;
                quote!([#own; #len])
            }
            (Some(_), ty, _) if is_list(ty) => quote!(::std::vec::Vec<#own>),
            (_, _, Some(_)) => quote!(::core::option::Option<#own>),
            _ => own,
        });
    }
    Ok(match sort {
        "event" | "event_with" => quote!(::farm_core::declare::OwnEvent),
        "nested" => quote!(<#ty as ::farm_core::Bound>::Declared),
        "one" | "maybe" | "all" => {
            let Some(number) = number_in(ty) else {
                return Err(Error::new_spanned(ty, "a role needs a `Column`, an `Option<Column>` or a `Vec<Column>`"));
            };
            let role = match sort {
                "one" => token("One", number),
                "maybe" => token("Maybe", number),
                _ => token("All", number),
            };
            match ty {
                Type::Array(array) => {
                    let len = &array.len;
                    quote!([#role; #len])
                }
                _ if self::role(attribute)?.when.is_some() => quote!(::core::option::Option<#role>),
                _ => role,
            }
        }
        _ => quote!(#ty),
    })
}

/// The number type of the column in a type.
fn number_in(ty: &Type) -> Option<TokenStream> {
    match ty {
        Type::Array(array) => number_in(&array.elem),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
            let Some(GenericArgument::Type(inner)) = arguments.args.first() else { return None };
            if last.ident == "Column" { Some(quote!(#inner)) } else { number_in(inner) }
        }
        _ => None,
    }
}

fn is_list(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Vec"))
}

/// A variable's number type; `None` for other fields.
fn number_of(sort: &str) -> Option<TokenStream> {
    match sort {
        "real" => Some(quote!(f64)),
        "count" => Some(quote!(i32)),
        "category" | "flag" => Some(quote!(u8)),
        _ => None,
    }
}

/// The struct of values for `#[columns(view = Name)]`, and the method that looks up the values.
fn view(input: &DeriveInput, own: &[(&Field, TokenStream)]) -> Result<TokenStream> {
    let mut view: Option<Ident> = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("columns")) {
        attribute.parse_nested_meta(|meta| match meta.path.is_ident("view") {
            true => meta.value()?.parse().map(|name| view = Some(name)),
            false => Err(meta.error("expected `view = Name`")),
        })?;
    }
    let Some(view) = view else { return Ok(quote!()) };
    let (this, visibility) = (&input.ident, &input.vis);
    let names: Vec<_> = own.iter().map(|(field, _)| &field.ident).collect();
    let visibilities = own.iter().map(|(field, _)| &field.vis);
    let numbers = own.iter().map(|(_, number)| number);
    let doc = format!("The values in the columns of [`{this}`].");
    Ok(quote! {
        #[doc = #doc]
        #visibility struct #view<'a> { #(#visibilities #names: &'a [::core::cell::Cell<#numbers>]),* }

        impl #this {
            /// The current values in the columns.
            #[inline(always)]
            #visibility fn values<'a>(&self, c: &::farm_core::Context<'a>) -> #view<'a> {
                #view { #(#names: c.get(self.#names)),* }
            }
        }
    })
}

/// The expression that declares a field with the declarations `d`.
fn value(field: &Field, attribute: &Attribute, sort: &str) -> Result<TokenStream> {
    match sort {
        "stream" => Ok(quote!(d.stream_key())),
        "with" => {
            let value: Expr = attribute.parse_args()?;
            Ok(quote!(#value))
        }
        "event_with" => {
            let event: Expr = attribute.parse_args()?;
            Ok(quote!({
                let event = #event;
                d.event_with(event)
            }))
        }
        "nested" => {
            let (given, ty): (Expr, _) = (attribute.parse_args()?, &field.ty);
            Ok(quote!({
                let given = &#given;
                <#ty as ::farm_core::Columns<_>>::declare(d, given)
            }))
        }
        "one" | "maybe" | "all" => {
            let (need, role) = (format_ident!("{sort}"), role(attribute)?);
            let roles = &role.role;
            let needed =
                if role.is_list { quote!((#roles).map(|role| d.#need(role))) } else { quote!(d.#need(#roles)) };
            Ok(match &role.when {
                Some(condition) => quote!((#condition).then(|| #needed)),
                None => needed,
            })
        }
        "action" => action(field, &options(attribute)?),
        "event" => event(field, &options(attribute)?),
        _ => variable(field, attribute, sort),
    }
}

/// The argument of the attribute for a need: a role, or `each = ROLES`, and perhaps a condition.
struct Needed {
    role: Expr,
    is_list: bool,
    when: Option<Expr>,
}

fn role(attribute: &Attribute) -> Result<Needed> {
    attribute.parse_args_with(|input: ParseStream<'_>| {
        let is_list = input.peek(Ident) && input.peek2(Token![=]) && !input.peek2(Token![==]);
        if is_list {
            let key: Ident = input.parse()?;
            if key != "each" {
                return Err(Error::new_spanned(key, "expected a role, or `each = ROLES`"));
            }
            input.parse::<Token![=]>()?;
        }
        let role = input.parse()?;
        let mut when = None;
        if input.parse::<Option<Token![,]>>()?.is_some() {
            let key: Ident = input.parse()?;
            if key != "when" {
                return Err(Error::new_spanned(key, "expected `when = condition`"));
            }
            input.parse::<Token![=]>()?;
            when = Some(input.parse()?);
        }
        Ok(Needed { role, is_list, when })
    })
}

fn event(field: &Field, options: &Options) -> Result<TokenStream> {
    let name = name_of(field, options);
    let doc = doc_of(field, options)?;
    let Some(per_step) = &options.per_step else {
        return Err(Error::new_spanned(field, "an event needs its maximum number per step: `#[event(per_step = 1)]`"));
    };
    Ok(quote!({
        let per_step = #per_step;
        d.event(#name, per_step, #doc)
    }))
}

fn action(field: &Field, options: &Options) -> Result<TokenStream> {
    let name = name_of(field, options);
    let doc = doc_of(field, options)?;
    let list = options.parameters.as_ref().map_or(quote!(::std::vec::Vec::new()), |list| quote!(#list.to_vec()));
    let shown = match (&options.done, &options.badge) {
        (Some(done), Some(badge)) => quote!(.shown_as(#done, #badge)),
        (Some(done), None) => quote!(.told_as(#done)),
        (None, Some(badge)) => {
            let message = "a `badge` needs the past participle of its action: `done = \"watered\"`";
            return Err(Error::new_spanned(badge, message));
        }
        (None, None) => quote!(),
    };
    let reason = options.without_effect.as_ref().map(|reason| quote!(.without_effect(#reason)));
    let on_soil = options.on_soil.then(|| quote!(.on_soil()));
    Ok(quote!({
        let action = ::farm_core::declare::ActionInfo::new(#name, #doc, #list) #shown #reason #on_soil;
        d.action_with(action)
    }))
}

fn variable(field: &Field, attribute: &Attribute, sort: &str) -> Result<TokenStream> {
    let options = options(attribute)?;
    let (name, doc) = (name_of(field, &options), doc_of(field, &options)?);
    let range = |sort: &str| match &options.range {
        Some((low, high)) => Ok(quote!(#low, #high)),
        None => Err(Error::new_spanned(field, format!("a {sort} needs a range: `range = 0.0..=1.0`"))),
    };
    let new = match sort {
        "real" | "count" => {
            let (sort, range) = (format_ident!("{sort}"), range(sort)?);
            quote!(::farm_core::declare::#sort(#name, #range, #doc))
        }
        "flag" => quote!(::farm_core::declare::flag(#name, #doc)),
        _ => {
            let kind = match (&options.kind, &options.names) {
                (Some(kind), None) => quote!(#kind),
                (None, Some(names)) => quote!(::farm_core::ValueKind::named(#names)),
                _ => {
                    let message = "a category needs `names = &[…]` or a `kind`";
                    return Err(Error::new_spanned(field, message));
                }
            };
            quote!(::farm_core::declare::category(#name, #kind, #doc))
        }
    };
    let per_plot = options.per_plot.then(|| quote!(.per_plot()));
    let hidden = options.hidden.then(|| quote!(.hidden()));
    let shape = options.shape.as_ref().map(|shape| quote!(.shape(#shape)));
    let default = options.default.as_ref().map(|value| quote!(.default(#value)));
    let roles = options.roles.iter().map(|role| quote!(.role(#role)));
    let usual = options.usual.as_ref().map(|usual| quote!(.usual_start(#usual)));
    let synonyms = options.synonyms.as_ref().map(|synonyms| quote!(.synonyms(#synonyms)));
    let declared = quote!({
        let variable = #new #per_plot #shape #default #hidden #usual #synonyms #(#roles)*;
        d.variable(variable)
    });
    let declared = match &options.each {
        Some(items) => declared_for_each(&field.ty, items, &declared),
        None => declared,
    };
    Ok(match &options.when {
        Some(condition) => quote!((#condition).then(|| #declared)),
        None => declared,
    })
}

/// One column per item. `i` is the index of the item `each`. A field of the type `Column` joins the columns.
fn declared_for_each(ty: &Type, items: &Expr, declared: &TokenStream) -> TokenStream {
    let allow = quote!(#[allow(unused_variables, reason = "not every text needs the item and its index")]);
    let [next, all] = ["next", "all"].map(|name| Ident::new(name, Span::mixed_site()));
    if matches!(ty, Type::Array(_)) {
        return quote!({
            let mut #next = 0_usize;
            #allow
            (#items).map(|each| {
                let i = #next;
                #next += 1;
                #declared
            })
        });
    }
    let all = quote!({
        let mut #all = ::std::vec::Vec::new();
        #allow
        for (i, each) in (#items).into_iter().enumerate() {
            #all.push(#declared);
        }
        #all
    });
    if is_list(ty) { all } else { quote!(::farm_core::declare::Own::joined(&#all)) }
}

/// The given name, or the field's name with its unit.
fn name_of(field: &Field, options: &Options) -> TokenStream {
    if let Some(name) = &options.name {
        return text(name);
    }
    let ident = field.ident.as_ref().map(|ident| ident.to_string()).unwrap_or_default();
    let ident = ident.trim_start_matches("r#");
    let name = match &options.unit {
        Some(unit) => format!("{ident}#{}", unit.value()),
        None => ident.to_owned(),
    };
    quote!(#name)
}

/// The given description, or the field's doc comment.
fn doc_of(field: &Field, options: &Options) -> Result<TokenStream> {
    if let Some(doc) = &options.doc {
        return Ok(text(doc));
    }
    let doc = sentence(&field.attrs);
    if doc.is_empty() {
        return Err(Error::new_spanned(
            field,
            "a variable, action or event needs a description: write a sentence above it, `/// …`",
        ));
    }
    let span = field.ident.as_ref().map_or_else(Span::call_site, Ident::span);
    Ok(inserted(&LitStr::new(&doc, span)))
}

/// A name or a description. A literal may insert names in scope, such as `{each}`.
fn text(value: &Expr) -> TokenStream {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Str(literal), .. }) => inserted(literal),
        value => quote!(#value),
    }
}

fn inserted(literal: &LitStr) -> TokenStream {
    if literal.value().contains('{') { quote!(&::std::format!(#literal)) } else { quote!(#literal) }
}

fn options(attribute: &Attribute) -> Result<Options> {
    let mut options = Options::default();
    if matches!(attribute.meta, Meta::Path(_)) {
        return Ok(options);
    }
    attribute.parse_nested_meta(|meta| option(&mut options, &meta))?;
    Ok(options)
}

fn option(options: &mut Options, meta: &ParseNestedMeta<'_>) -> Result<()> {
    let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
    match key.as_str() {
        "per_plot" => options.per_plot = true,
        "hidden" => options.hidden = true,
        "on_soil" => options.on_soil = true,
        "unit" => options.unit = Some(meta.value()?.parse()?),
        "range" => options.range = Some(ends(meta.value()?.parse()?)?),
        "role" => options.roles.push(meta.value()?.parse()?),
        _ => {
            let known = match key.as_str() {
                "when" => &mut options.when,
                "each" => &mut options.each,
                "name" => &mut options.name,
                "doc" => &mut options.doc,
                "names" => &mut options.names,
                "kind" => &mut options.kind,
                "shape" => &mut options.shape,
                "default" => &mut options.default,
                "per_step" => &mut options.per_step,
                "parameters" => &mut options.parameters,
                "usual" => &mut options.usual,
                "synonyms" => &mut options.synonyms,
                "done" => &mut options.done,
                "badge" => &mut options.badge,
                "without_effect" => &mut options.without_effect,
                _ => {
                    return Err(meta.error(
                        "expected one of `name`, `unit`, `range`, `names`, `kind`, `per_plot`, `shape`, `default`, `hidden`, \
                         `role`, `doc`, `when`, `each`, `usual`, `synonyms`, for an event `per_step`, for an action `parameters`, `done`, `badge`, `without_effect`, `on_soil`",
                    ));
                }
            };
            *known = Some(meta.value()?.parse()?);
        }
    }
    Ok(())
}
