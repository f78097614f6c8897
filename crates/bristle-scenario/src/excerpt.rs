//! The lines around a place in a file, made fit to be shown.

use crate::text::is_hidden;
use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};
use std::ops::Range;

/// Bytes of a line shown before and after the place; what is beyond is cut. The renderer cannot draw a line of more
/// than 65,535 columns, and nobody would read it.
const BESIDE: usize = 120;

/// The line of a place with its neighbours: no line too long, no control characters.
#[derive(Clone, Debug)]
pub struct Excerpt {
    name: String,
    text: String,
    /// Number of the first line, from zero.
    first: usize,
    /// How far the place has moved to the left by what was cut.
    shift: isize,
    /// The place within the excerpt.
    pub span: Range<usize>,
}

impl Excerpt {
    /// The lines around a place. A place that goes over several lines is marked in its first.
    pub fn new(name: &str, text: &str, span: &Range<usize>) -> Self {
        let start = floor(text, span.start);
        let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let end = floor(text, span.end.max(start)).min(line_end);
        let mut shown = String::new();
        let mut first = text[..line_start].matches('\n').count();
        if let Some(before) = text[..line_start].strip_suffix('\n') {
            let line = &before[before.rfind('\n').map_or(0, |i| i + 1)..];
            shown.push_str(&tail_cut(line));
            shown.push('\n');
            first -= 1;
        }
        let new_line = shown.len();
        shown.push_str(&head_cut(&text[line_start..start]));
        let new_start = shown.len();
        shown.push_str(&tail_cut(&text[start..end]));
        let new_end = shown.len();
        shown.push_str(&tail_cut(text[end..line_end].trim_end_matches('\r')));
        if line_end < text.len() {
            shown.push('\n');
            if let Some(line) = text[line_end + 1..].lines().next() {
                shown.push_str(&tail_cut(line));
                shown.push('\n');
            }
        }
        let shift = (start - line_start) as isize - (new_start - new_line) as isize;
        Excerpt { name: name.to_owned(), text: shown, first, shift, span: new_start..new_end }
    }

    /// Calls the text otherwise.
    pub fn rename(&mut self, name: &str) {
        name.clone_into(&mut self.name);
    }

    /// The file and the line of the place, counted from one.
    pub fn place(&self) -> (&str, usize) {
        (&self.name, self.first + self.text[..self.span.start].matches('\n').count() + 1)
    }
}

/// The last place at or before this one where a character begins.
fn floor(text: &str, place: usize) -> usize {
    let mut place = place.min(text.len());
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

/// Hidden characters replaced.
fn clean(text: &str) -> String {
    text.chars().map(|c| if is_hidden(c) && c != '\t' { '\u{fffd}' } else { c }).collect()
}

/// The end of a text.
fn head_cut(text: &str) -> String {
    if text.len() <= 2 * BESIDE {
        return clean(text);
    }
    format!("…{}", clean(&text[floor(text, text.len() - BESIDE)..]))
}

/// The beginning of a text.
fn tail_cut(text: &str) -> String {
    let text = text.trim_end_matches('\r');
    if text.len() <= 2 * BESIDE {
        return clean(text);
    }
    format!("{}…", clean(&text[..floor(text, BESIDE)]))
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let inner = self.text.read_span(span, lines_before, lines_after)?;
        // Without neighbours the place itself is asked for, to be named by line and column.
        let shift = if lines_before == 0 { self.shift } else { 0 };
        let column = inner.column().saturating_add_signed(shift);
        let contents = MietteSpanContents::new_named(
            self.name.clone(),
            inner.data(),
            *inner.span(),
            inner.line() + self.first,
            column,
            inner.line_count(),
        );
        Ok(Box::new(contents.with_language("toml")))
    }
}

#[cfg(test)]
mod excerpt_tests {
    use super::*;

    #[test]
    fn a_place_far_to_the_right_keeps_its_column_but_not_its_line() {
        let line = format!("x = {}wrong{}", "ä".repeat(40_000), "ö".repeat(1000));
        let text = format!("first\nsecond\n{line}\nlast");
        let start = text.find("wrong").unwrap();
        let excerpt = Excerpt::new("f", &text, &(start..start + 5));
        assert_eq!(&excerpt.text[excerpt.span.clone()], "wrong");
        assert!(excerpt.text.len() < 600 && excerpt.text.starts_with("second\n…"), "{}", excerpt.text);
        let place = excerpt.read_span(&excerpt.span.clone().into(), 0, 0).unwrap();
        assert_eq!((place.line(), place.column()), (2, 80_004));
    }

    #[test]
    fn places_outside_the_text_are_brought_inside() {
        for (start, end) in [(0, 0), (3, 99), (99, 120), (5, 2)] {
            let excerpt = Excerpt::new("f", "a\nµµ\u{1b}", &(start..end));
            assert!(excerpt.span.end <= excerpt.text.len() && !excerpt.text.contains('\u{1b}'));
        }
    }
}
