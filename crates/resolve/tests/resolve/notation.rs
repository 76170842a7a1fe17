//! Problems in one line: `{a:[M D(x,y)], x, y:[P]}`.
//!
//! `M` mandatory, `P` prohibited, `D(..)` dependency, `X(v)` conflict, `A1(..)` at most one, `O(l|r)` one of two literals
//! (`self`, `!self`, `v`, `!v`), `And(..)`, `Or(..)`, `Not(..)`.

use planloom_resolve::{Answer, Budget, ConstraintRef, Id, Problem, Rule, Variable, solve};

/// The variables of a problem.
pub(crate) fn variables(text: &str) -> Vec<Variable> {
    let inner = text.trim().strip_prefix('{').and_then(|it| it.strip_suffix('}')).expect("braces");
    split(inner, ',').into_iter().map(variable).collect()
}

fn variable(text: &str) -> Variable {
    let (id, rules) = text.split_once(":[").unwrap_or((text, "]"));
    let rules = rules.strip_suffix(']').expect("a closing bracket");
    Variable::new(id.trim(), split(rules, ' ').into_iter().map(|it| rule(it).into()))
}

fn rule(text: &str) -> Rule {
    let (name, inner) = text.split_once('(').unwrap_or((text, ")"));
    let inner = inner.strip_suffix(')').expect("a closing parenthesis");
    let ids = || split(inner, ',').into_iter().map(Id::from).collect::<Vec<Id>>();
    let rules = || split(inner, ',').into_iter().map(rule).collect::<Vec<Rule>>();
    match name {
        "M" => Rule::Mandatory,
        "P" => Rule::Prohibited,
        "D" => Rule::Dependency(ids()),
        "X" => Rule::Conflict(inner.into()),
        "And" => Rule::And(rules()),
        "Or" => Rule::Or(rules()),
        "Not" => Rule::Not(Box::new(rules().remove(0))),
        "O" => Rule::Or(inner.split('|').map(literal).collect()),
        _ => {
            Rule::AtMost { n: name.strip_prefix('A').and_then(|it| it.parse().ok()).expect(text), of: ids() }
        }
    }
}

/// A variable is selected if it is not the case that at most none of it is.
fn literal(text: &str) -> Rule {
    let none = |id: &str| Rule::AtMost { n: 0, of: vec![id.into()] };
    match (text.strip_prefix('!'), text) {
        (Some("self"), _) => Rule::Prohibited,
        (None, "self") => Rule::Mandatory,
        (Some(id), _) => none(id),
        (None, id) => Rule::Not(Box::new(none(id))),
    }
}

/// The parts between separators that are not in brackets; none for an empty text.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ if c == separator && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().map(str::trim).filter(|it| !it.is_empty()).collect()
}

/// The answer in the notation: `sol[a,b]`, `unsat{a:M, a:P}` or `error`.
pub(crate) fn answer(text: &str) -> String {
    let variables = variables(text);
    let (problem, diagnostics) = Problem::new(variables);
    if diagnostics.iter().any(|it| it.severity == diag::Severity::Error) {
        return "error".to_owned();
    }
    match solve(&problem, &mut (), &Budget::default()) {
        Answer::Solved(solution) => format!("sol[{}]", solution.ids(&problem).join(",")),
        Answer::Unsolvable(conflict) => {
            assert!(conflict.is_irreducible);
            core(&problem, &conflict.core)
        }
        Answer::Stopped(stop) => stop.as_str().to_owned(),
    }
}

/// Constraints in the notation.
pub(crate) fn core(problem: &Problem, core: &[ConstraintRef]) -> String {
    let shown =
        |it: &ConstraintRef| format!("{}:{}", problem.subject(*it), short(&problem.constraint(*it).rule));
    format!("unsat{{{}}}", core.iter().map(shown).collect::<Vec<_>>().join(", "))
}

fn short(rule: &Rule) -> String {
    let all = |rules: &[Rule]| rules.iter().map(short).collect::<Vec<_>>().join(",");
    match rule {
        Rule::Mandatory => "M".to_owned(),
        Rule::Prohibited => "P".to_owned(),
        Rule::Conflict(other) => format!("X({other})"),
        Rule::Dependency(of) => format!("D({})", of.join(",")),
        Rule::AtMost { n, of } => format!("A{n}({})", of.join(",")),
        Rule::And(rules) => format!("And({})", all(rules)),
        Rule::Or(rules) => format!("Or({})", all(rules)),
        Rule::Not(rule) => format!("Not({})", short(rule)),
    }
}
