//! `#[derive(Card)]`: the self-description of a struct, read off its doc comments and attributes.
//!
//! On the struct: `#[card(name = "lugre", state("z", "m", Deflection), cite = "canudas1995", tags("bristle"),
//! entry(name = "between", names = 2, doc = "…"))]`; on a number field:
//! `#[param(symbol = "μ_s", role = StaticFriction, unit = "1", default = 0.4, min = 0.0, max = 10.0, force = "F_s")]`,
//! with `whole` for a count and `signal` where a signal of time may stand in its place;
//! on a field of type `Choice`: `#[choice("first", "second")]`. Numbers that several structs share stand in a described struct of
//! their own, which each of them holds in its last field, marked `#[nest]`. The struct itself is left as it is written.
//!
//! An `entry` is something a scenario writes that is not a number of the struct: `names = N`, `name`,
//! `table = "law"`, `table = "signal", unit = "N"`, `tables = "signal"`, `text`, `flag`, `numbers = "unit"`; with `optional`
//! where it may be left out.
//!
//! `crate = bristle::core` says where `bristle-core` is found, for a crate that depends on `bristle` alone.

mod entry;

use entry::CardEntry;
use proc_macro::TokenStream;
use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, DataStruct, DeriveInput, Error, Expr, ExprLit, Field, GenericArgument, Ident, Lit, LitStr,
    PathArguments, Result, Token, Type, parse_quote,
};

/// Derives `Described` and, for a struct of numbers and choices, `Params` and the `Default` of its card.
#[proc_macro_derive(Card, attributes(card, param, choice, nest))]
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
    core: Option<syn::Path>,
}

fn expand(input: &DeriveInput) -> Result<Tokens> {
    let syn::Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(input, "Card describes structs"));
    };
    let head = head(input)?;
    let name = head.name.as_ref().ok_or_else(|| Error::new_spanned(input, "missing #[card(name = …)]"))?;
    let doc = doc(&input.attrs);
    let (states, cite, tags, entries) = (&head.states, &head.cite, &head.tags, &head.entries);

    let StructBody { fields, nested, builders, writers, plain } = body(data)?;
    let ident = &input.ident;
    let (impls, types, bounds) = input.generics.split_for_impl();
    let generic = input.generics.type_params().next().map(|p| p.ident.clone());
    let own = quote! { &[#(#entries,)* #(#fields),*] };
    let fields = match &nested {
        None => own,
        // The fields do not depend on the number, so any will do.
        Some(ty) => {
            let ty = with_f64(ty, generic.as_ref());
            quote! {{
                const OWN: &[__bristle_core::Field] = #own;
                const MORE: &[__bristle_core::Field] = <#ty as __bristle_core::Described>::CARD.fields;
                const ALL: [__bristle_core::Field; OWN.len() + MORE.len()] = __bristle_core::join_fields(OWN, MORE);
                &ALL
            }}
        }
    };
    let described = quote! {
        impl #impls __bristle_core::Described for #ident #types #bounds {
            const CARD: __bristle_core::Card = __bristle_core::Card {
                name: #name,
                doc: #doc,
                fields: #fields,
                states: &[#(#states),*],
                cite: &[#(#cite),*],
                tags: &[#(#tags),*],
            };
        }
    };
    let params = match generic {
        Some(scalar) if plain => quote! {
            impl<#scalar: Copy> __bristle_core::Params<#scalar> for #ident<#scalar> {
                #[inline]
                #[allow(unused_variables)]
                fn from_slices(numbers: &[#scalar], choices: &[__bristle_core::Choice]) -> Self {
                    Self { #(#builders),* }
                }

                #[allow(unused_variables)]
                fn to_slices(&self, numbers: &mut Vec<#scalar>, choices: &mut Vec<__bristle_core::Choice>) {
                    #(#writers)*
                }
            }

            impl Default for #ident<f64> {
                /// The values of the card.
                fn default() -> Self {
                    __bristle_core::Params::of_card()
                }
            }
        },
        _ => Tokens::new(),
    };
    let core = head.core.unwrap_or_else(|| parse_quote!(::bristle_core));
    Ok(quote! {
        const _: () = {
            use #core as __bristle_core;
            #described
            #params
        };
    })
}

/// The fields of the struct, and how each is built from slices.
struct StructBody {
    fields: Vec<Tokens>,
    nested: Option<Type>,
    builders: Vec<Tokens>,
    /// How each is written to lists.
    writers: Vec<Tokens>,
    /// Whether every field is a number, a choice or nested.
    plain: bool,
}

fn body(data: &DataStruct) -> Result<StructBody> {
    let mut body = StructBody {
        fields: Vec::new(),
        nested: None,
        builders: Vec::new(),
        writers: Vec::new(),
        plain: true,
    };
    let (mut numbers, mut choices) = (0usize, 0usize);
    for field in &data.fields {
        let Some(ident) = &field.ident else {
            return Err(Error::new_spanned(field, "Card needs named fields"));
        };
        if body.nested.is_some() {
            return Err(Error::new_spanned(field, "a nested struct comes last"));
        }
        let marked = |word: &str| field.attrs.iter().find(|a| a.path().is_ident(word));
        if let Some(attr) = marked("param") {
            body.fields.push(number(field, attr)?);
            body.builders.push(quote! { #ident: numbers[#numbers] });
            body.writers.push(quote! { numbers.push(self.#ident); });
            numbers += 1;
        } else if let Some(attr) = marked("choice") {
            body.fields.push(choice(field, attr)?);
            body.builders.push(quote! { #ident: choices[#choices] });
            body.writers.push(quote! { choices.push(self.#ident); });
            choices += 1;
        } else if marked("nest").is_some() {
            body.nested = Some(field.ty.clone());
            body.builders.push(quote! {
                #ident: __bristle_core::Params::from_slices(&numbers[#numbers..], &choices[#choices..])
            });
            body.writers.push(quote! { __bristle_core::Params::to_slices(&self.#ident, numbers, choices); });
        } else {
            body.plain = false;
        }
    }
    Ok(body)
}

/// The type with `f64` in the place of the struct's number.
fn with_f64(ty: &Type, scalar: Option<&Ident>) -> Type {
    let mut ty = ty.clone();
    if let Type::Path(path) = &mut ty {
        for segment in &mut path.path.segments {
            if let PathArguments::AngleBracketed(list) = &mut segment.arguments {
                for argument in &mut list.args {
                    if matches!(argument, GenericArgument::Type(Type::Path(p)) if scalar.is_some_and(|s| p.path.is_ident(s)))
                    {
                        *argument = GenericArgument::Type(parse_quote!(f64));
                    }
                }
            }
        }
    }
    ty
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
                let name: LitStr = content.parse()?;
                content.parse::<Token![,]>()?;
                let unit: LitStr = content.parse()?;
                content.parse::<Token![,]>()?;
                let role: Ident = content.parse()?;
                head.states.push(quote! {
                    __bristle_core::StateCard { name: #name, unit: #unit, role: __bristle_core::StateRole::#role }
                });
            } else if meta.path.is_ident("tags") {
                let content;
                syn::parenthesized!(content in meta.input);
                head.tags.extend(Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?);
            } else if meta.path.is_ident("entry") {
                let content;
                syn::parenthesized!(content in meta.input);
                head.entries.push(content.parse::<CardEntry>()?.0);
            } else if meta.path.is_ident("crate") {
                head.core = Some(meta.value()?.parse()?);
            } else {
                return Err(meta.error("expected name, cite, state, tags, entry or crate"));
            }
            Ok(())
        })?;
    }
    Ok(head)
}

/// Reads `#[param(…)]` of a field.
fn number(field: &Field, attr: &Attribute) -> Result<Tokens> {
    let (mut symbol, mut unit, mut force) =
        (LitStr::new("", attr.pound_token.span), None::<LitStr>, quote!(None));
    let (mut default, mut min, mut max) = (quote!(None), quote!(f64::NEG_INFINITY), quote!(f64::INFINITY));
    let (mut whole, mut signal, mut role) = (false, false, quote!(None));
    attr.parse_nested_meta(|meta| {
        if meta.path.is_ident("symbol") {
            symbol = meta.value()?.parse()?;
        } else if meta.path.is_ident("unit") {
            unit = Some(meta.value()?.parse()?);
        } else if meta.path.is_ident("force") {
            let name: LitStr = meta.value()?.parse()?;
            force = quote!(Some(#name));
        } else if meta.path.is_ident("role") {
            let name: Ident = meta.value()?.parse()?;
            role = quote!(Some(__bristle_core::Role::#name));
        } else if meta.path.is_ident("whole") {
            whole = true;
        } else if meta.path.is_ident("signal") {
            signal = true;
        } else {
            let value = float(&meta.value()?.parse::<Expr>()?);
            if meta.path.is_ident("default") {
                default = quote!(Some(#value));
            } else if meta.path.is_ident("min") {
                min = value;
            } else if meta.path.is_ident("max") {
                max = value;
            } else {
                return Err(
                    meta.error("expected symbol, role, unit, default, min, max, whole, signal or force")
                );
            }
        }
        Ok(())
    })?;
    let unit = unit.ok_or_else(|| Error::new_spanned(attr, "a number needs its unit (`1` for none)"))?;
    let (name, doc) = (field.ident.as_ref().map(ToString::to_string), doc(&field.attrs));
    Ok(quote! {
        __bristle_core::Field {
            name: #name,
            symbol: #symbol,
            doc: #doc,
            kind: __bristle_core::Kind::Number {
                unit: #unit, default: #default, min: #min, max: #max, force: #force, whole: #whole,
                signal: #signal,
            },
            role: #role,
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
        __bristle_core::Field {
            name: #name,
            symbol: "",
            doc: #doc,
            kind: __bristle_core::Kind::Choice { options: &[#(#options),*] },
            role: None,
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
