//! A scenario's text with one value changed: comments, order and everything else stay as they were written.

use toml::de::{DeTable, DeValue};

/// The text with the value at a path of keys, such as `["parts", "pad", "law", "mu_d"]`, replaced by `value`, which is written as
/// TOML; a last key that is not there is added to its table.
///
/// ```
/// use bristle_scenario::rewrite::set;
/// let text = "[parts.tie]\nkind = \"spring\" # stiff\nk = \"10 N/m\"\n";
/// let softer = set(text, &["parts", "tie", "k"], "\"5 N/m\"").unwrap();
/// assert_eq!(softer, "[parts.tie]\nkind = \"spring\" # stiff\nk = \"5 N/m\"\n");
/// ```
///
/// `None` if the text is no TOML, if a table on the way is missing, or where a key would have to be added to an empty table.
pub fn set(text: &str, path: &[&str], value: &str) -> Option<String> {
    let (last, way) = path.split_last()?;
    let root = DeTable::parse(text).ok()?;
    let mut table = root.get_ref();
    for key in way {
        table = table.get(*key)?.get_ref().as_table()?;
    }
    let spliced = |from: usize, to: usize, new: &str| Some(format!("{}{new}{}", &text[..from], &text[to..]));
    if let Some(old) = table.get(*last) {
        let span = old.span();
        // A table under a heading of its own has no value that could be replaced in one place.
        let is_whole =
            !matches!(old.get_ref(), DeValue::Table(_)) || text.get(span.clone())?.starts_with('{');
        return if is_whole { spliced(span.start, span.end, value) } else { None };
    }
    // Behind the value that stands last, not counting tables with headings of their own.
    let is_inside = |v: &toml::Spanned<DeValue>| {
        !matches!(v.get_ref(), DeValue::Table(_)) || text.get(v.span()).is_some_and(|t| t.starts_with('{'))
    };
    let end = table.iter().filter(|(_, v)| is_inside(v)).map(|(_, v)| v.span().end).max()?;
    let rest = &text[end..];
    let line = rest.find('\n').unwrap_or(rest.len());
    match rest[..line].trim_start().chars().next() {
        // What follows on the line belongs to an inline table.
        Some(',' | '}') => spliced(end, end, &format!(", {last} = {value}")),
        _ => spliced(end + line, end + line, &format!("\n{last} = {value}")),
    }
}

#[cfg(test)]
mod rewrite_tests {
    use super::set;

    const BELT: &str = "# A belt.\n[parts.belt]\nkind = \"drive\" # turns\nv = \"0.5 m/s\"\n\n[parts.pad]\nkind = \"contact\"\nlaw = { kind = \"coulomb\", mu_d = 0.4 } # dry\n";

    #[test]
    fn a_value_is_replaced_where_it_stands() {
        let faster = set(BELT, &["parts", "belt", "v"], "\"2 m/s\"").unwrap();
        assert_eq!(faster, BELT.replace("0.5 m/s", "2 m/s"));
        let rougher = set(BELT, &["parts", "pad", "law", "mu_d"], "0.5").unwrap();
        assert_eq!(rougher, BELT.replace("0.4", "0.5"));
        let law = set(BELT, &["parts", "pad", "law"], "{ kind = \"dahl\" }").unwrap();
        assert_eq!(law, BELT.replace("{ kind = \"coulomb\", mu_d = 0.4 }", "{ kind = \"dahl\" }"));
    }

    #[test]
    fn a_missing_value_is_added_to_its_table() {
        let law = set(BELT, &["parts", "pad", "law", "mu_s"], "0.6").unwrap();
        assert_eq!(law, BELT.replace("mu_d = 0.4 }", "mu_d = 0.4, mu_s = 0.6 }"));
        let loaded = set(BELT, &["parts", "pad", "load"], "\"9 N\"").unwrap();
        assert_eq!(loaded, BELT.replace("# dry\n", "# dry\nload = \"9 N\"\n"));
        let driven = set(BELT, &["parts", "belt", "q"], "\"1 m\"").unwrap();
        assert_eq!(driven, BELT.replace("\"0.5 m/s\"\n", "\"0.5 m/s\"\nq = \"1 m\"\n"));
    }

    #[test]
    fn what_is_not_there_is_not_guessed() {
        assert_eq!(set(BELT, &["parts", "tie", "k"], "1"), None);
        assert_eq!(set(BELT, &["parts", "pad"], "{}"), None);
        assert_eq!(set("= nonsense", &["parts"], "1"), None);
    }
}
