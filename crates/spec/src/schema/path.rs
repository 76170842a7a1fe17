//! Paths of declared fields: `spec.containers[].image`, `labels{}`.

use ::fields::schema::{Cardinality, Scalar};
use diag::Diagnostic;

use crate::{
    codes::{FIELD_PATH, LIMIT},
    skeleton::{Text, in_place_of},
    words::snake,
};

/// More than any message is deep, and not so many that a hostile path overflows the stack.
const MAX_DEPTH: usize = 32;

/// A name on the way, with what follows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step<'a> {
    pub(super) name: &'a str,
    pub(super) cardinality: Cardinality,
}

/// The steps of a path, or the error in it.
pub(super) fn parse(path: &Text) -> Result<Vec<Step<'_>>, Box<Diagnostic>> {
    let steps: Vec<Step<'_>> = path.value.split('.').map(step).collect();
    if steps.len() > MAX_DEPTH {
        let message = format!("the path has more than {MAX_DEPTH} names");
        return Err(Box::new(Diagnostic::error(LIMIT, path.span, message).help("declare fewer levels")));
    }
    match steps.iter().find(|it| !is_name(it.name)) {
        Some(wrong) => Err(Box::new(not_a_name(path, wrong.name))),
        None => Ok(steps),
    }
}

fn step(text: &str) -> Step<'_> {
    let list = text.strip_suffix("[]").map(|name| Step { name, cardinality: Cardinality::Repeated });
    let map = || {
        let name = text.strip_suffix("{}")?;
        Some(Step { name, cardinality: Cardinality::Map(Scalar::String) })
    };
    list.or_else(map).unwrap_or(Step { name: text, cardinality: Cardinality::One })
}

/// Names of fields are `snake_case`, as in `.proto` files.
fn is_name(name: &str) -> bool {
    name.starts_with(|it: char| it.is_ascii_lowercase())
        && name.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_')
}

fn not_a_name(path: &Text, name: &str) -> Diagnostic {
    let message = format!("`{name}` is not the name of a field");
    let diagnostic = Diagnostic::error(FIELD_PATH, path.span, message);
    let fixed = path.value.split('.').map(snake).collect::<Vec<_>>().join(".");
    let is_valid = fixed.split('.').map(step).all(|it| is_name(it.name));
    match is_valid {
        true => diagnostic.replace(format!("Write `{fixed}`"), path.span, in_place_of(path, &fixed)),
        false => {
            diagnostic.help("write names in snake_case, `[]` after a list, `{}` after a map, dots between")
        }
    }
}
