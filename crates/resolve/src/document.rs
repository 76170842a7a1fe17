//! Problems as documents, YAML or JSON (DESIGN §3.5).
//!
//! ```yaml
//! format: planloom.problem/1
//! variables:
//!   - id: web
//!     constraints:
//!       - mandatory                       # or `prohibited`
//!       - dependency: [api-2, api-1]      # earlier ones are preferred
//!         text: the shop needs an api     # for people; optional on any constraint
//!       - conflict: legacy
//!       - at_most: {n: 1, of: [api-1, api-2]}
//!       - or: [{dependency: [a]}, {not: {conflict: b}}]      # `and`, `or` and `not` nest
//!       - mandatory: true                 # with a text of its own
//!         text: the shop is what it is for
//!   - id: legacy                          # without constraints
//! entities:                               # optional: data about what the variables represent
//!   - id: api-1
//!     properties: {version: 1.0.0}
//! ```
//! Keys that begin with `x-` are ignored.

mod mentions;
mod properties;
mod reader;
mod rules;

use diag::Diagnostics;
use syntax::{Document, Node};

use crate::{Constraint, Entities, Id, Problem, Variable, check};
use reader::Reader;

/// The only supported value of `format`.
pub const FORMAT: &str = "planloom.problem/1";

/// The content of a document.
#[derive(Clone, Debug, Default)]
pub struct ProblemDocument {
    /// The problem, without its invalid parts.
    pub problem: Problem,
    /// The entities; a variable and an entity with the same name belong together.
    pub entities: Entities,
    /// The diagnostics of the document, each with its place.
    pub diagnostics: Diagnostics,
}

/// True if a document declares that it is a problem, of any version.
pub fn is_problem(document: &Document) -> bool {
    let format = document.root.as_ref().and_then(|it| it.get("format")).and_then(Node::as_str);
    format.is_some_and(|it| it.split('/').next() == FORMAT.split('/').next())
}

/// Reads a problem. It never fails: all errors are reported.
pub fn read(document: &Document) -> ProblemDocument {
    let mut reader = Reader::default();
    let (mut variables, mut entities) = (Vec::new(), Entities::default());
    if let Some(root) = &document.root {
        (variables, entities) = reader.file(root);
    }
    reader.check_mentions(&variables);
    let mut diagnostics = reader.diagnostics;
    check::duplicates(&variables, &mut diagnostics);
    ProblemDocument { problem: Problem::unchecked(variables), entities, diagnostics }
}

/// Reads the variables of a problem whose other variables are generated when they are requested: mentioned
/// variables need not exist.
pub fn variables(document: &Document) -> (Vec<Variable>, Diagnostics) {
    let mut reader = Reader::default();
    let variables = document.root.as_ref().map(|it| reader.file(it).0).unwrap_or_default();
    (variables, reader.diagnostics)
}

impl Reader {
    fn file(&mut self, root: &Node) -> (Vec<Variable>, Entities) {
        let Some(mapping) = self.mapping(root, "a problem") else { return Default::default() };
        self.only(mapping, "a problem", &["format", "variables", "entities"]);
        match mapping.get("format") {
            Some(format) => self.format(format),
            None => self.missing(root.span, "`format`", &format!("add `format: {FORMAT}`")),
        }
        let variables = match mapping.get("variables") {
            Some(variables) => self.sequence(variables, "`variables`"),
            None => &[],
        };
        let variables = variables.iter().filter_map(|it| self.variable(it)).collect();
        let entities = mapping.get("entities").map(|it| self.entities(it));
        (variables, entities.unwrap_or_default())
    }

    fn variable(&mut self, node: &Node) -> Option<Variable> {
        let mapping = self.mapping(node, "a variable")?;
        self.only(mapping, "a variable", &["id", "constraints"]);
        let id = self.id(mapping, node.span, "a variable")?;
        let constraints = match mapping.get("constraints") {
            Some(constraints) => self.sequence(constraints, "`constraints`"),
            None => &[],
        };
        let constraints: Vec<Constraint> = constraints.iter().filter_map(|it| self.constraint(it)).collect();
        let origin = mapping.get("id").map(|it| it.span);
        Some(Variable { id, constraints, origin })
    }

    /// The name in the key `id`.
    fn id(&mut self, mapping: &syntax::Mapping, span: diag::Span, what: &str) -> Option<Id> {
        let Some(id) = mapping.get("id") else {
            self.missing(span, &format!("the `id` of {what}"), "add `id: …` with a unique name");
            return None;
        };
        self.text(id, "an `id`")
    }
}

#[cfg(test)]
mod tests;
