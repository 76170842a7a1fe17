//! Expressions over links, for descriptors.

use lower::{AccessorError, AccessorExpression, AccessorReader};
use model::{Map, Origin, Value};
use template::{Expression, Problem, ProblemKind, Scope};

/// Reads what stands in `${…}` of a descriptor.
#[derive(Debug)]
pub(crate) struct Reader;

#[derive(Debug)]
struct ReadExpression(Expression);

impl AccessorReader for Reader {
    fn read(&self, text: &str) -> Result<Box<dyn AccessorExpression>, AccessorError> {
        match template::parse(text) {
            Ok(expression) => Ok(Box::new(ReadExpression(expression))),
            Err(problem) => {
                let help = "write e.g. `${link(\"db\").p(\"port\", 5432)}`";
                Err(AccessorError { message: problem.message, help, is_absent_link: false })
            }
        }
    }
}

impl AccessorExpression for ReadExpression {
    fn evaluate(&self, links: &Map, origin: Origin) -> Result<Value, AccessorError> {
        let scope = Scope { links, properties: None, spec: None, address: None, origin };
        self.0.evaluate(&scope).map_err(error)
    }
}

fn error(problem: Problem) -> AccessorError {
    let Problem { kind, message, .. } = problem;
    AccessorError { message, help: help(kind), is_absent_link: kind == ProblemKind::NoLink }
}

const fn help(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::NoLink => {
            "name a link under `consumes`, or write `if_link(…)` and what to do without it"
        }
        ProblemKind::NoProperty => "write a default, e.g. `p(\"port\", 5432)`",
        ProblemKind::Unknown => {
            "a value that exists only at run time can be inserted into text, but not \
                                 tested"
        }
        ProblemKind::Hidden => "a sensitive value can be inserted into text, but not tested",
        ProblemKind::Director => {
            "the link's own address is known only to the BOSH director; use the address of an instance"
        }
        _ => "only the expressions in the documentation of links are supported",
    }
}
