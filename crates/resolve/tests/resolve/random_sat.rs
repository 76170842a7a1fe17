//! Random 3-SAT: with 4.26 clauses for each variable, about half of the problems have a solution, and it is
//! hardest to decide which.

use planloom_resolve::{Id, Rule, Variable};

use crate::random::Random;

/// Clauses of three literals; a literal is a variable's number, and whether it is to be true.
#[derive(Clone, Debug)]
pub(crate) struct Sat3 {
    pub(crate) variables: usize,
    pub(crate) clauses: Vec<[(usize, bool); 3]>,
}

impl Sat3 {
    pub(crate) fn new(variables: usize, clauses: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut below = |limit: usize| random.below(limit as u64) as usize;
        let clause = |_| {
            let mut vars: Vec<usize> = Vec::new();
            while vars.len() < 3 {
                let var = below(variables);
                if !vars.contains(&var) {
                    vars.push(var);
                }
            }
            [0, 1, 2].map(|it| (vars[it], below(2) == 1))
        };
        Self { variables, clauses: (0..clauses).map(clause).collect() }
    }

    /// Each clause is a choice between variables, two of which exclude each other for each variable of the
    /// clauses.
    pub(crate) fn as_choices(&self) -> Vec<Variable> {
        let id =
            |(var, is_true): &(usize, bool)| Id::from(format!("{}{var}", if *is_true { "" } else { "no-" }));
        let clauses = self.clauses.iter().enumerate().map(|(at, clause)| {
            let rules = [Rule::Mandatory, Rule::Dependency(clause.iter().map(id).collect())];
            Variable::new(format!("clause-{at}"), rules.map(Into::into))
        });
        let values = (0..self.variables).flat_map(|var| {
            let excluded = Rule::Conflict(id(&(var, false)));
            [Variable::new(id(&(var, true)), [excluded.into()]), Variable::new(id(&(var, false)), [])]
        });
        clauses.chain(values).collect()
    }

    /// Each clause is a formula, from which no choice arises.
    pub(crate) fn as_formulas(&self) -> Vec<Variable> {
        let id = |var: usize| Id::from(format!("v{var}"));
        let formula = |clause: &[(usize, bool); 3]| {
            let is_true = clause.iter().filter(|(_, is_true)| *is_true).map(|(var, _)| id(*var)).collect();
            let is_false =
                clause.iter().filter(|(_, is_true)| !is_true).map(|(var, _)| Rule::Conflict(id(*var)));
            Rule::Or(
                [Rule::Dependency(is_true)].into_iter().chain(is_false).chain([Rule::Prohibited]).collect(),
            )
        };
        let rules = [Rule::Mandatory].into_iter().chain(self.clauses.iter().map(formula));
        let root = Variable::new("root", rules.map(Into::into));
        [root].into_iter().chain((0..self.variables).map(|it| Variable::new(id(it), []))).collect()
    }
}
