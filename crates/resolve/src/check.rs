//! What is wrong with a list of variables.

use std::collections::{BTreeMap, BTreeSet};

use diag::{Code, Diagnostic, Diagnostics, Span, Speller};

use crate::{Constraint, Id, Rule, Variable};

/// A variable that is spoken of and not there.
pub(crate) const UNKNOWN: Code = Code("resolve/unknown-variable");
/// Two variables with one name.
pub(crate) const DUPLICATE: Code = Code("resolve/duplicate-variable");
/// A variable that is counted twice in one `at_most`.
pub(crate) const REPEATED: Code = Code("resolve/repeated-variable");

/// All of it, in the order in which it is written.
pub(crate) fn check(variables: &[Variable]) -> Diagnostics {
    let mut check = Check { variables, ..Check::default() };
    check.known = diag::order::set(variables.iter().map(|it| &*it.id));
    duplicates(variables, &mut check.found);
    for variable in variables {
        variable.constraints.iter().for_each(|it| check.constraint(variable, it));
    }
    check.found
}

/// Variables with one name.
pub(crate) fn duplicates(variables: &[Variable], found: &mut Diagnostics) {
    let mut first: BTreeMap<&str, &Variable> = BTreeMap::new();
    for variable in variables {
        match first.get(&*variable.id) {
            Some(first) => found.push(duplicate(variable, first.origin)),
            None => {
                first.insert(&variable.id, variable);
            }
        }
    }
}

/// A variable that is not there, and one that may be meant.
pub(crate) fn unknown(id: &str, at: impl Into<Option<Span>>, near: Option<&str>) -> Diagnostic {
    let message = format!("variable \"{id}\" referenced but not provided");
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("add a variable `{id}`, or remove it here"),
    };
    Diagnostic::error(UNKNOWN, at, message).help(help)
}

/// Names that stand in one list of what is counted several times.
pub(crate) fn repeated(of: &[Id], at: impl Into<Option<Span>>) -> Diagnostics {
    let at = at.into();
    let mut times = BTreeMap::new();
    of.iter().for_each(|id| *times.entry(id).or_insert(0) += 1);
    let repeated = times.into_iter().filter(|(_, times)| *times > 1);
    let told = repeated.map(|(id, times)| {
        let message = format!("\"{id}\" stands {times} times in one `at_most`, where it counts once");
        Diagnostic::warning(REPEATED, at, message).help("list it once")
    });
    told.collect()
}

#[derive(Default)]
struct Check<'v> {
    variables: &'v [Variable],
    known: BTreeSet<&'v str>,
    /// Told once each.
    unknown: BTreeSet<Id>,
    speller: Speller,
    found: Diagnostics,
}

impl Check<'_> {
    fn constraint(&mut self, subject: &Variable, constraint: &Constraint) {
        let origin = constraint.origin.or(subject.origin);
        each_rule(&constraint.rule, &mut |rule| match rule {
            Rule::Conflict(other) => self.known(other, origin),
            Rule::Dependency(of) => of.iter().for_each(|it| self.known(it, origin)),
            Rule::AtMost { of, .. } => {
                of.iter().for_each(|it| self.known(it, origin));
                self.found.extend(repeated(of, origin));
            }
            Rule::Mandatory | Rule::Prohibited | Rule::And(_) | Rule::Or(_) | Rule::Not(_) => {}
        });
    }

    fn known(&mut self, id: &Id, origin: Option<Span>) {
        if !self.known.contains(&**id) && self.unknown.insert(id.clone()) {
            let near = self.speller.nearest(id, self.variables.iter().map(|it| &*it.id));
            self.found.push(unknown(id, origin, near));
        }
    }
}

fn duplicate(variable: &Variable, first: Option<Span>) -> Diagnostic {
    let message = format!("duplicate identifier \"{}\" in input", variable.id);
    let found = Diagnostic::error(DUPLICATE, variable.origin, message)
        .help("give one of the two another name, or put their constraints together; the first one counts until then");
    match first {
        Some(span) => found.related(span, "first given here"),
        None => found,
    }
}

/// A rule and those inside it.
fn each_rule<'r>(rule: &'r Rule, visit: &mut dyn FnMut(&'r Rule)) {
    visit(rule);
    match rule {
        Rule::And(rules) | Rule::Or(rules) => rules.iter().for_each(|it| each_rule(it, visit)),
        Rule::Not(rule) => each_rule(rule, visit),
        _ => {}
    }
}
