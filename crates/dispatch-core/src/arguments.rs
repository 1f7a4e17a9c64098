//! Judging arguments: every error at once, each with its place.
//!
//! The arguments are judged as they were written, before anything is made of them. What comes out is what will run: numbers normalised,
//! defaults filled in.

mod details;
#[cfg(feature = "json-schema")]
mod external;
mod union;
mod values;
mod walk;

use serde_json::Value;

use crate::failure::Detail;
use crate::json::{Document, JsonPath, Kind, Node};
use crate::schema::{Schema, UnsupportedSchema, places};

/// What judges the arguments of one tool.
#[derive(Debug)]
pub(crate) enum Judge {
    /// Our own, for the subset of JSON Schema that argument types give.
    Own(Schema),
    /// A full validator, for all that is beyond it.
    #[cfg(feature = "json-schema")]
    External(Box<external::External>),
}

impl Judge {
    /// Reads a schema of arguments, which are always an object.
    ///
    /// # Errors
    ///
    /// [`UnsupportedSchema`] names the place of a keyword that is not judged, of what makes the schema a broken one, or of a default that
    /// does not fit.
    pub(crate) fn new(schema: &Value) -> Result<Self, UnsupportedSchema> {
        let judge = Self::read(schema)?;
        check_root(schema)?;
        judge.check_defaults(schema)?;
        Ok(judge)
    }

    fn read(schema: &Value) -> Result<Self, UnsupportedSchema> {
        match Schema::compile(schema) {
            Ok(schema) => Ok(Self::Own(schema)),
            #[cfg(feature = "json-schema")]
            Err(beyond_our_own) if !beyond_our_own.is_broken() => {
                external::External::new(schema).map(|external| Self::External(Box::new(external)))
            }
            Err(unsupported) => Err(unsupported),
        }
    }

    /// Judges arguments, and returns them with their defaults.
    ///
    /// # Errors
    ///
    /// All that is wrong with them.
    pub(crate) fn judge(&self, args: Node<'_>) -> Result<Value, Vec<Detail>> {
        if args.kind() != Kind::Object {
            return Err(walk::not_an_object(args));
        }
        match self {
            Self::Own(schema) => walk::judge(schema, args),
            #[cfg(feature = "json-schema")]
            Self::External(external) => external.judge(args),
        }
    }

    /// A default is filled in unjudged, so it is judged here, once.
    fn check_defaults(&self, schema: &Value) -> Result<(), UnsupportedSchema> {
        for (inner, path) in places::every(schema) {
            if let Some(default) = inner.get("default")
                && let Some(fault) = self.fault_of_default(inner, &path, default)?
            {
                let path = path.member("default");
                return Err(UnsupportedSchema::broken(path, format!("the default does not fit: {fault}")));
            }
        }
        Ok(())
    }

    fn fault_of_default(
        &self,
        schema: &Value,
        #[cfg_attr(not(feature = "json-schema"), expect(unused_variables, reason = "our own judge needs no place"))]
        path: &JsonPath,
        default: &Value,
    ) -> Result<Option<String>, UnsupportedSchema> {
        let Ok(text) = Document::parse(default.to_string().into()) else {
            return Ok(Some("it can't be written as JSON".to_owned()));
        };
        match self {
            Self::Own(whole) => Ok(walk::fault_by(whole, &Schema::form(schema)?, text.root())),
            #[cfg(feature = "json-schema")]
            Self::External(external) => Ok(external.fault_at(path, &text.root().to_json())),
        }
    }
}

/// Arguments are an object, whatever a schema says.
fn check_root(schema: &Value) -> Result<(), UnsupportedSchema> {
    let may_be_object = |types: &Value| {
        types == "object" || types.as_array().is_some_and(|types| types.iter().any(|name| name == "object"))
    };
    match schema.get("type") {
        Some(types) if !may_be_object(types) => {
            let reason = "arguments are an object, and it allows none";
            Err(UnsupportedSchema::broken(JsonPath::root().member("type"), reason.to_owned()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
