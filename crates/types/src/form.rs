//! Forms: values that a dialect lets people write in several ways, with one canonical shape.

use std::{fmt, sync::Arc};

use diag::{Diagnostic, Span};
use model::{Data, Map, Origin, Value};
use serde_json::Value as Json;
use syntax::{Mapping, Node};

use crate::{Field, Shape};

/// A value that can be written in several ways, such as `8080:80` for a map of two ports. Forms belong to dialects: a front end
/// gives those of its kinds with their definitions, as [`Shape::Form`].
pub trait Form: fmt::Debug + Send + Sync {
    /// Its name as a type in definitions of kinds.
    fn name(&self) -> &'static str;

    /// Its name in messages, for one and for several.
    fn phrases(&self) -> [&'static str; 2];

    /// The canonical shape.
    fn canonical(&self) -> &'static Shape;

    /// The shape in which an item of it is written, where that is not the canonical one.
    fn item_as_written(&self, _item: &Node) -> Option<&'static Shape> {
        None
    }

    /// True if a node is of a type that it can be written as; the content is not considered.
    fn may_be(&self, node: &Node) -> bool;

    /// True if a node can stand for it.
    fn fits(&self, node: &Node) -> bool;

    /// The canonical value of a node; `None` if it is none, which is reported. `key` is shown if the value has no text.
    fn read(&self, reader: &mut dyn ValueReader, node: &Node, key: Span) -> Option<Value>;

    /// The field of the canonical map with a number that only one resource on a machine can have, such as a local port.
    fn exclusive(&self) -> Option<&'static str> {
        None
    }

    /// The JSON Schema of all ways to write it.
    fn schema(&self) -> Json;
}

/// A reader of values of the usual shapes, for the parts of a form.
pub trait ValueReader {
    /// A text, in which references are recorded; a number is taken as it is written, with a warning.
    fn text(&mut self, node: &Node) -> Option<Value>;

    /// A value without a known shape, in which references are recorded.
    fn any(&mut self, node: &Node) -> Value;

    /// The fields of a map.
    fn object(&mut self, mapping: &Mapping, span: Span, fields: &[Field], open: bool) -> Map;

    /// Goes down to the value of a key.
    fn enter_key(&mut self, key: Arc<str>);

    /// Goes down to an item.
    fn enter_item(&mut self, index: usize);

    /// Goes up again.
    fn leave(&mut self);

    /// Reports a problem.
    fn report(&mut self, problem: Diagnostic);

    /// Reports that a value is not of a shape.
    fn report_wrong(&mut self, node: &Node, shape: &Shape);
}

/// A value that is written in a file.
pub(crate) fn written(data: Data, span: Span) -> Value {
    Value::new(data, Origin::Written(span))
}
