//! Problems as clauses, and batsat.

use std::collections::{HashMap, VecDeque};

use batsat::{BasicSolver, Lit, SolverInterface, Var, lbool};
use planloom_resolve::{Rule, Variable};

/// A problem in numbers: what solvers of clauses are given.
#[derive(Clone)]
pub struct Clauses {
    variables: usize,
    /// Variables count from 1; a negative number is a negation.
    clauses: Vec<Vec<i32>>,
    /// At most one of each of these.
    groups: Vec<Vec<i32>>,
    anchors: Vec<usize>,
    /// By variable: its choices.
    choices: Vec<Vec<Vec<usize>>>,
}

pub fn of(variables: &[Variable]) -> Clauses {
    let numbers: HashMap<&str, i32> =
        variables.iter().zip(1..).map(|(it, number)| (&*it.id, number)).collect();
    let mut clauses = Clauses {
        variables: variables.len(),
        clauses: Vec::new(),
        groups: Vec::new(),
        anchors: Vec::new(),
        choices: vec![Vec::new(); variables.len()],
    };
    for (at, variable) in variables.iter().enumerate() {
        let subject = at as i32 + 1;
        for constraint in &variable.constraints {
            match &constraint.rule {
                Rule::Mandatory => {
                    clauses.clauses.push(vec![subject]);
                    clauses.anchors.push(at);
                }
                Rule::Conflict(other) => clauses.clauses.push(vec![-subject, -numbers[&**other]]),
                Rule::Dependency(of) => {
                    let of: Vec<i32> = of.iter().map(|it| numbers[&**it]).collect();
                    clauses.choices[at].push(of.iter().map(|it| *it as usize - 1).collect());
                    clauses.clauses.push([&[-subject], &of[..]].concat());
                }
                Rule::AtMost { n: 1, of } => {
                    clauses.groups.push(of.iter().map(|it| numbers[&**it]).collect());
                }
                other => panic!("{other:?}"),
            }
        }
    }
    clauses
}

impl Clauses {
    fn solver(&self) -> (BasicSolver, Vec<Var>) {
        let mut solver = BasicSolver::default();
        let vars: Vec<Var> = (0..self.variables).map(|_| solver.new_var(lbool::FALSE, true)).collect();
        let lit = |it: &i32| Lit::new(vars[it.unsigned_abs() as usize - 1], *it > 0);
        for clause in &self.clauses {
            solver.add_clause_reuse(&mut clause.iter().map(lit).collect());
        }
        for group in &self.groups {
            for (at, first) in group.iter().enumerate() {
                for second in &group[at + 1..] {
                    solver.add_clause_reuse(&mut vec![!lit(first), !lit(second)]);
                }
            }
        }
        (solver, vars)
    }

    /// `{"variables", "clauses", "groups", "preferred"}`
    pub fn json(&self) -> String {
        let lists = |lists: &[Vec<i32>]| format!("{lists:?}").replace(' ', "");
        let (clauses, groups) = (lists(&self.clauses), lists(&self.groups));
        format!("{{\"variables\":{},\"clauses\":{clauses},\"groups\":{groups}}}", self.variables)
    }
}

/// The number of variables that are true in the first model found.
pub fn any(clauses: Clauses) -> usize {
    let (mut solver, vars) = clauses.solver();
    if solver.solve_limited(&[]) != lbool::TRUE {
        return 0;
    }
    vars.iter().filter(|it| solver.value_var(**it) == lbool::TRUE).count()
}

/// The number of variables chosen by the definition of preference: each candidate is tried, unless the last model has it.
pub fn preferred(clauses: Clauses) -> usize {
    let (mut solver, vars) = clauses.solver();
    if solver.solve_limited(&[]) != lbool::TRUE {
        return 0;
    }
    let mut model: Vec<lbool> = solver.get_model().to_vec();
    let mut is_chosen = vec![false; clauses.variables];
    let mut chosen: Vec<Lit> = Vec::new();
    let mut queue: VecDeque<Vec<usize>> = clauses.anchors.iter().map(|it| vec![*it]).collect();
    while let Some(choice) = queue.pop_front() {
        if choice.iter().any(|it| is_chosen[*it]) {
            continue;
        }
        for candidate in choice {
            chosen.push(Lit::new(vars[candidate], true));
            let is_possible = model[candidate] == lbool::TRUE || solver.solve_limited(&chosen) == lbool::TRUE;
            if is_possible {
                if model[candidate] != lbool::TRUE {
                    model = solver.get_model().to_vec();
                }
                is_chosen[candidate] = true;
                queue.extend(clauses.choices[candidate].iter().cloned());
                break;
            }
            chosen.pop();
        }
    }
    chosen.len()
}
