//! Values of a wrong type, and the values that were probably meant.

use diag::Diagnostic;
use model::Value;
use syntax::{Limits, Node, NodeData, Style};
use types::{Field, Shape};

use super::{Reader, scalar::is_large};
use crate::codes::WRONG_KIND;

impl Reader<'_, '_> {
    /// A single scalar in place of a list of scalars can be fixed with brackets.
    pub(super) fn wrong_list(&mut self, node: &Node, item: &Shape, shape: &Shape) -> Option<Value> {
        if node.is_collection() || !fits(node, item) {
            return self.wrong(node, shape);
        }
        let raw = self.sources.text(node.span);
        // What is written without quotes may have characters that end it in a list.
        let is_plain = matches!(node.data, NodeData::String(_, Style::Plain));
        let list = match is_plain && raw.contains(['[', ']', '{', '}', ',']) {
            true => format!("['{}']", raw.replace('\'', "''")),
            false => format!("[{raw}]"),
        };
        let message = format!("expected {}, found one value", shape.phrase());
        let diagnostic = Diagnostic::error(WRONG_KIND, node.span, message)
            .help(format!("write `{list}`"))
            .replace("Make it a list", node.span, list);
        self.declarations.diagnostics.push(diagnostic);
        None
    }

    pub(super) fn wrong(&mut self, node: &Node, shape: &Shape) -> Option<Value> {
        let message = format!("expected {}, found {}", shape.phrase(), node.kind_name());
        let diagnostic = Diagnostic::error(WRONG_KIND, node.span, message);
        let diagnostic = match meant(node, shape) {
            Some(meant) => diagnostic.help(format!("write `{meant}`")).replace(
                format!("Change to `{meant}`"),
                node.span,
                meant,
            ),
            None => diagnostic.help(format!("change the value of `{}`", self.label())),
        };
        self.report(diagnostic);
        None
    }
}

/// The value that was probably meant by one of a wrong type: without its quotes, or without `.0`.
pub(super) fn meant(node: &Node, shape: &Shape) -> Option<String> {
    let text = match (&node.data, shape) {
        (
            NodeData::String(text, Style::SingleQuoted | Style::DoubleQuoted),
            Shape::Integer { .. } | Shape::Number | Shape::Boolean,
        ) => text.to_string(),
        (NodeData::Float(number), Shape::Integer { .. }) if number.fract() == 0.0 && !is_large(*number) => {
            format!("{number:.0}")
        }
        _ => return None,
    };
    let plain = syntax::parse(node.span.file, &text, &Limits::default());
    let fits = plain.document.root.is_some_and(|it| shape.fits(&it));
    (fits && plain.diagnostics.is_empty()).then_some(text)
}

/// True if a field may have a value of that type.
pub(crate) fn takes(field: &Field, value: &Node) -> bool {
    matches!(value.data, NodeData::Null) || fits(value, &field.shape)
}

/// True if a node has the type that a shape requires, without checking its content.
pub(super) fn fits(node: &Node, shape: &Shape) -> bool {
    match shape {
        Shape::List(_) => node.as_sequence().is_some(),
        Shape::MapOf(_) | Shape::Object { .. } => node.as_mapping().is_some(),
        Shape::Integer { .. } => matches!(node.data, NodeData::Int(_)),
        Shape::Number => matches!(node.data, NodeData::Int(_) | NodeData::Float(_)),
        Shape::Boolean => matches!(node.data, NodeData::Bool(_)),
        Shape::Text | Shape::OneOf(_) | Shape::Cidr | Shape::IpAddress { .. } | Shape::Reference { .. } => {
            !node.is_collection() && !matches!(node.data, NodeData::Null)
        }
        Shape::Form(form) => form.may_be(node),
        Shape::Either(shapes) => shapes.iter().any(|shape| fits(node, shape)),
        _ => true,
    }
}
