//! Protocol failures for people: the input's line, with a caret at the place.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use dispatch_core::protocol::Failure;

/// Of a long line only so many bytes are shown on either side of the place.
const CONTEXT_BYTES: usize = 60;

/// Renders a failure. `name` is what people know the input by.
pub(crate) fn render(failure: &Failure, name: &str, colour: bool) -> String {
    let source = String::from_utf8_lossy(failure.source());
    let place = Place::of(&source, failure.span());
    let line = failure.first_line() + place.line - 1;
    let window = Snippet::source(place.text).line_start(line).annotation(AnnotationKind::Primary.span(place.span));
    let at = format!("at {name}:{line}:{}", place.column);
    let at = failure.path().map_or(at.clone(), |path| format!("{path} {at}"));
    let report = Level::ERROR.primary_title(failure.message()).id(failure.code().as_str());
    let report = report.element(window).element(Level::NOTE.message(at));
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.render(&[report])
}

/// The part of the source that is shown.
struct Place {
    line: usize,
    column: usize,
    text: String,
    span: Range<usize>,
}

impl Place {
    fn of(source: &str, span: Range<usize>) -> Self {
        let (before, after) = source.split_at(source.floor_char_boundary(span.start));
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = after.find('\n').map_or(source.len(), |length| before.len() + length);
        let from = source.ceil_char_boundary(line_start.max(before.len().saturating_sub(CONTEXT_BYTES)));
        let span_end = source.ceil_char_boundary(span.end.min(line_end).max(before.len()));
        let to = source.floor_char_boundary(line_end.min(before.len() + CONTEXT_BYTES));
        let (lead, trail) = (elision(from > line_start), elision(to < line_end));
        let offset = |at: usize| lead.len() + at.min(to) - from;
        Self {
            line: 1 + before.matches('\n').count(),
            column: 1 + before.len() - line_start,
            text: [lead, source.get(from..to).unwrap_or_default(), trail].concat(),
            span: offset(before.len())..offset(span_end),
        }
    }
}

fn elision(cut: bool) -> &'static str {
    if cut { "…" } else { "" }
}
