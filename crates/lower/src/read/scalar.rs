//! Single values: text, numbers, one of several.

use std::sync::Arc;

use diag::{Diagnostic, nearest};
use model::{Data, Value};
use syntax::{Node, NodeData};
use types::Shape;

use super::{Reader, written};
use crate::codes;

impl Reader<'_, '_> {
    pub(super) fn one_of(&mut self, node: &Node, texts: &[Arc<str>]) -> Option<Value> {
        let value = self.text(node)?;
        let text = value.as_str().unwrap_or_default();
        if !texts.iter().any(|it| **it == *text) {
            let known = texts.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
            let message = format!("`{text}` is not one of {known}");
            let mut diagnostic = Diagnostic::error(codes::NOT_ONE_OF, node.span, message);
            if let Some(likely) = nearest(text, texts.iter().map(|it| &**it)) {
                diagnostic = diagnostic.help(format!("did you mean `{likely}`?")).replace(
                    format!("Change to `{likely}`"),
                    node.span,
                    likely,
                );
            }
            self.declarations.diagnostics.push(diagnostic);
        }
        Some(value)
    }

    pub(super) fn integer(&mut self, node: &Node, min: i64, max: i64) -> Option<Value> {
        let (shown, is_small) = match node.data {
            NodeData::Int(number) if (min..=max).contains(&number) => {
                return Some(written(Data::Int(number), node.span));
            }
            NodeData::Int(number) => (number.to_string(), number < min),
            NodeData::Float(number) if is_large(number) => {
                (self.sources.text(node.span).to_owned(), number < 0.0)
            }
            _ => return self.wrong(node, &Shape::Integer { min, max }),
        };
        let message = match (is_small, max) {
            (true, i64::MAX) => format!("{shown} is less than {min}"),
            (false, _) if min == i64::MIN => format!("{shown} is more than {max}"),
            _ => format!("{shown} is not between {min} and {max}"),
        };
        self.report(Diagnostic::error(codes::OUT_OF_RANGE, node.span, message));
        None
    }

    pub(super) fn scalar(&mut self, node: &Node, fits: bool, shape: &Shape) -> Option<Value> {
        if fits { Some(self.any(node)) } else { self.wrong(node, shape) }
    }

    /// Text; a number or boolean is taken as it is written (YAML would read `1.10` as 1.1).
    pub(crate) fn text(&mut self, node: &Node) -> Option<Value> {
        match &node.data {
            NodeData::String(text, _) if self.may_refer(text) => Some(self.any_template(node, text)),
            NodeData::String(text, _) => Some(written(Data::String(Arc::clone(text)), node.span)),
            NodeData::Bool(_) | NodeData::Int(_) | NodeData::Float(_) => {
                let raw = self.sources.text(node.span);
                let what = node.kind_name();
                let diagnostic = Diagnostic::warning(
                    codes::NOT_QUOTED,
                    node.span,
                    format!("expected text, found a {what}"),
                )
                .help(format!("it is read as the text `{raw}`; put it in quotes to make this explicit"))
                .replace("Put it in quotes", node.span, format!("\"{raw}\""));
                self.declarations.diagnostics.push(diagnostic);
                Some(written(Data::String(raw.into()), node.span))
            }
            _ => self.wrong(node, &Shape::Text),
        }
    }
}

/// True if a number exceeds all integers that can be distinguished.
pub(super) fn is_large(number: f64) -> bool {
    number.is_finite() && number.abs() >= i64::MAX as f64
}
