//! `entry(…)`: what a scenario writes that is not a number of the struct.

use proc_macro2::TokenStream as Tokens;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Ident, LitInt, LitStr, Result, Token};

/// An `entry(…)` of the struct attribute, already turned into a field.
pub(crate) struct CardEntry(pub(crate) Tokens);

impl Parse for CardEntry {
    fn parse(input: ParseStream) -> Result<Self> {
        let (mut name, mut doc, mut kind, mut required) = (None::<LitStr>, None::<LitStr>, None, true);
        let mut unit = quote!(None);
        while !input.is_empty() {
            let word: Ident = input.parse()?;
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
                "unit" => {
                    let measured = text()?;
                    unit = quote!(Some(#measured));
                }
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
                        "expected name, doc, names, part, table, unit, text, flag, numbers, optional",
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
            "table" => {
                quote! { __bristle_core::Kind::Table { catalogue: #value, required: #required, unit: #unit } }
            }
            "tables" => quote! { __bristle_core::Kind::Tables { catalogue: #value } },
            "numbers" => quote! { __bristle_core::Kind::Numbers { unit: #value, required: #required } },
            "text" => quote! { __bristle_core::Kind::Text { required: #required } },
            "name" => quote! { __bristle_core::Kind::Name { required: #required } },
            "names" => {
                let count = match value {
                    Some(count) => LitInt::new(&count.value(), count.span()),
                    None => return Err(missing("count")),
                };
                quote! { __bristle_core::Kind::Names { count: #count } }
            }
            _ => quote! { __bristle_core::Kind::Flag },
        };
        Ok(CardEntry(
            quote! { __bristle_core::Field { name: #name, symbol: "", doc: #doc, kind: #kind, role: None } },
        ))
    }
}
