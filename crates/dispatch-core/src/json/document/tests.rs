//! What a document says of a text is what another reader says of it.

mod texts;
mod tree;

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use texts::{Text, nearly_json, soup};
use tree::Tree;

fn config() -> ProptestConfig {
    ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() }
}

/// Stricter than serde_json in one point, which `Tree` says: no key twice.
fn agrees_with_serde(text: &[u8]) -> Result<(), TestCaseError> {
    let expected = serde_json::from_slice::<Tree>(text).ok();
    let document = Document::parse(text.to_vec());
    prop_assert_eq!(document.as_ref().ok().map(|document| Tree::of_node(document.root())), expected);
    match document {
        Ok(document) => is_consistent(&document),
        Err(malformed) => is_where_it_says(&malformed, text),
    }
}

fn is_consistent(document: &Document) -> Result<(), TestCaseError> {
    let mut indented = Vec::new();
    document.root().write_indented(&mut indented).unwrap();
    let again = Document::parse(indented).unwrap();
    prop_assert_eq!(Tree::of_node(again.root()), Tree::of_node(document.root()));
    let raw = Document::parse(document.root().raw().into()).unwrap();
    prop_assert_eq!(raw.root().raw(), document.text().trim_matches([' ', '\n', '\r', '\t']));
    every_node(document.root(), &JsonPath::root(), document.root())
}

fn every_node(node: Node<'_>, path: &JsonPath, root: Node<'_>) -> Result<(), TestCaseError> {
    let alone = Document::parse(node.raw().into()).unwrap();
    prop_assert_eq!(Tree::of_node(alone.root()), Tree::of_node(node));
    prop_assert_eq!(root.locate(path).unwrap().span(), node.span());
    for (index, element) in node.elements().enumerate() {
        every_node(element, &path.clone().index(index), root)?;
    }
    for member in node.members() {
        prop_assert!(!member.repeated);
        every_node(member.value, &path.clone().member(member.name), root)?;
    }
    Ok(())
}

/// What stands before a fault is without fault: JSON, or JSON cut off.
fn is_where_it_says(malformed: &Malformed, text: &[u8]) -> Result<(), TestCaseError> {
    let position = malformed.position();
    prop_assert_eq!(malformed.source(), text);
    let before = &malformed.source()[..position.offset];
    let last_line = before.rsplit(|byte| *byte == b'\n').next().unwrap();
    prop_assert_eq!(position.line, before.split(|byte| *byte == b'\n').count());
    prop_assert_eq!(position.column, last_line.len() + 1);
    if let Err(earlier) = Document::parse(before.to_vec()) {
        prop_assert_eq!(earlier.position(), position, "{} before {}", earlier, malformed);
    }
    // A byte that was not expected is at fault whatever follows it.
    let through_fault = malformed.source().get(..=position.offset);
    if let Some(through_fault) = through_fault.filter(|_| malformed.to_string().starts_with("expected")) {
        let at_fault = Document::parse(through_fault.to_vec()).unwrap_err();
        prop_assert_eq!(at_fault.position(), position, "{} in place of {}", at_fault, malformed);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_soup_of_pieces_is_read_as_serde_json_reads_it(text in soup()) {
        agrees_with_serde(&text.0)?;
    }

    #[test]
    fn any_bytes_are_read_as_serde_json_reads_them(text in prop::collection::vec(any::<u8>(), 0..20).prop_map(Text)) {
        agrees_with_serde(&text.0)?;
    }

    #[test]
    fn json_and_what_is_nearly_json_is_read_as_serde_json_reads_it(text in nearly_json()) {
        agrees_with_serde(&text.0)?;
    }

    /// Both ways to find a repeated key: by search, and in objects of many keys by a set.
    #[test]
    fn repeated_keys_are_found_among_many(ids in prop::collection::vec((0..60u8, any::<bool>(), any::<bool>()), 0..40)) {
        let spell = |(id, escaped, nested): (u8, bool, bool)| {
            let letter = char::from(b'A' + id % 60);
            let key = if escaped || !letter.is_ascii_alphabetic() { format!("\\u{:04x}", u32::from(letter)) } else { letter.to_string() };
            format!("\"{key}\":{}", if nested { "{\"A\":[{\"B\":1}]}" } else { "0" })
        };
        let members: Vec<_> = ids.iter().copied().map(spell).collect();
        let text = format!("{{{}}}", members.join(","));
        let mut seen = HashSet::new();
        let repeated: Vec<_> = ids.iter().map(|(id, ..)| !seen.insert(*id)).collect();

        let tolerant = Document::parse_tolerating(text.clone().into_bytes(), |path| *path == JsonPath::root()).unwrap();
        let marked: Vec<_> = tolerant.root().members().map(|member| member.repeated).collect();
        prop_assert_eq!(&marked, &repeated);

        let offset = Document::parse(text.into_bytes()).err().map(|malformed| malformed.position().offset);
        let first = repeated.iter().position(|repeated| *repeated);
        prop_assert_eq!(offset, first.map(|first| 1 + members[..first].iter().map(|member| member.len() + 1).sum::<usize>()));
    }

    /// Only the objects at tolerated paths may hold a key twice.
    #[test]
    fn repetition_is_tolerated_where_it_is_and_nowhere_else(depth in 0..6usize, tolerated in 0..6usize) {
        let text = format!("{}{{\"k\":1,\"k\":2}}{}", "[0,{\"in\":".repeat(depth), "}]".repeat(depth));
        let path = |depth| (0..depth).fold(JsonPath::root(), |path: JsonPath, _| path.index(1).member("in"));
        let document = Document::parse_tolerating(text.into_bytes(), |here| *here == path(tolerated));
        prop_assert_eq!(document.is_ok(), depth == tolerated);
    }
}

#[test]
fn indented_text_has_a_line_for_each_member_and_element() {
    let document = Document::parse(br#"{"a":[1.0,{"\u0062":"\u0063"},[],{}],"d":null}"#.to_vec()).unwrap();
    let mut lines = Vec::new();
    document.root().write_indented(&mut lines).unwrap();
    let expected = r#"{
  "a": [
    1.0,
    {
      "b": "\u0063"
    },
    [],
    {}
  ],
  "d": null
}"#;
    assert_eq!(String::from_utf8(lines).unwrap(), expected);
}
