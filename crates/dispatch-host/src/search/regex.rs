//! The regular expressions of ripgrep, and what is wrong with a text that is none.

use std::borrow::Cow;

use dispatch_core::json::JsonPath;
use dispatch_core::{ErrorCode, ToolFailure};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use regex_syntax::ast::{self, Ast, Visitor};
use regex_syntax::hir;

/// How many bytes an expression may take once it is compiled, and as many to search with.
const MOST_BYTES: usize = 10 << 20;

/// Why a text is no expression that lines can be searched for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RegexError {
    /// The character at fault, from 1: none where it is the whole.
    character: Option<usize>,
    what: String,
}

impl RegexError {
    /// The failure of a call whose argument the expression was.
    pub(crate) fn into_failure(self, argument: &str) -> ToolFailure {
        let path = JsonPath::root().member(argument);
        let place = self.character.map_or_else(String::new, |character| format!(", character {character}"));
        ToolFailure::from(ErrorCode::InvalidPattern).always_telling(format!("{path}{place}: {}", self.what))
    }
}

/// Compiles an expression as ripgrep does.
pub(crate) fn matcher(pattern: &str) -> Result<RegexMatcher, RegexError> {
    let pattern = checked(pattern)?;
    let mut builder = RegexMatcherBuilder::new();
    builder.multi_line(true).line_terminator(Some(b'\n')).ban_byte(Some(0));
    builder.size_limit(MOST_BYTES).dfa_size_limit(MOST_BYTES);
    builder.build(&pattern).map_err(|error| RegexError { character: None, what: error.to_string() })
}

/// The compiler tells no place, and not all that it refuses: so the expression is read once more, which takes nothing beside the search.
fn checked(pattern: &str) -> Result<Cow<'_, str>, RegexError> {
    let error = |span: &ast::Span, what: String| {
        let character = pattern.get(..span.start.offset).map(|before| before.chars().count() + 1);
        RegexError { character, what }
    };
    let read = ast::parse::Parser::new().parse_with_comments(pattern);
    let ast::WithComments { ast: parsed, comments } =
        read.map_err(|refused| error(refused.span(), refused.kind().to_string()))?;
    let translated = hir::translate::TranslatorBuilder::new().utf8(false).build().translate(pattern, &parsed);
    translated.map_err(|refused| error(refused.span(), refused.kind().to_string()))?;
    ast::visit(&parsed, InLine).map_err(|literal| error(&literal.span, never_in_a_line(literal.c)))?;
    // The compiler puts the expression in a group, whose end a comment would take with it.
    let ends_in_comment = comments.last().is_some_and(|comment| comment.span.end.offset == pattern.len());
    Ok(if ends_in_comment { Cow::Owned(format!("{pattern}\n")) } else { Cow::Borrowed(pattern) })
}

fn never_in_a_line(letter: char) -> String {
    let what = if letter == '\n' { "a line feed" } else { "a NUL" };
    format!("lines are searched one at a time, and none holds {what}")
}

/// Looks for a letter that no line holds.
struct InLine;

impl Visitor for InLine {
    type Output = ();
    type Err = ast::Literal;

    fn finish(self) -> Result<(), ast::Literal> {
        Ok(())
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only a literal is one letter")]
    fn visit_pre(&mut self, ast: &Ast) -> Result<(), ast::Literal> {
        match ast {
            Ast::Literal(literal) if matches!(literal.c, '\n' | '\0') => Err((**literal).clone()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use grep_matcher::Matcher as _;

    use super::*;

    fn refused(pattern: &str) -> String {
        let RegexError { character, what } = matcher(pattern).unwrap_err();
        character.map_or_else(String::new, |character| format!("{character}: ")) + &what
    }

    #[test]
    fn what_is_no_expression_is_told_with_its_place() {
        for (pattern, expected) in [
            ("f(", "2: unclosed group"),
            ("é[a", "2: unclosed character class"),
            ("a**{", "4: unclosed counted repetition"),
            ("*", "1: repetition operator missing expression"),
            (r"é\p{Nonsense}", "2: Unicode property not found"),
            (r"(?=a)", "1: look-around, including look-ahead and look-behind, is not supported"),
            (r"(a)\1", "4: backreferences are not supported"),
            ("a\nb", "2: lines are searched one at a time, and none holds a line feed"),
            (r"(?:é|(a\x0Ab))", "8: lines are searched one at a time, and none holds a line feed"),
            (r"\x00", "1: lines are searched one at a time, and none holds a NUL"),
            ("a{1000}{1000}", "compiled regex exceeds size limit of 10485760"),
        ] {
            assert_eq!(refused(pattern), expected, "{pattern}");
        }
    }

    #[test]
    fn what_can_hold_a_line_feed_and_need_not_is_an_expression() {
        for (pattern, line) in [
            ("[^a]b", "xb"),
            (r"a\sb", "a b"),
            ("^b$", "b"),
            ("", ""),
            ("-world", "hello -world"),
            ("(?x)a #b", "a"),
            ("(?x)a #b\n", "a"),
            ("a #b", "a #b"),
        ] {
            assert!(matcher(pattern).unwrap().is_match(line.as_bytes()).unwrap(), "{pattern}");
        }
    }
}
