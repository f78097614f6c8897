//! `#[derive(Card)]`: the self-description of a struct, read off its doc comments and attributes.
//!
//! On the struct: `#[card(name = "lugre", state("z", "m"), cite = "canudas1995", tags("bristle"),
//! entry(name = "between", names = 2, doc = "…"))]`; on a number field:
//! `#[param(symbol = "μ_s", unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]`; on a field of
//! type `Choice`: `#[choice("first", "second")]`. The struct itself is left as it is written.
//!
//! An `entry` is something a scenario writes that is not a number of the struct: `names = N`, `name`,
//! `table = "law"`, `tables = "signal"`, `text`, `flag`, `numbers = "unit"`; with `optional` where it may be left out.

use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, Error, Expr, ExprLit, Field, Lit, LitInt, LitStr, Result, Token};

/// Derives `Described` and, for a struct of numbers and choices, `Params`.
#[proc_macro_derive(Card, attributes(card, param, choice))]
pub fn derive_card(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(Error::into_compile_error).into()
}

/// The attributes of the struct.
#[derive(Default)]
struct Head {
    name: Option<LitStr>,
    states: Vec<Tokens>,
    cite: Vec<LitStr>,
    tags: Vec<LitStr>,
    entries: Vec<Tokens>,
}

fn expand(input: &DeriveInput) -> Result<Tokens> {
    let syn::Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(input, "Card describes structs"));
    };
    let head = head(input)?;
    let name = head.name.as_ref().ok_or_else(|| Error::new_spanned(input, "missing #[card(name = …)]"))?;
    let doc = doc(&input.attrs);
    let (states, cite, tags, entries) = (&head.states, &head.cite, &head.tags, &head.entries);

    let mut fields = Vec::new();
    let mut builders = Vec::new();
    let (mut numbers, mut choices, mut plain) = (0usize, 0usize, true);
    for field in &data.fields {
        let Some(ident) = &field.ident else {
            return Err(Error::new_spanned(field, "Card needs named fields"));
        };
        if let Some(attr) = field.attrs.iter().find(|a| a.path().is_ident("param")) {
            fields.push(number(field, attr)?);
            builders.push(quote! { #ident: numbers[#numbers] });
            numbers += 1;
        } else if let Some(attr) = field.attrs.iter().find(|a| a.path().is_ident("choice")) {
            fields.push(choice(field, attr)?);
            builders.push(quote! { #ident: choices[#choices] });
            choices += 1;
        } else {
            plain = false;
        }
    }

    let ident = &input.ident;
    let (impls, types, bounds) = input.generics.split_for_impl();
    let described = quote! {
        impl #impls ::bristle_core::Described for #ident #types #bounds {
            const CARD: ::bristle_core::Card = ::bristle_core::Card {
                name: #name,
                doc: #doc,
                fields: &[#(#entries,)* #(#fields),*],
                states: &[#(#states),*],
                cite: &[#(#cite),*],
                tags: &[#(#tags),*],
            };
        }
    };
    let generic = input.generics.type_params().next().map(|p| p.ident.clone());
    let params = match generic {
        Some(scalar) if plain => quote! {
            impl<#scalar: Copy> ::bristle_core::Params<#scalar> for #ident<#scalar> {
                #[inline]
                #[allow(unused_variables)]
                fn from_slices(numbers: &[#scalar], choices: &[::bristle_core::Choice]) -> Self {
                    Self { #(#builders),* }
                }
            }
        },
        _ => Tokens::new(),
    };
    Ok(quote! { #described #params })
}

/// Reads `#[card(…)]`.
fn head(input: &DeriveInput) -> Result<Head> {
    let mut head = Head::default();
    for attr in input.attrs.iter().filter(|a| a.path().is_ident("card")) {
        attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("name") {
                head.name = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("cite") {
                head.cite.push(meta.value()?.parse()?);
            } else if meta.path.is_ident("state") {
                let content;
                syn::parenthesized!(content in meta.input);
                let pair = Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?;
                let (name, unit) = (&pair[0], &pair[1]);
                head.states.push(quote! { ::bristle_core::StateCard { name: #name, unit: #unit } });
            } else if meta.path.is_ident("tags") {
                let content;
                syn::parenthesized!(content in meta.input);
                head.tags.extend(Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?);
            } else if meta.path.is_ident("entry") {
                let content;
                syn::parenthesized!(content in meta.input);
                head.entries.push(content.parse::<Entry>()?.0);
            } else {
                return Err(meta.error("expected name, cite, state, tags or entry"));
            }
            Ok(())
        })?;
    }
    Ok(head)
}

/// An `entry(…)` of the struct attribute, already turned into a field.
struct Entry(Tokens);

impl Parse for Entry {
    fn parse(input: ParseStream) -> Result<Self> {
        let (mut name, mut doc, mut kind, mut required) = (None::<LitStr>, None::<LitStr>, None, true);
        while !input.is_empty() {
            let word: syn::Ident = input.parse()?;
            let text = || -> Result<LitStr> {
                input.parse::<Token![=]>()?;
                input.parse()
            };
            match word.to_string().as_str() {
                "name" if input.peek(Token![=]) && name.is_none() => name = Some(text()?),
                "doc" => doc = Some(text()?),
                "table" => kind = Some(("table", Some(text()?))),
                "tables" => kind = Some(("tables", Some(text()?))),
                "numbers" => kind = Some(("numbers", Some(text()?))),
                "text" => kind = Some(("text", None)),
                "part" => kind = Some(("name", None)),
                "flag" => kind = Some(("flag", None)),
                "optional" => required = false,
                "names" => {
                    input.parse::<Token![=]>()?;
                    let count: LitInt = input.parse()?;
                    kind = Some(("names", Some(LitStr::new(count.base10_digits(), count.span()))));
                }
                _ => {
                    return Err(Error::new(
                        word.span(),
                        "expected name, doc, names, part, table, text, flag, numbers, optional",
                    ));
                }
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let missing = |what: &str| input.error(format!("entry without {what}"));
        let (name, doc) = (name.ok_or_else(|| missing("name"))?, doc.ok_or_else(|| missing("doc"))?);
        let (word, value) = kind.ok_or_else(|| missing("kind"))?;
        let kind = match word {
            "table" => quote! { ::bristle_core::Kind::Table { catalogue: #value, required: #required } },
            "tables" => quote! { ::bristle_core::Kind::Tables { catalogue: #value } },
            "numbers" => quote! { ::bristle_core::Kind::Numbers { unit: #value, required: #required } },
            "text" => quote! { ::bristle_core::Kind::Text { required: #required } },
            "name" => quote! { ::bristle_core::Kind::Name { required: #required } },
            "names" => {
                let count = match value {
                    Some(count) => LitInt::new(&count.value(), count.span()),
                    None => return Err(missing("count")),
                };
                quote! { ::bristle_core::Kind::Names { count: #count } }
            }
            _ => quote! { ::bristle_core::Kind::Flag },
        };
        Ok(Entry(quote! { ::bristle_core::Field { name: #name, symbol: "", doc: #doc, kind: #kind } }))
    }
}

/// Reads `#[param(…)]` of a field.
fn number(field: &Field, attr: &Attribute) -> Result<Tokens> {
    let (mut symbol, mut unit, mut force) =
        (LitStr::new("", attr.pound_token.span), None::<LitStr>, quote!(None));
    let (mut default, mut min, mut max) = (quote!(None), quote!(f64::NEG_INFINITY), quote!(f64::INFINITY));
    attr.parse_nested_meta(|meta| {
        if meta.path.is_ident("symbol") {
            symbol = meta.value()?.parse()?;
        } else if meta.path.is_ident("unit") {
            unit = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("force") {
            let name: LitStr = meta.value()?.parse()?;
            force = quote!(Some(#name));
        } else {
            let value = float(&meta.value()?.parse::<Expr>()?);
            if meta.path.is_ident("default") {
                default = quote!(Some(#value));
            } else if meta.path.is_ident("min") {
                min = value;
            } else if meta.path.is_ident("max") {
                max = value;
            } else {
                return Err(meta.error("expected symbol, unit, default, min, max or force"));
            }
        }
        Ok(())
    })?;
    let unit = unit.ok_or_else(|| Error::new_spanned(attr, "a number needs its unit (`1` for none)"))?;
    let (name, doc) = (field.ident.as_ref().map(ToString::to_string), doc(&field.attrs));
    Ok(quote! {
        ::bristle_core::Field {
            name: #name,
            symbol: #symbol,
            doc: #doc,
            kind: ::bristle_core::Kind::Number { unit: #unit, default: #default, min: #min, max: #max, force: #force },
        }
    })
}

/// Numbers may be written as integers.
fn float(value: &Expr) -> Tokens {
    match value {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => {
            let digits = format!("{}.0", int.base10_digits());
            digits.parse().unwrap_or_else(|_| quote!(#value))
        }
        _ => quote!(#value),
    }
}

/// Reads `#[choice(…)]` of a field.
fn choice(field: &Field, attr: &Attribute) -> Result<Tokens> {
    let options = attr.parse_args_with(Punctuated::<LitStr, Token![,]>::parse_terminated)?;
    let (name, doc) = (field.ident.as_ref().map(ToString::to_string), doc(&field.attrs));
    let options = options.iter();
    Ok(quote! {
        ::bristle_core::Field {
            name: #name,
            symbol: "",
            doc: #doc,
            kind: ::bristle_core::Kind::Choice { options: &[#(#options),*] },
        }
    })
}

/// The doc comment, lines joined, one leading space removed.
fn doc(attrs: &[Attribute]) -> String {
    let lines = attrs.iter().filter(|a| a.path().is_ident("doc")).filter_map(|a| match &a.meta {
        syn::Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    lines
        .map(|l| l.strip_prefix(' ').unwrap_or(&l).to_owned())
        .collect::<Vec<_>>()
        .join("\n")
        .trim()
        .to_owned()
}
