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
    let mut check = Check { variables, first: BTreeMap::new(), ..Check::default() };
    check.duplicates();
    for variable in variables {
        variable.constraints.iter().for_each(|it| check.constraint(variable, it));
    }
    check.found
}

#[derive(Default)]
struct Check<'v> {
    variables: &'v [Variable],
    first: BTreeMap<&'v str, &'v Variable>,
    /// Told once each.
    unknown: BTreeSet<Id>,
    speller: Speller,
    found: Diagnostics,
}

impl<'v> Check<'v> {
    fn duplicates(&mut self) {
        for variable in self.variables {
            match self.first.get(&*variable.id) {
                Some(first) => self.found.push(duplicate(variable, first.origin)),
                None => {
                    self.first.insert(&variable.id, variable);
                }
            }
        }
    }

    fn constraint(&mut self, subject: &Variable, constraint: &Constraint) {
        let origin = constraint.origin.or(subject.origin);
        each_rule(&constraint.rule, &mut |rule| match rule {
            Rule::Conflict(other) => self.known(other, origin),
            Rule::Dependency(of) => of.iter().for_each(|it| self.known(it, origin)),
            Rule::AtMost { of, .. } => {
                of.iter().for_each(|it| self.known(it, origin));
                self.found.extend(repeated(subject, of, origin));
            }
            Rule::Mandatory | Rule::Prohibited | Rule::And(_) | Rule::Or(_) | Rule::Not(_) => {}
        });
    }

    fn known(&mut self, id: &Id, origin: Option<Span>) {
        if self.first.contains_key(&**id) || !self.unknown.insert(id.clone()) {
            return;
        }
        let message = format!("variable \"{id}\" referenced but not provided");
        let near = self.speller.nearest(id, self.variables.iter().map(|it| &*it.id));
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("add a variable `{id}`, or remove it here"),
        };
        self.found.push(Diagnostic::error(UNKNOWN, origin, message).help(help));
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

fn repeated(subject: &Variable, of: &[Id], origin: Option<Span>) -> Vec<Diagnostic> {
    let mut seen = BTreeMap::new();
    of.iter().for_each(|id| *seen.entry(id).or_insert(0) += 1);
    let repeated = seen.into_iter().filter(|(_, times)| *times > 1);
    let told = repeated.map(|(id, times)| {
        let message =
            format!("`{}` lists \"{id}\" {times} times in one `at_most`, where it counts once", subject.id);
        Diagnostic::warning(REPEATED, origin, message).help("list it once")
    });
    told.collect()
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
