use std::net::IpAddr;

use syntax::{Node, NodeData};

use crate::{Edge, Field, Shape, parse_cidr};

impl Shape {
    /// The permitted values, for messages: `text`, `list of ports`, `name of a network`.
    pub fn phrase(&self) -> String {
        match self {
            Shape::Any => "anything".into(),
            Shape::Text => "text".into(),
            Shape::OneOf(texts) => alternatives(texts.iter().map(|text| format!("`{text}`")).collect()),
            Shape::Integer { min, max } => whole_number(*min, *max),
            Shape::Number => "number".into(),
            Shape::Boolean => "true or false".into(),
            Shape::Cidr => "network address".into(),
            Shape::IpAddress { .. } => "IP address".into(),
            Shape::Form(form) => form.phrases()[0].into(),
            Shape::Either(shapes) => alternatives(shapes.iter().map(Shape::phrase).collect()),
            Shape::List(item) => format!("list of {}", item.plural()),
            Shape::MapOf(value) => format!("map of {}", value.plural()),
            Shape::Object { .. } => "map".into(),
            Shape::Reference { to, .. } => format!("name of {} {to}", article(to)),
        }
    }

    /// Several of them, for people: `texts`, `names of networks`.
    fn plural(&self) -> String {
        match self {
            Shape::Text | Shape::OneOf(_) => "texts".into(),
            Shape::Any => "anything".into(),
            Shape::Integer { .. } => "whole numbers".into(),
            Shape::Boolean => "true or false".into(),
            Shape::Cidr => "network addresses".into(),
            Shape::IpAddress { .. } => "IP addresses".into(),
            Shape::Form(form) => form.phrases()[1].into(),
            Shape::List(item) => format!("lists of {}", item.plural()),
            Shape::MapOf(value) => format!("maps of {}", value.plural()),
            Shape::Reference { to, .. } => format!("names of {to}s"),
            Shape::Either(shapes) => alternatives(shapes.iter().map(Shape::plural).collect()),
            Shape::Number | Shape::Object { .. } => format!("{}s", self.phrase()),
        }
    }

    /// The fields of a map form, if it has one: an object's, those of the first alternative with fields.
    pub fn fields(&self) -> &[Field] {
        match self {
            Shape::Object { fields, .. } => fields,
            Shape::Form(form) => form.canonical().fields(),
            Shape::Either(shapes) => {
                shapes.iter().map(Shape::fields).find(|it| !it.is_empty()).unwrap_or(&[])
            }
            _ => &[],
        }
    }

    /// True if, written as a map, it takes keys that are not defined.
    pub fn is_open(&self) -> bool {
        match self {
            Shape::Any | Shape::MapOf(_) => true,
            Shape::Object { open, .. } => *open,
            Shape::Either(shapes) => shapes.iter().any(Shape::is_open),
            _ => false,
        }
    }

    /// True if it may be written as a list.
    pub fn may_be_list(&self) -> bool {
        match self {
            Shape::Any | Shape::List(_) => true,
            Shape::Form(form) => form.canonical().may_be_list(),
            Shape::Either(shapes) => shapes.iter().any(Shape::may_be_list),
            _ => false,
        }
    }

    /// The kind that a name here, or in a list here, names.
    pub fn refers_to(&self) -> Option<(&str, Edge)> {
        match self {
            Shape::Reference { to, edge } => Some((to, *edge)),
            Shape::List(item) | Shape::MapOf(item) => item.refers_to(),
            Shape::Either(shapes) => shapes.iter().find_map(Shape::refers_to),
            _ => None,
        }
    }

    /// True if a tree could stand here. Looks at form only: names need not exist, addresses not lie in a range. Text
    /// with a `${…}` reference fits everywhere.
    pub fn fits(&self, node: &Node) -> bool {
        if node.as_str().is_some_and(|text| text.contains("${")) {
            return true;
        }
        match self {
            Shape::Any => true,
            Shape::Text => is_scalar(node),
            Shape::OneOf(texts) => node.as_str().is_some_and(|text| texts.iter().any(|it| &**it == text)),
            Shape::Integer { min, max } => {
                matches!(node.data, NodeData::Int(it) if (*min..=*max).contains(&it))
            }
            Shape::Number => matches!(node.data, NodeData::Int(_) | NodeData::Float(_)),
            Shape::Boolean => matches!(node.data, NodeData::Bool(_)),
            Shape::Cidr => node.as_str().and_then(parse_cidr).is_some(),
            Shape::IpAddress { .. } => node.as_str().is_some_and(|text| text.parse::<IpAddr>().is_ok()),
            Shape::Form(form) => form.fits(node),
            Shape::Either(shapes) => shapes.iter().any(|shape| shape.fits(node)),
            Shape::List(item) => node.as_sequence().is_some_and(|items| items.iter().all(|it| item.fits(it))),
            Shape::MapOf(value) => fits_map(node, &[], Some(value)),
            Shape::Object { fields, open } => fits_map(node, fields, open.then_some(&Shape::Any)),
            Shape::Reference { .. } => node.as_str().is_some(),
        }
    }
}

fn article(noun: &str) -> &'static str {
    if noun.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn alternatives(mut phrases: Vec<String>) -> String {
    let last = phrases.pop().unwrap_or_default();
    if phrases.is_empty() { last } else { format!("{} or {last}", phrases.join(", ")) }
}

fn whole_number(min: i64, max: i64) -> String {
    match (min, max) {
        (i64::MIN, i64::MAX) => "whole number".into(),
        (min, i64::MAX) => format!("whole number from {min}"),
        (i64::MIN, max) => format!("whole number up to {max}"),
        (min, max) => format!("whole number from {min} to {max}"),
    }
}

const fn is_scalar(node: &Node) -> bool {
    matches!(node.data, NodeData::Bool(_) | NodeData::Int(_) | NodeData::Float(_) | NodeData::String(..))
}

/// True if each key of a map is a fitting field or, where `others` says so, something else that fits.
pub(crate) fn fits_map(node: &Node, fields: &[Field], others: Option<&Shape>) -> bool {
    let Some(mapping) = node.as_mapping() else { return false };
    let complete = fields.iter().all(|field| !field.required || mapping.get(&field.name).is_some());
    complete
        && mapping.entries.iter().all(|entry| {
            let field = fields.iter().find(|field| field.name == entry.key).map(|field| &field.shape);
            field.or(others).is_some_and(|shape| shape.fits(&entry.value))
        })
}

#[cfg(test)]
mod tests {
    use diag::FileId;
    use syntax::{Limits, parse};

    use super::*;

    fn check(shape: &Shape, fitting: &[&str], others: &[&str]) {
        for (texts, expected) in [(fitting, true), (others, false)] {
            for text in texts {
                let root = parse(FileId(0), text, &Limits::default()).document.root.expect("a value");
                assert_eq!(shape.fits(&root), expected, "{text} as {}", shape.phrase());
            }
        }
    }

    #[test]
    fn values_fit_their_shape() {
        check(
            &Shape::Cidr,
            &["10.0.0.0/8", "10.0.0.1/29", "fd00::/64", "${networks.a.ip}"],
            &["10.0.0.0", "10.0.0.0/33", "10.0.0.0/+8", "10.0.0/8", "8", "255.255.255.0"],
        );
        check(
            &Shape::Form(crate::golem::FORMS[0]),
            &["80", "\"80\"", "\"8080:80\"", "{remote_port: 80}", "{remote_port: 80, address: x}"],
            &["0", "70000", "80/tcp", "\":80\"", "\"80:\"", "a:80", "{local_port: 80}", "[80]", "\"+80\""],
        );
        check(&Shape::Integer { min: 0, max: 10 }, &["0", "10"], &["-1", "11", "1.5", "\"1\""]);
        check(&Shape::List(Box::new(Shape::Text)), &["[a, 1]", "[]"], &["a", "[[a]]", "{a: b}"]);
        let either =
            Shape::Either(vec![Shape::List(Box::new(Shape::Text)), Shape::MapOf(Box::new(Shape::Any))]);
        check(&either, &["[a]", "{a: [1]}"], &["a"]);
        assert_eq!(either.phrase(), "list of texts or map of anything");
    }
}
