use std::{fmt, str::FromStr};

/// A condition on a property of an offer, such as `golem.inf.mem.gib>=4`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Constraint {
    property: String,
    operator: Operator,
    value: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    /// Longer ones first, so that `>=` is not read as `>`.
    const ALL: [(&str, Self); 6] = [
        (">=", Self::GreaterOrEqual),
        ("<=", Self::LessOrEqual),
        ("!=", Self::NotEqual),
        ("=", Self::Equal),
        (">", Self::Greater),
        ("<", Self::Less),
    ];

    fn text(self) -> &'static str {
        Self::ALL.iter().find(|(_, it)| *it == self).map_or("=", |(text, _)| text)
    }

    const fn orders(self) -> bool {
        !matches!(self, Self::Equal | Self::NotEqual)
    }
}

impl Constraint {
    /// A property has exactly this value.
    pub(crate) fn equal(property: &str, value: &str) -> Self {
        Self { property: property.into(), operator: Operator::Equal, value: value.into() }
    }

    /// A property has at least this value.
    pub(crate) fn at_least(property: &str, value: impl fmt::Display) -> Self {
        Self { property: property.into(), operator: Operator::GreaterOrEqual, value: value.to_string() }
    }

    pub(crate) fn property(&self) -> &str {
        &self.property
    }

    /// As descriptors write it.
    pub(crate) fn plain(&self) -> String {
        format!("{}{}{}", self.property, self.operator.text(), self.value)
    }
}

/// As yagna's filters write it, in which some characters are escaped.
impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value: String = self.value.chars().flat_map(escaped).collect();
        match self.operator {
            Operator::NotEqual => write!(f, "(!({}={value}))", self.property),
            operator => write!(f, "({}{}{value})", self.property, operator.text()),
        }
    }
}

fn escaped(character: char) -> impl Iterator<Item = char> {
    let escape = matches!(character, '(' | ')' | '\\' | '*').then_some('\\');
    escape.into_iter().chain([character])
}

/// Yagna accepts a filter that it cannot read, and finds no offer for it, so a condition is checked here.
impl FromStr for Constraint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let at = text.find(['<', '>', '=', '!']).ok_or_else(|| {
            format!(
                "`{text}` does not compare: write a property, `=`, `!=`, `<`, `<=`, `>` or `>=`, and a value"
            )
        })?;
        let (property, rest) = text.split_at(at);
        let found = Operator::ALL.iter().find_map(|(sign, it)| Some((*it, rest.strip_prefix(sign)?)));
        let (operator, value) = found.ok_or_else(|| format!("`{rest}` does not begin with an operator"))?;
        let (property, value) = (property.trim(), value.trim());
        if !is_property(property) {
            return Err(format!("`{property}` is not the name of a property such as `golem.inf.mem.gib`"));
        }
        if value.is_empty() || value.starts_with(['<', '>', '=', '!']) {
            return Err(format!("`{text}` has no value behind `{}`", operator.text()));
        }
        if operator.orders() && value.parse::<f64>().is_err() {
            return Err(format!("`{value}` is not a number, so `{}` cannot compare it", operator.text()));
        }
        Ok(Self { property: property.into(), operator, value: value.into() })
    }
}

fn is_property(name: &str) -> bool {
    let is_part = |it: &str| {
        !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_!?@".contains(&byte))
    };
    name.contains('.') && name.split('.').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let read = text.parse::<Constraint>().map(|it| it.to_string());
        assert_eq!(read.as_deref().map_err(|it| &**it), expected, "{text}");
    }

    #[test]
    fn conditions_become_filters() {
        check("golem.inf.mem.gib>=4", Ok("(golem.inf.mem.gib>=4)"));
        check("golem.inf.storage.gib > 10", Ok("(golem.inf.storage.gib>10)"));
        check("golem.inf.cpu.cores=2", Ok("(golem.inf.cpu.cores=2)"));
        check("golem.node.id.name!=a(b)*", Ok(r"(!(golem.node.id.name=a\(b\)\*))"));
    }

    #[test]
    fn others_are_refused() {
        check(
            "golem.inf.mem.gib",
            Err(
                "`golem.inf.mem.gib` does not compare: write a property, `=`, `!=`, `<`, `<=`, `>` or `>=`, and a value",
            ),
        );
        check("golem.inf.mem.gib>=", Err("`golem.inf.mem.gib>=` has no value behind `>=`"));
        check("golem.inf.mem.gib==4", Err("`golem.inf.mem.gib==4` has no value behind `=`"));
        check("golem.inf.mem.gib>=four", Err("`four` is not a number, so `>=` cannot compare it"));
        check("(memory>=4", Err("`(memory` is not the name of a property such as `golem.inf.mem.gib`"));
        check("golem.a!4", Err("`!4` does not begin with an operator"));
    }
}
