//! Checks of a list of variables.

use std::collections::{BTreeMap, BTreeSet, HashMap, hash_map::Entry};

use diag::{Diagnostic, Diagnostics, Span, Speller, order};

use crate::{Constraint, Id, Problem, Rule, Variable, codes, normal::Var};

/// Reports variables that constraints mention and that do not exist, and repeated ones.
pub(crate) fn mentions(problem: &Problem, found: &mut Diagnostics) {
    let mut check = Check { problem, reported: BTreeSet::new(), speller: Speller::default(), found };
    for variable in problem.variables() {
        variable.constraints.iter().for_each(|it| check.constraint(variable, it));
    }
}

/// Reports variables with the same name.
pub(crate) fn duplicates(variables: &[Variable], found: &mut Diagnostics) {
    let mut first: HashMap<&str, &Variable> = HashMap::with_capacity(variables.len());
    for variable in variables {
        match first.entry(&*variable.id) {
            Entry::Occupied(first) => found.push(duplicate(variable, first.get().origin)),
            Entry::Vacant(place) => {
                place.insert(variable);
            }
        }
    }
}

/// The diagnostic for a variable that does not exist, with the one that was probably meant.
pub(crate) fn unknown(id: &str, at: impl Into<Option<Span>>, near: Option<&str>) -> Diagnostic {
    let message = format!("variable \"{id}\" referenced but not provided");
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("add a variable `{id}`, or remove it here"),
    };
    Diagnostic::error(codes::UNKNOWN_VARIABLE, at, message).help(help)
}

/// The diagnostics for names that are repeated in a list for counting.
pub(crate) fn repeated(of: &[Id], at: impl Into<Option<Span>>) -> Diagnostics {
    let mut sorted: Vec<&Id> = of.iter().collect();
    order::by(&mut sorted, |a, b| a.cmp(b));
    if !sorted.windows(2).any(|it| it[0] == it[1]) {
        return Diagnostics::new();
    }
    let at = at.into();
    let mut times = BTreeMap::new();
    of.iter().for_each(|id| *times.entry(id).or_insert(0) += 1);
    let repeated = times.into_iter().filter(|(_, times)| *times > 1);
    let reported = repeated.map(|(id, times)| {
        let message = format!("\"{id}\" is listed {times} times in one `at_most`, where it counts once");
        Diagnostic::warning(codes::REPEATED_VARIABLE, at, message).help("list it once")
    });
    reported.collect()
}

struct Check<'p> {
    problem: &'p Problem,
    /// Each missing variable is reported once.
    reported: BTreeSet<Id>,
    speller: Speller,
    found: &'p mut Diagnostics,
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
        let number = self.problem.position(id).unwrap_or_default() as Var;
        if self.problem.is_given(number) || !self.reported.insert(id.clone()) {
            return;
        }
        let given = self.problem.variables().iter().enumerate();
        let given = given.filter(|(at, _)| self.problem.is_given(*at as Var)).map(|(_, it)| &*it.id);
        let near = self.speller.nearest(id, given);
        self.found.push(unknown(id, origin, near));
    }
}

fn duplicate(variable: &Variable, first: Option<Span>) -> Diagnostic {
    let message = format!("duplicate identifier \"{}\" in input", variable.id);
    let found = Diagnostic::error(codes::DUPLICATE_VARIABLE, variable.origin, message)
        .help("rename one of the two, or combine their constraints; until then the first one is used");
    match first {
        Some(span) => found.related(span, "first declared here"),
        None => found,
    }
}

/// Visits a rule and those inside it.
fn each_rule<'r>(rule: &'r Rule, visit: &mut dyn FnMut(&'r Rule)) {
    visit(rule);
    match rule {
        Rule::And(rules) | Rule::Or(rules) => rules.iter().for_each(|it| each_rule(it, visit)),
        Rule::Not(rule) => each_rule(rule, visit),
        _ => {}
    }
}
