//! What the command line left out, asked for: one question a line, until the answer will do.

use std::io::{BufRead, Write};

use anyhow::{Result, ensure};
use conformance::rules::Rules;

use super::{NewCase, Said, check_rule, name};

impl Said {
    /// Asks for what was left out. Where nothing was that a case needs, nothing is asked.
    ///
    /// # Errors
    ///
    /// The answers end too early, or a question can't be put.
    pub(super) fn complete(self, rules: &Rules, answers: impl BufRead, questions: impl Write) -> Result<NewCase> {
        let mut dialogue = Dialogue { answers, questions, has_asked: false };
        let named = |text: &str| name(text).map(drop).map_err(anyhow::Error::from);
        let area = dialogue.need(self.area, "Area (a folder of conformance/cases)", named)?;
        let topic = dialogue.need(self.topic, "Topic (a file in it, without `.yaml`)", named)?;
        let name = dialogue.need(self.name, "Name of the case (a-z, 0-9 and _)", named)?;
        let rule = dialogue
            .need(self.rule, "Rule (a heading of docs/protocol.md, as its anchor)", |rule| check_rule(rule, rules))?;
        let why = dialogue.need(self.why, "What it shows (one sentence, in the present tense)", |why| {
            ensure!(!why.is_empty(), "a case says why it is there");
            Ok(())
        })?;
        let source = match self.source {
            None if dialogue.has_asked => {
                let source = dialogue.ask("Address it comes from (empty: it comes from here)", |_| Ok(()))?;
                Some(source).filter(|source| !source.is_empty())
            }
            source => source,
        };
        Ok(NewCase { area, topic, name, rule, why, source })
    }
}

struct Dialogue<A, Q> {
    answers: A,
    questions: Q,
    has_asked: bool,
}

impl<A: BufRead, Q: Write> Dialogue<A, Q> {
    fn need(&mut self, said: Option<String>, question: &str, check: impl Fn(&str) -> Result<()>) -> Result<String> {
        said.map_or_else(|| self.ask(question, check), Ok)
    }

    /// Puts a question until the answer passes the check.
    fn ask(&mut self, question: &str, check: impl Fn(&str) -> Result<()>) -> Result<String> {
        self.has_asked = true;
        loop {
            write!(self.questions, "{question}: ")?;
            self.questions.flush()?;
            let mut line = String::new();
            ensure!(self.answers.read_line(&mut line)? > 0, "the answers ended at: {question}");
            match check(line.trim()) {
                Ok(()) => return Ok(line.trim().to_owned()),
                Err(fault) => writeln!(self.questions, "{fault}")?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing() -> Said {
        Said { area: None, topic: None, name: None, rule: None, why: None, source: None }
    }

    fn complete(said: Said, answers: &str) -> (Result<NewCase>, String) {
        let mut questions = Vec::new();
        let case = said.complete(&Rules::of_page("# read_file\n"), answers.as_bytes(), &mut questions);
        (case, String::from_utf8(questions).unwrap())
    }

    #[test]
    fn all_that_a_case_needs_is_asked_for() {
        let (case, _) = complete(nothing(), "tools\nread_file\nfirst\nread_file\nWhy.\n\n");
        let case = case.unwrap();
        let said = [&case.area, &case.topic, &case.name, &case.rule, &case.why];
        assert_eq!(said, ["tools", "read_file", "first", "read_file", "Why."]);
        assert_eq!(case.source, None);
    }

    #[test]
    fn what_was_said_is_not_asked_for() {
        let said = || Some("read_file".to_owned());
        let all = Said { area: said(), topic: said(), name: said(), rule: said(), why: said(), source: None };
        let (case, questions) = complete(all, "");
        assert_eq!((case.unwrap().source, questions.as_str()), (None, ""));
        let all_but_why = Said { area: said(), topic: said(), name: said(), rule: said(), why: None, source: said() };
        let (case, questions) = complete(all_but_why, "Why.\n");
        assert_eq!(case.unwrap().why, "Why.");
        assert_eq!(questions, "What it shows (one sentence, in the present tense): ");
    }

    #[test]
    fn an_answer_that_will_not_do_is_asked_for_again() {
        let (case, questions) =
            complete(nothing(), "Tools!\ntools\nread_file\nfirst\nno_rule\nread_file\n\nWhy.\nhttps://example.org/1\n");
        assert_eq!(case.unwrap().source.as_deref(), Some("https://example.org/1"));
        assert_eq!(questions.matches("Area").count(), 2, "{questions}");
        assert!(
            questions.contains("`no_rule` is no heading of docs/protocol.md; there are\n  read_file\n"),
            "{questions}"
        );
        assert!(questions.contains("a case says why it is there\n"), "{questions}");
    }

    #[test]
    fn answers_that_end_end_the_dialogue() {
        let (case, _) = complete(nothing(), "tools\n");
        assert_eq!(case.unwrap_err().to_string(), "the answers ended at: Topic (a file in it, without `.yaml`)");
    }
}
