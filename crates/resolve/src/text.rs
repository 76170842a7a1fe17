use crate::{Constraint, Rule};

/// The kind of a rule, without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKind {
    /// [`Rule::Mandatory`]
    Mandatory,
    /// [`Rule::Prohibited`]
    Prohibited,
    /// [`Rule::Conflict`]
    Conflict,
    /// [`Rule::Dependency`]
    Dependency,
    /// [`Rule::AtMost`]
    AtMost,
    /// [`Rule::And`]
    And,
    /// [`Rule::Or`]
    Or,
    /// [`Rule::Not`]
    Not,
}

impl Rule {
    /// The kind of the rule.
    pub const fn kind(&self) -> RuleKind {
        match self {
            Self::Mandatory => RuleKind::Mandatory,
            Self::Prohibited => RuleKind::Prohibited,
            Self::Conflict(_) => RuleKind::Conflict,
            Self::Dependency(_) => RuleKind::Dependency,
            Self::AtMost { .. } => RuleKind::AtMost,
            Self::And(_) => RuleKind::And,
            Self::Or(_) => RuleKind::Or,
            Self::Not(_) => RuleKind::Not,
        }
    }

    /// The text of the rule for a subject, as OLM writes it (source: deppy's constraints).
    pub fn sentence(&self, subject: &str) -> String {
        match self {
            Self::Mandatory => format!("{subject} is mandatory"),
            Self::Prohibited => format!("{subject} is prohibited"),
            Self::Conflict(other) => format!("{subject} conflicts with {other}"),
            Self::Dependency(of) if of.is_empty() => {
                format!("{subject} has a dependency without any candidates to satisfy it")
            }
            Self::Dependency(of) => format!("{subject} requires at least one of {}", of.join(", ")),
            Self::AtMost { n, of } => format!("{subject} permits at most {n} of {}", of.join(", ")),
            Self::And(rules) if rules.is_empty() => format!("{subject} has an empty constraint"),
            Self::And(rules) => joined(rules, subject, " and "),
            Self::Or(rules) if rules.is_empty() => {
                format!("{subject} has no alternative that can be satisfied")
            }
            Self::Or(rules) => joined(rules, subject, " or "),
            Self::Not(rule) => format!("it is not the case that {}", part(rule, subject)),
        }
    }
}

impl Constraint {
    /// The sentence for people: its own text, or else the rule's.
    pub fn sentence(&self, subject: &str) -> String {
        self.text.as_ref().map_or_else(|| self.rule.sentence(subject), ToString::to_string)
    }
}

fn joined(rules: &[Rule], subject: &str, word: &str) -> String {
    rules.iter().map(|it| part(it, subject)).collect::<Vec<_>>().join(word)
}

/// A sentence inside another one.
fn part(rule: &Rule, subject: &str) -> String {
    let is_joined = matches!(rule, Rule::And(rules) | Rule::Or(rules) if rules.len() > 1);
    let sentence = rule.sentence(subject);
    if is_joined { format!("({sentence})") } else { sentence }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rule: Rule, kind: RuleKind, sentence: &str) {
        assert_eq!((rule.kind(), rule.sentence("a").as_str()), (kind, sentence));
    }

    #[test]
    fn the_words_are_those_of_olm() {
        let ids = || vec!["x".into(), "y".into()];
        check(Rule::Mandatory, RuleKind::Mandatory, "a is mandatory");
        check(Rule::Prohibited, RuleKind::Prohibited, "a is prohibited");
        check(Rule::Conflict("b".into()), RuleKind::Conflict, "a conflicts with b");
        check(Rule::Dependency(ids()), RuleKind::Dependency, "a requires at least one of x, y");
        let none = "a has a dependency without any candidates to satisfy it";
        check(Rule::Dependency(Vec::new()), RuleKind::Dependency, none);
        check(Rule::AtMost { n: 1, of: ids() }, RuleKind::AtMost, "a permits at most 1 of x, y");
    }

    #[test]
    fn compound_rules_read_as_sentences() {
        let conflict = || Rule::Conflict("b".into());
        let both = Rule::And(vec![Rule::Mandatory, conflict()]);
        check(both.clone(), RuleKind::And, "a is mandatory and a conflicts with b");
        let either = Rule::Or(vec![both, Rule::Prohibited]);
        check(either, RuleKind::Or, "(a is mandatory and a conflicts with b) or a is prohibited");
        check(Rule::Not(Box::new(conflict())), RuleKind::Not, "it is not the case that a conflicts with b");
        check(Rule::Or(Vec::new()), RuleKind::Or, "a has no alternative that can be satisfied");
        check(Rule::And(Vec::new()), RuleKind::And, "a has an empty constraint");
    }

    #[test]
    fn words_of_its_own_come_first() {
        let constraint = Constraint::new(Rule::Mandatory).text("the user requires it");
        assert_eq!(constraint.sentence("a"), "the user requires it");
    }
}
