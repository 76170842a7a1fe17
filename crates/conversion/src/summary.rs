//! What a conversion says, for people: what is not the same in both versions.

use serde_json::Value;

use crate::{
    Conversion,
    conversion::ConvertedKind,
    field_conversion::{FieldConversion, FieldPair, ValueCount},
    name_conversion::{IdSource, PatternPair},
};

/// A resource type of both versions, and what is not the same of it.
#[derive(Clone, Debug, PartialEq)]
pub struct KindSummary {
    /// Its name in the old version.
    pub old: String,
    /// Its name in the new version.
    pub new: String,
    /// The forms of its names that are not the same.
    pub names: Vec<NameSummary>,
    /// The fields that are not the same, by their paths in the old version; then those that only the new version has.
    pub fields: Vec<FieldSummary>,
}

/// A form of names in both versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameSummary {
    /// The pattern in the old version.
    pub old: String,
    /// The pattern in the new version.
    pub new: String,
    /// The ids that only one version has: the variable, and its id.
    pub constants: Vec<(String, String)>,
    /// The same for those of one resource; lists have resources with any id.
    pub defaults: Vec<(String, String)>,
}

/// A field of one or both versions.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSummary {
    /// Its path in the old version, if that has it.
    pub old: Option<String>,
    /// Its path in the new version, if that has it.
    pub new: Option<String>,
    /// The values that have other names: the old one, then the new one.
    pub values: Vec<(Value, Value)>,
    /// The value where only one version has the field: always in the old one, at first in the new one.
    pub fixed: Option<Value>,
}

impl Conversion {
    /// What is not the same in both versions, by resource type.
    pub fn summary(&self) -> Vec<KindSummary> {
        self.kinds.iter().map(|it| self.summary_of(it)).collect()
    }

    fn summary_of(&self, kind: &ConvertedKind) -> KindSummary {
        let name = |id| self.services.kind(id).map(|it| it.name.to_string()).unwrap_or_default();
        let mut fields = Vec::new();
        if let Some(message) = kind.message {
            self.add_fields(message, ["", ""], 0, &mut fields);
        }
        let is_same = |it: &NameSummary| it.old == it.new;
        let names = kind.names.pairs.iter().map(name_summary).filter(|it| !is_same(it)).collect();
        KindSummary { old: name(kind.old), new: name(kind.new), names, fields }
    }

    /// Adds the fields of a message at two places. Messages that contain themselves are described down to a depth.
    fn add_fields(
        &self,
        message: usize,
        [old, new]: [&str; 2],
        depth: usize,
        fields: &mut Vec<FieldSummary>,
    ) {
        const DEEPEST: usize = 8;
        let Some(of) = self.messages.get(message).filter(|_| depth < DEEPEST) else { return };
        for pair in &of.pairs {
            let paths = [format!("{old}{}", pair.old), format!("{new}{}", pair.new)];
            let is_moved = pair.old != pair.new;
            let values = changed_values(pair);
            if is_moved || !values.is_empty() {
                let [old, new] = paths.clone().map(Some);
                fields.push(FieldSummary { old, new, values, fixed: None });
            }
            if let FieldConversion::Message(inner) = &pair.values {
                let inside = paths.map(|it| format!("{it}{}.", marks(pair.count)));
                self.add_fields(*inner, [&inside[0], &inside[1]], depth + 1, fields);
            }
        }
        for it in &of.constants {
            let (path, fixed) = (Some(format!("{old}{}", it.path)), Some(it.value.clone()));
            fields.push(FieldSummary { old: path, new: None, values: Vec::new(), fixed });
        }
        for it in &of.added {
            let fixed = of.defaults.iter().find(|default| default.path == it.path).map(|it| it.value.clone());
            let path = Some(format!("{new}{}", it.path));
            fields.push(FieldSummary { old: None, new: path, values: Vec::new(), fixed });
        }
    }
}

const fn marks(count: ValueCount) -> &'static str {
    match count {
        ValueCount::One | ValueCount::AtMostOne => "",
        ValueCount::List => "[]",
        ValueCount::Map => "{}",
    }
}

fn changed_values(pair: &FieldPair) -> Vec<(Value, Value)> {
    match &pair.values {
        FieldConversion::Values(values) => values.pairs().filter(|(old, new)| old != new).cloned().collect(),
        FieldConversion::Same | FieldConversion::Name(_) | FieldConversion::Message(_) => Vec::new(),
    }
}

fn name_summary(pair: &PatternPair) -> NameSummary {
    let (mut constants, mut defaults) = (Vec::new(), Vec::new());
    let sides = [(&pair.old, &pair.old_ids), (&pair.new, &pair.new_ids)];
    for (segment, id) in sides.iter().flat_map(|(pattern, ids)| pattern.segments().iter().zip(*ids)) {
        match id {
            IdSource::Id(_) => {}
            IdSource::Constant(id) => constants.push((segment.variable.to_string(), id.clone())),
            IdSource::Default(id) => defaults.push((segment.variable.to_string(), id.clone())),
        }
    }
    NameSummary { old: pair.old.text().to_owned(), new: pair.new.text().to_owned(), constants, defaults }
}

impl KindSummary {
    /// The summary as lines of text, the first of which is not indented. `versions` are the old one and the new one.
    pub fn lines(&self, [old, new]: [&str; 2]) -> Vec<String> {
        let title =
            if self.old == self.new { self.old.clone() } else { format!("{} -> {}", self.old, self.new) };
        if self.names.is_empty() && self.fields.is_empty() {
            return vec![format!("{title}: the same")];
        }
        let names = self.names.iter().map(|it| format!("  {}", name_line(it)));
        let fields = self.fields.iter().map(|it| format!("  {}", field_line(it, [old, new])));
        std::iter::once(title).chain(names).chain(fields).collect()
    }
}

fn name_line(name: &NameSummary) -> String {
    let fixed = |all: &[(String, String)], words: &str| {
        all.iter().map(|(variable, id)| format!(", {variable} {words} {id}")).collect::<String>()
    };
    let (constants, defaults) = (fixed(&name.constants, "is"), fixed(&name.defaults, "is by default"));
    format!("{} -> {}{constants}{defaults}", name.old, name.new)
}

fn field_line(field: &FieldSummary, [old, new]: [&str; 2]) -> String {
    let values: Vec<String> =
        field.values.iter().map(|(old, new)| format!("{} -> {}", plain(old), plain(new))).collect();
    let values = if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) };
    match (&field.old, &field.new, &field.fixed) {
        (Some(from), Some(to), _) if from == to => format!("{from}{values}"),
        (Some(from), Some(to), _) => format!("{from} -> {to}{values}"),
        (Some(from), None, fixed) => {
            format!("{from}: only in {old}, always {}", fixed.as_ref().map(plain).unwrap_or_default())
        }
        (None, Some(to), None) => format!("{to}: only in {new}"),
        (None, Some(to), Some(fixed)) => format!("{to}: only in {new}, at first {}", plain(fixed)),
        (None, None, _) => String::new(),
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
