//! Port mappings: `80` or `8080:80` (local:remote), 1 to 65535. The canonical form is `{local_port?, remote_port}`.

use std::sync::LazyLock;

use diag::{Diagnostic, Span};
use model::{Data, Value, map_of};
use serde_json::{Value as Json, json};
use syntax::{Node, NodeData};

use super::map_form;
use crate::{
    Shape, codes,
    form::{Form, ValueReader, written},
    shape::fits_map,
};

static SHAPE: LazyLock<Shape> = LazyLock::new(|| map_form("port"));

/// The form.
#[derive(Debug)]
pub(crate) struct Port;

impl Form for Port {
    fn name(&self) -> &'static str {
        "port"
    }

    fn phrases(&self) -> [&'static str; 2] {
        ["port", "ports"]
    }

    fn canonical(&self) -> &'static Shape {
        &SHAPE
    }

    fn may_be(&self, node: &Node) -> bool {
        !matches!(node.data, NodeData::Sequence(_) | NodeData::Null)
    }

    fn fits(&self, node: &Node) -> bool {
        match &node.data {
            NodeData::Int(it) => (1..=65535).contains(it),
            NodeData::String(text, _) => parse(text).is_some(),
            NodeData::Mapping(_) => fits_map(node, SHAPE.fields(), None),
            _ => false,
        }
    }

    fn read(&self, reader: &mut dyn ValueReader, node: &Node, _key: Span) -> Option<Value> {
        let text = match &node.data {
            NodeData::Mapping(mapping) => {
                let map = reader.object(mapping, node.span, SHAPE.fields(), false);
                return Some(written(Data::Map(map), node.span));
            }
            NodeData::String(text, _) => text.to_string(),
            NodeData::Int(number) => number.to_string(),
            _ => {
                reader.report_wrong(node, &Shape::Form(&Self));
                return None;
            }
        };
        let Some((local, remote)) = parse(&text) else {
            let help =
                "write `80`, or `8080:80` for local port 8080 to remote port 80; ports go from 1 to 65535";
            let problem = Diagnostic::error(codes::BAD_PORT, node.span, format!("`{text}` is not a port"));
            reader.report(problem.help(help));
            return None;
        };
        let number = |port: u16| written(Data::Int(i64::from(port)), node.span);
        let mut map = map_of([("remote_port".into(), number(remote))]);
        map.extend(local.map(|local| ("local_port".into(), number(local))));
        Some(written(Data::Map(map), node.span))
    }

    fn exclusive(&self) -> Option<&'static str> {
        Some("local_port")
    }

    fn schema(&self) -> Json {
        json!({"anyOf": [
            {"type": "string", "pattern": "^([0-9]{1,5}:)?[0-9]{1,5}$"},
            {"type": "integer", "minimum": 1, "maximum": 65535},
            {"$ref": "#/$defs/port"},
        ]})
    }
}

/// The local and the remote port of a text.
fn parse(text: &str) -> Option<(Option<u16>, u16)> {
    match text.split_once(':') {
        Some((local, remote)) => Some((Some(parse_number(local)?), parse_number(remote)?)),
        None => Some((None, parse_number(text)?)),
    }
}

/// Decimal digits only: no sign, no white space.
fn parse_number(text: &str) -> Option<u16> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_read_and_anything_else_refused() {
        assert_eq!(parse("80"), Some((None, 80)));
        assert_eq!(parse("8080:80"), Some((Some(8080), 80)));
        for text in ["80/tcp", ":80", "80:", "a:80", "0", "70000", "+80", " 80", "", "1:2:3", "80:0"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
