use std::{cmp::Ordering, fmt, str::FromStr};

use serde_json::Value;

use crate::{
    FieldPath, MessageType, ParseError, codes,
    compare::{Absent, Key, ValueType},
    error::quoted,
    path::{Reader, Spelling},
};

/// The most fields of an order.
const MOST: usize = 16;

/// The longest order, in bytes.
const LONGEST: usize = 65_536;

/// The order of a list of resources: `display_name asc, spec.size desc`. Without a direction it is ascending.
///
/// An order without `name` has it last, in the direction of the last field, so that no two resources are equal; Goten's
/// indices have this too. Values that are null or absent come first, then truth values, numbers, texts; in a message of a
/// known type, absent scalars have their defaults, and values compare by their type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderBy {
    fields: Vec<(FieldPath, Direction)>,
}

/// Upwards or downwards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// `asc`
    #[default]
    Ascending,
    /// `desc`
    Descending,
}

impl Direction {
    /// `asc`, `desc`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ascending => "asc",
            Self::Descending => "desc",
        }
    }

    const fn apply(self, ordering: Ordering) -> Ordering {
        match self {
            Self::Ascending => ordering,
            Self::Descending => ordering.reverse(),
        }
    }
}

impl OrderBy {
    /// Reads an order; an empty text is the order by name.
    ///
    /// # Errors
    /// As [`FieldPath::parse`]; `fields/order-syntax` for other words than a direction or a comma; `fields/order-duplicate` for
    /// a field that is written twice; `fields/order-limit` for more than 16 fields or 64 KiB.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut fields: Vec<(FieldPath, Direction)> = Vec::new();
        let mut reader = Reader::new(text, 0, Spelling::Text);
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        loop {
            reader.at += spaces(text, reader.at);
            let start = reader.at;
            let path = reader.path()?;
            check(&path, start, &fields, text)?;
            let direction = direction(text, &mut reader.at)?;
            fields.push((path, direction));
            if reader.at == text.len() {
                return Ok(Self { fields });
            }
            reader.at += 1;
        }
    }

    /// The fields as they were written.
    pub fn fields(&self) -> &[(FieldPath, Direction)] {
        &self.fields
    }

    /// Prepares the order for messages of a type, or for any values.
    ///
    /// # Errors
    /// With a type: `fields/unknown-field` for a field that it does not have, and `fields/order-type` for one that has
    /// several values.
    pub fn bind<'a>(&self, of: Option<MessageType<'a>>) -> Result<Sorter<'a>, ParseError> {
        let name = FieldPath::of_names(["name"]);
        let mut fields =
            self.fields.iter().map(|(path, it)| column(path, *it, of)).collect::<Result<Vec<_>, _>>()?;
        if !self.fields.iter().any(|(path, _)| *path == name) {
            let direction = self.fields.last().map_or(Direction::Ascending, |(_, it)| *it);
            fields.push(Column { path: name, direction, ty: ValueType::Text, absent: Absent::Null });
        }
        Ok(Sorter { fields })
    }
}

fn spaces(text: &str, at: usize) -> usize {
    text.bytes().skip(at).take_while(|it| *it == b' ').count()
}

fn check(
    path: &FieldPath,
    at: usize,
    before: &[(FieldPath, Direction)],
    text: &str,
) -> Result<(), ParseError> {
    if before.len() == MOST || text.len() > LONGEST {
        let message = format!("the order has more than {MOST} fields or {LONGEST} bytes");
        return Err(ParseError::new(codes::ORDER_LIMIT, at, message, "order by fewer fields"));
    }
    if path.has_wildcard() {
        return Err(ParseError::new(codes::ORDER_SYNTAX, at, "`*` has no order", "order by one field"));
    }
    if before.iter().any(|(it, _)| it == path) {
        let message = format!("{} is in the order twice", quoted(&path.to_string()));
        return Err(ParseError::new(codes::ORDER_DUPLICATE, at, message, "write each field once"));
    }
    Ok(())
}

/// Reads a direction, up to a comma or the end.
fn direction(text: &str, at: &mut usize) -> Result<Direction, ParseError> {
    let start = *at + spaces(text, *at);
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.find(',').unwrap_or(rest.len());
    *at = start + end;
    match rest.get(..end).unwrap_or_default().trim_end() {
        "" => Ok(Direction::Ascending),
        it if it.eq_ignore_ascii_case("asc") => Ok(Direction::Ascending),
        it if it.eq_ignore_ascii_case("desc") => Ok(Direction::Descending),
        _ => {
            let help = "write `asc` or `desc` after a field, and a comma between fields";
            Err(ParseError::new(
                codes::ORDER_SYNTAX,
                start,
                "expected `asc`, `desc`, a comma or the end",
                help,
            ))
        }
    }
}

fn column<'a>(
    path: &FieldPath,
    direction: Direction,
    of: Option<MessageType<'a>>,
) -> Result<Column<'a>, ParseError> {
    let Some(of) = of else {
        return Ok(Column { path: path.clone(), direction, ty: ValueType::Untyped, absent: Absent::Null });
    };
    let end = path.resolve(of)?;
    let absent = if end.is_element { Absent::Null } else { Absent::of(end.field) };
    if end.many_at.is_some() || absent == Absent::Empty {
        let message = format!("{} has several values, which have no order", quoted(&path.to_string()));
        return Err(ParseError::new(codes::ORDER_TYPE, 0, message, "order by a field that has one value"));
    }
    Ok(Column { ty: ValueType::of(end.field, of), path: end.path, direction, absent })
}

impl FromStr for OrderBy {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

/// The canonical text, which [`OrderBy::parse`] reads back.
impl fmt::Display for OrderBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (path, direction)) in self.fields.iter().enumerate() {
            write!(f, "{}{path} {}", if index == 0 { "" } else { ", " }, direction.as_str())?;
        }
        Ok(())
    }
}

/// An order that is ready to compare many values.
#[derive(Clone, Debug)]
pub struct Sorter<'a> {
    fields: Vec<Column<'a>>,
}

#[derive(Clone, Debug)]
struct Column<'a> {
    path: FieldPath,
    direction: Direction,
    ty: ValueType<'a>,
    absent: Absent,
}

impl Column<'_> {
    fn key<'v>(&self, value: Option<&'v Value>) -> Key<'v> {
        match value.filter(|it| !it.is_null()) {
            Some(value) => Key::of(self.ty, value),
            None if self.absent == Absent::Default => Key::default_of(self.ty),
            None => Key::Null,
        }
    }
}

impl Sorter<'_> {
    /// The order of two resources.
    pub fn compare(&self, left: &Value, right: &Value) -> Ordering {
        self.compare_keys(&self.keys(left), &self.keys(right))
    }

    /// The order of two resources that have these values: those of their [cursors](crate::Cursor).
    pub fn compare_values(&self, left: &[Value], right: &[Value]) -> Ordering {
        self.compare_keys(&self.keys_of(left), &self.keys_of(right))
    }

    /// True if it is the order of names, and nothing else.
    pub(crate) fn is_by_name(&self) -> bool {
        let name = |it: &Column<'_>| it.path.names().eq(["name"]) && it.direction == Direction::Ascending;
        matches!(&*self.fields, [only] if name(only))
    }

    /// The keys by which a resource is ordered.
    pub(crate) fn keys<'v>(&self, value: &'v Value) -> Vec<Key<'v>> {
        self.fields.iter().map(|it| it.key(it.path.get(value))).collect()
    }

    /// The values that a resource is ordered by; null where there is none.
    pub(crate) fn values(&self, value: &Value) -> Vec<Value> {
        self.fields.iter().map(|it| it.path.get(value).cloned().unwrap_or_default()).collect()
    }

    /// The keys by which a resource that has these values is ordered.
    pub(crate) fn keys_of<'v>(&self, values: &'v [Value]) -> Vec<Key<'v>> {
        self.fields.iter().enumerate().map(|(index, it)| it.key(values.get(index))).collect()
    }

    pub(crate) fn compare_keys(&self, left: &[Key<'_>], right: &[Key<'_>]) -> Ordering {
        let each = self.fields.iter().zip(left.iter().zip(right));
        each.map(|(field, (left, right))| field.direction.apply(left.total(right)))
            .find(|it| it.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection, prelude::*};
    use serde_json::json;

    use super::*;
    use crate::testing::{any_message, message_path, service};

    #[test]
    fn orders_are_read_and_printed() {
        for (text, printed) in [
            ("", ""),
            ("a", "a asc"),
            (" a , b.c DESC,d asc ", "a asc, b.c desc, d asc"),
            ("labels.`a,b` desc", "labels.`a,b` desc"),
        ] {
            assert_eq!(OrderBy::parse(text).unwrap().to_string(), printed, "{text}");
        }
        let many = (0..17).map(|it| format!("a{it}")).collect::<Vec<_>>().join(",");
        for (text, code, byte) in [
            ("a,", "fields/path-syntax", 2),
            ("a up", "fields/order-syntax", 2),
            ("a b", "fields/order-syntax", 2),
            ("a desc asc", "fields/order-syntax", 2),
            ("b, a.*", "fields/order-syntax", 3),
            ("a, b, a desc", "fields/order-duplicate", 6),
            (&many, "fields/order-limit", many.len() - 3),
        ] {
            let error = OrderBy::parse(text).unwrap_err();
            assert_eq!((error.code.as_str(), error.byte), (code, byte), "{text}");
        }
    }

    #[test]
    fn values_are_ordered_as_what_they_are() {
        let schema = service();
        let pod = MessageType::new(&schema, "Pod").unwrap();
        let order = |text: &str| OrderBy::parse(text).unwrap().bind(Some(pod)).unwrap();
        let item = |name: &str, size: &str| json!({"name": name, "size": size});
        for (text, left, right, ordering) in [
            ("size", item("a", "9"), item("b", "10"), Ordering::Less),
            ("size desc", item("a", "9"), item("b", "10"), Ordering::Greater),
            ("size", json!({"name": "a"}), item("b", "-1"), Ordering::Greater),
            ("size", item("a", "9"), item("b", "9"), Ordering::Less),
            ("size desc", item("a", "9"), item("b", "9"), Ordering::Greater),
            ("name desc, size", item("a", "9"), item("b", "8"), Ordering::Greater),
            ("nickname", json!({"nickname": ""}), json!({}), Ordering::Greater),
        ] {
            assert_eq!(order(text).compare(&left, &right), ordering, "{text} {left} {right}");
        }
        for (text, code) in [
            ("tags", "fields/order-type"),
            ("spec.containers.name", "fields/order-type"),
            ("x", "fields/unknown-field"),
        ] {
            assert_eq!(OrderBy::parse(text).unwrap().bind(Some(pod)).unwrap_err().code.as_str(), code);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn orders_are_read_back_and_total(
            paths in collection::btree_set(message_path(), 0..4), desc in any::<[bool; 4]>(), values in collection::vec(any_message(), 3),
        ) {
            let direction = |it: bool| if it { Direction::Descending } else { Direction::Ascending };
            let order = OrderBy { fields: paths.into_iter().zip(desc.map(direction)).collect() };
            prop_assert_eq!(OrderBy::parse(&order.to_string()), Ok(order.clone()));
            let sorter = order.bind(None).unwrap();
            let [a, b, c] = &values[..] else { unreachable!() };
            prop_assert_eq!(sorter.compare(a, b), sorter.compare(b, a).reverse());
            prop_assert_eq!(sorter.compare(a, a), Ordering::Equal);
            prop_assert!(sorter.compare(a, b).is_gt() || sorter.compare(b, c).is_gt() || sorter.compare(a, c).is_le());
        }
    }
}
