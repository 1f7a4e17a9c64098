//! What can fail says how, and shows it: every public function that returns a `Result` has its `# Errors`, and an example of its own that asserts.
//!
//! The crates that others build on are held to it, this one and those beside it.
//!
//! What a trait asks of others is shown by the trait's example; its methods need their `# Errors` alone.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "a test that looks at sources reads files; core does not")]

use std::fs;
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{
    Attribute, Expr, ExprLit, ImplItemFn, ItemFn, Lit, Meta, ReturnType, Signature, TraitItemFn, Type, Visibility,
};

/// Collects what lacks something, as `name: what`.
#[derive(Default)]
struct Lacks(Vec<String>);

impl Lacks {
    fn of(source: &str) -> Vec<String> {
        let mut lacks = Self::default();
        lacks.visit_file(&syn::parse_file(source).unwrap());
        lacks.0
    }

    fn check(&mut self, attributes: &[Attribute], signature: &Signature, needs_example: bool) {
        if !may_fail(signature) {
            return;
        }
        let documentation = documentation(attributes);
        let mut demand = |what, holds: bool| {
            if !holds {
                self.0.push(format!("{}: {what}", signature.ident));
            }
        };
        demand("# Errors", documentation.contains("# Errors"));
        demand("an example that asserts", !needs_example || has_asserting_example(&documentation));
    }
}

impl<'ast> Visit<'ast> for Lacks {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if is_public(&item.vis) {
            self.check(&item.attrs, &item.sig, true);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast ImplItemFn) {
        if is_public(&item.vis) {
            self.check(&item.attrs, &item.sig, true);
        }
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        if is_public(&item.vis) {
            visit::visit_item_trait(self, item);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'ast TraitItemFn) {
        self.check(&item.attrs, &item.sig, false);
    }
}

/// What is `pub` can be reached: the lint `unreachable_pub` sees to that.
fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn may_fail(signature: &Signature) -> bool {
    let ReturnType::Type(_, returned) = &signature.output else { return false };
    let Type::Path(returned) = &**returned else { return false };
    returned.path.segments.last().is_some_and(|last| last.ident == "Result")
}

fn documentation(attributes: &[Attribute]) -> String {
    attributes.iter().filter_map(line).collect()
}

fn line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(meta) = &attribute.meta else { return None };
    let Expr::Lit(ExprLit { lit: Lit::Str(line), .. }) = &meta.value else { return None };
    meta.path.is_ident("doc").then(|| line.value() + "\n")
}

/// Whether an assertion stands between two fences.
fn has_asserting_example(documentation: &str) -> bool {
    documentation.split("```").skip(1).step_by(2).any(|example| example.contains("assert"))
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

/// The libraries, by their folders.
const LIBRARIES: [&str; 2] = ["dispatch-core", "dispatch-providers"];

#[test]
fn what_can_fail_says_how_and_shows_it() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut lacking = Vec::new();
    for path in LIBRARIES.iter().flat_map(|library| sources(&crates.join(library).join("src"))) {
        let lacks = Lacks::of(&fs::read_to_string(&path).unwrap());
        lacking.extend(lacks.into_iter().map(|lack| format!("{}: {lack}", path.display())));
    }
    lacking.sort();
    assert!(lacking.is_empty(), "{}", lacking.join("\n"));
}

#[test]
fn what_is_lacking_is_found() {
    let source = r"
        pub fn bare() -> io::Result<()> {}
        impl S {
            /// # Errors
            /// assert!(false) stands outside
            /// ```
            /// bare();
            /// ```
            pub fn unasserted() -> Result<(), E> {}
            /// # Errors
            /// ```
            /// assert!(shown().is_err());
            /// ```
            pub fn shown() -> Result<(), E> {}
            pub fn can_t_fail(by: impl Fn() -> Result<(), E>) -> Self {}
            fn private() -> Result<(), E> {}
        }
        pub trait T { fn asked(&self) -> Result<(), E>; }
        impl T for S { fn asked(&self) -> Result<(), E> {} }
    ";
    let lacking =
        ["bare: # Errors", "bare: an example that asserts", "unasserted: an example that asserts", "asked: # Errors"];
    assert_eq!(Lacks::of(source), lacking);
}
