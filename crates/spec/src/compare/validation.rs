//! The values that a field accepts. A new field may require values of new clients; old fields that accept less refuse requests
//! that were valid.

use diag::Span;
use fields::schema::{Comparison, Field, Rule};

use super::{Change, ChangeClass, ChangeKind};

/// Adds the changes in the rules of a field, in whether it can be changed, and in its group.
pub(super) fn compare(
    item: &str,
    old: &Field,
    new: &Field,
    places: (Span, Option<Span>),
    changes: &mut Vec<Change>,
) {
    let (before, after) = (rules(old), rules(new));
    let is_tighter = after.iter().any(|rule| !before.iter().any(|it| implies(it, rule)));
    let is_looser = before.iter().any(|rule| !after.iter().any(|it| implies(it, rule)));
    let change = |kind, class| Change::new(kind, class, item).at(places.0, places.1);
    if is_tighter || is_looser {
        let (kind, class) = match is_tighter {
            true => (ChangeKind::ValidationTightened, ChangeClass::Unlisted),
            false => (ChangeKind::ValidationRelaxed, ChangeClass::Compatible),
        };
        changes.push(change(kind, class).values(list(&before), list(&after)));
    }
    if old.oneof != new.oneof {
        let text = |it: &Field| it.oneof.as_deref().unwrap_or_default().to_owned();
        let change = change(ChangeKind::FieldOneofChanged, ChangeClass::Unlisted);
        changes.push(change.values(text(old), text(new)));
    }
}

/// The rules of a field, as changes show them.
pub(super) fn described(field: &Field) -> String {
    list(&rules(field))
}

/// A rule, or a limit on values that is no rule.
#[derive(Clone, Debug, PartialEq)]
enum Limit<'a> {
    Rule(&'a Rule),
    Immutable,
    OutputOnly,
}

fn rules(field: &Field) -> Vec<Limit<'_>> {
    let flags = [(field.immutable, Limit::Immutable), (field.output_only, Limit::OutputOnly)];
    let flags = flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, limit)| limit);
    field.rules.iter().map(Limit::Rule).chain(flags).collect()
}

/// True if all values that the first accepts are accepted by the second; false where that is not certain.
fn implies(first: &Limit<'_>, second: &Limit<'_>) -> bool {
    match (first, second) {
        (Limit::Rule(first), Limit::Rule(second)) => rule_implies(first, second),
        _ => first == second,
    }
}

fn rule_implies(first: &Rule, second: &Rule) -> bool {
    match (first, second) {
        (Rule::Number(a, x), Rule::Number(b, y)) => is_within(*a, x, *b, y),
        (Rule::Length(a, x), Rule::Length(b, y))
        | (Rule::Bytes(a, x), Rule::Bytes(b, y))
        | (Rule::Items(a, x), Rule::Items(b, y)) => is_within(*a, x, *b, y),
        (Rule::OneOf(few), Rule::OneOf(many)) => few.iter().all(|it| many.contains(it)),
        (Rule::NoneOf(many), Rule::NoneOf(few)) => few.iter().all(|it| many.contains(it)),
        (Rule::Each(first), Rule::Each(second)) | (Rule::EachKey(first), Rule::EachKey(second)) => {
            rule_implies(first, second)
        }
        _ => first == second,
    }
}

/// True if all numbers of the first comparison are numbers of the second.
fn is_within<T: PartialOrd>(first: Comparison, x: &T, second: Comparison, y: &T) -> bool {
    use Comparison as C;
    match (first, second) {
        (C::Less | C::AtMost | C::Equal, C::AtMost) | (C::Less, C::Less) => x <= y,
        (C::AtMost | C::Equal, C::Less) => x < y,
        (C::Greater | C::AtLeast | C::Equal, C::AtLeast) | (C::Greater, C::Greater) => x >= y,
        (C::AtLeast | C::Equal, C::Greater) => x > y,
        (C::Equal, C::Equal) => x == y,
        _ => false,
    }
}

fn list(limits: &[Limit<'_>]) -> String {
    limits.iter().map(text).collect::<Vec<_>>().join(", ")
}

fn text(limit: &Limit<'_>) -> String {
    match limit {
        Limit::Immutable => "immutable".to_owned(),
        Limit::OutputOnly => "output only".to_owned(),
        Limit::Rule(rule) => rule_text(rule),
    }
}

fn rule_text(rule: &Rule) -> String {
    match rule {
        Rule::Required => "required".to_owned(),
        Rule::Number(by, number) => format!("{} {number}", sign(*by)),
        Rule::Text(text) => format!("= {text}"),
        Rule::Length(by, number) => format!("length {} {number}", sign(*by)),
        Rule::Bytes(by, number) => format!("bytes {} {number}", sign(*by)),
        Rule::Prefix(text) => format!("begins with {text}"),
        Rule::Suffix(text) => format!("ends with {text}"),
        Rule::Format(format) => format!("{format:?}"),
        Rule::OneOf(texts) => format!("one of {}", texts.join(" ")),
        Rule::NoneOf(texts) => format!("none of {}", texts.join(" ")),
        Rule::DefinedOnly => "defined values only".to_owned(),
        Rule::Items(by, number) => format!("items {} {number}", sign(*by)),
        Rule::Unique => "unique".to_owned(),
        Rule::Each(rule) => format!("each {}", rule_text(rule)),
        Rule::EachKey(rule) => format!("each key {}", rule_text(rule)),
        Rule::BeforeNow => "before now".to_owned(),
        Rule::AfterNow => "after now".to_owned(),
        Rule::WithinSeconds(seconds) => format!("within {seconds} s"),
    }
}

const fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::Equal => "=",
        Comparison::AtLeast => ">=",
        Comparison::Greater => ">",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(first: &Rule, second: &Rule, expected: bool) {
        assert_eq!(rule_implies(first, second), expected, "{first:?} {second:?}");
    }

    #[test]
    fn rules_imply_weaker_ones() {
        let at = |by, number| Rule::Length(by, number);
        let one_of = |texts: &[&str]| Rule::OneOf(texts.iter().map(|it| (*it).into()).collect());
        check(&at(Comparison::AtMost, 5), &at(Comparison::AtMost, 6), true);
        check(&at(Comparison::AtMost, 6), &at(Comparison::AtMost, 5), false);
        check(&at(Comparison::AtMost, 5), &at(Comparison::Less, 5), false);
        check(&at(Comparison::Less, 5), &at(Comparison::AtMost, 5), true);
        check(&at(Comparison::Equal, 5), &at(Comparison::AtLeast, 5), true);
        check(&at(Comparison::Greater, 5), &at(Comparison::AtLeast, 5), true);
        check(&at(Comparison::AtMost, 5), &at(Comparison::AtLeast, 0), false);
        check(&one_of(&["a"]), &one_of(&["a", "b"]), true);
        check(&one_of(&["a", "b"]), &one_of(&["a"]), false);
        check(
            &Rule::Each(Box::new(at(Comparison::Less, 3))),
            &Rule::Each(Box::new(at(Comparison::Less, 4))),
            true,
        );
        check(&Rule::Required, &Rule::Unique, false);
    }
}
