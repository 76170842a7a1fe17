//! The number of steps that searches take. Limits are steps, and steps are the same on each machine, so these
//! numbers show what hosts get for hard problems; an increase means that parts of answers may be left out
//! that were given before. The effect of an optimisation is visible here.

use std::{cell::Cell, collections::BTreeSet};

use planloom_resolve::{
    Alternative, Answer, Budget, Conflict, ConstraintRef, Event, Fix, FixRequest, Hooks, Limits, Movement,
    Nothing, Problem, Rule, Solution, Variable, conflicts, fixes, required_changes, solve, why,
};

use crate::{
    generate::id,
    laws::problem,
    packages::{self, Shape},
    random::Random,
    random_sat::Sat3,
    sudoku,
};

/// Counts the events of a search.
#[derive(Default)]
struct Count {
    conflicts: usize,
    restarts: usize,
    questions: Cell<usize>,
}

impl Hooks for Count {
    fn trace(&mut self, event: &Event<'_>) {
        match event {
            Event::Candidate { .. } => {}
            Event::Conflict { .. } => self.conflicts += 1,
            Event::Restart => self.restarts += 1,
        }
    }

    fn is_cancelled(&self) -> bool {
        self.questions.set(self.questions.get() + 1);
        false
    }
}

/// The work for some problems: how much was found, and how many steps that took.
#[derive(Default)]
struct Work {
    lines: Vec<(&'static str, Vec<u64>)>,
}

impl Work {
    fn add(&mut self, what: &'static str, numbers: &[usize], steps: u64) {
        let numbers: Vec<u64> = numbers.iter().map(|it| *it as u64).chain([steps]).collect();
        match self.lines.iter_mut().find(|it| it.0 == what) {
            Some((_, sums)) => sums.iter_mut().zip(numbers).for_each(|(sum, it)| *sum += it),
            None => self.lines.push((what, numbers)),
        }
    }

    fn reported(&self) -> Vec<String> {
        let reported = |(what, numbers): &(&str, Vec<u64>)| {
            let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
            format!("{what}: {}", numbers.join(" "))
        };
        self.lines.iter().map(reported).collect()
    }

    /// Solves a problem, and computes all explanations of the answer unless there is no budget for them.
    fn measure(&mut self, variables: &[Variable], limits: Limits) {
        let problem = problem(variables);
        let budget = Budget::new(&limits);
        let mut count = Count::default();
        let answer = solve(&problem, &mut count, &budget);
        self.add("solving: conflicts restarts steps", &[count.conflicts, count.restarts], budget.spent());
        match &answer {
            Answer::Solved(solution) => self.measure_solution(&problem, solution, &count, &budget),
            Answer::Unsolvable(conflict) => self.measure_conflict(&problem, conflict, &count, &budget),
            Answer::Stopped(_) => self.add("stopped", &[], 1),
        }
        self.add(
            "left out, questions whether to go on",
            &[budget.omissions().len()],
            count.questions.get() as u64,
        );
    }

    fn measure_solution(&mut self, problem: &Problem, solution: &Solution, hooks: &Count, budget: &Budget) {
        let places = solution.selected.iter().map(|it| *it as u64).sum();
        self.add(
            "solved: selected choices places",
            &[solution.selected.len(), solution.choices.len()],
            places,
        );
        if budget.explanation_steps() == 0 {
            return;
        }
        let before = budget.spent();
        let of_each = solution.choices.iter().map(|it| why(problem, solution, it, hooks, budget));
        let refused: Vec<_> = of_each.flatten().collect();
        let size = refused.iter().map(|it| it.conflict.core.len() + it.chosen.len()).sum();
        let sure = refused.iter().filter(|it| it.conflict.is_irreducible).count();
        self.add("refused: size sure steps", &[refused.len(), size, sure], budget.spent() - before);
        let last = problem.variables().iter().rev().take(5);
        last.for_each(|it| self.measure_required_changes(problem, solution, &it.id, hooks, budget));
    }

    fn measure_required_changes(
        &mut self,
        problem: &Problem,
        solution: &Solution,
        id: &str,
        hooks: &Count,
        budget: &Budget,
    ) {
        let before = budget.spent();
        let found = match required_changes(problem, solution, id, &mut Nothing, hooks, budget) {
            Movement::Possible { added, removed } => [added.len(), removed.len(), 0, 0],
            Movement::Impossible { conflict, .. } => [0, 0, conflict.core.len(), 0],
            Movement::Stopped(_) => [0, 0, 0, 1],
        };
        self.add("moves: added removed impossible stopped steps", &found, budget.spent() - before);
    }

    fn measure_conflict(&mut self, problem: &Problem, first: &Conflict, hooks: &Count, budget: &Budget) {
        let before = budget.spent();
        let found = conflicts(problem, Some(first), hooks, budget, 8);
        let size = found.iter().map(|it| it.core.len()).sum();
        let sure = found.iter().filter(|it| it.is_irreducible).count();
        self.add(
            "conflicts: first size sure steps",
            &[first.core.len(), size, sure],
            budget.spent() - before,
        );
        let core: BTreeSet<ConstraintRef> = found.iter().flat_map(|it| it.core.clone()).collect();
        let free = |it: &ConstraintRef| Alternative { variable: it.variable, constraints: Vec::new() };
        let alternatives = core.iter().take(4).map(free).collect();
        let relaxable = core.into_iter().collect();
        let request = FixRequest { relaxable, alternatives, most: 8, searches: 40 };
        let before = budget.spent();
        let found = fixes(problem, &request, &mut Nothing, hooks, budget);
        let sum = |of: fn(&Fix) -> usize| found.iter().map(of).sum();
        let sums =
            [sum(|it| it.dropped.len()), sum(|it| it.alternatives.len()), sum(|it| it.selection.len())];
        self.add("fixes: dropped alternatives selected steps", &sums, budget.spent() - before);
    }
}

/// Compares with the line of a name in `steps.txt`.
fn check(name: &str, problems: impl IntoIterator<Item = Vec<Variable>>, limits: Limits) {
    let mut work = Work::default();
    problems.into_iter().for_each(|it| work.measure(&it, limits));
    let blocks = include_str!("steps.txt").split("\n\n").filter_map(|it| it.split_once('\n'));
    let expected = blocks.filter(|it| it.0 == name).flat_map(|it| it.1.lines()).map(str::trim);
    assert_eq!(work.reported(), expected.collect::<Vec<_>>(), "{name}");
}

/// Small problems with all rules.
fn small(seed: u64, with_compound: bool) -> Vec<Variable> {
    let mut random = Random::new(seed);
    let count = 5 + random.below(6);
    let rules = |random: &mut Random| {
        let rules =
            (0..random.below(4)).map(|_| rule(random, count, if with_compound { 3 } else { 0 }).into());
        rules.collect::<Vec<_>>()
    };
    (0..count).map(|at| Variable::new(id(at as usize), rules(&mut random))).collect()
}

fn rule(random: &mut Random, count: u64, depth: u64) -> Rule {
    let one = |random: &mut Random| id(random.below(count) as usize);
    let some = |random: &mut Random| {
        let mut seen = BTreeSet::new();
        let some: Vec<_> = (0..random.below(5)).map(|_| one(random)).collect();
        some.into_iter().filter(|it| seen.insert(it.clone())).collect::<Vec<_>>()
    };
    let rules = |random: &mut Random| (0..random.below(4)).map(|_| rule(random, count, depth - 1)).collect();
    match random.below(if depth > 0 { 26 } else { 18 }) {
        0..3 => Rule::Mandatory,
        3 => Rule::Prohibited,
        4..8 => Rule::Conflict(one(random)),
        8..15 => Rule::Dependency(some(random)),
        15..18 => Rule::AtMost { n: random.below(3) as usize, of: some(random) },
        18..21 => Rule::And(rules(random)),
        21..24 => Rule::Or(rules(random)),
        _ => Rule::Not(Box::new(rule(random, count, depth - 1))),
    }
}

/// Enough for the search, nothing for explanations.
const SEARCH: Limits = Limits { steps: 1_000_000_000, explanation_steps: 0 };

#[test]
fn of_small_problems() {
    check("plain", (1..=100).map(|it| small(it, false)), Limits::default());
    check("compound", (1..=100).map(|it| small(it, true)), Limits::default());
}

#[test]
fn of_packages() {
    let roomy = |seed| Shape::roomy(20, 5, seed);
    check("packages with room", (1..=3).map(|it| packages::variables(&roomy(it))), Limits::default());
    let tight = |seed| Shape { narrow: 90, conflicts: 80, required: 50, ..Shape::roomy(12, 4, seed) };
    check("packages without room", (1..=6).map(|it| packages::variables(&tight(it))), Limits::default());
}

#[test]
fn of_what_is_hard() {
    check("a puzzle", [sudoku::variables()], SEARCH);
    check("hard choices", [Sat3::new(100, 426, 1).as_choices()], SEARCH);
    check("hard formulas", [Sat3::new(125, 532, 2).as_formulas()], SEARCH);
}

#[test]
fn of_conflicts() {
    let clauses = [1, 2].map(|it| Sat3::new(12, 70, it));
    check("conflicts of choices", clauses.iter().map(Sat3::as_choices), Limits::default());
    check("conflicts of formulas", clauses.iter().map(Sat3::as_formulas), Limits::default());
    let few = [1, 2].map(|it| Sat3::new(8, 50, it));
    check("conflicts of few formulas", few.iter().map(Sat3::as_formulas), Limits::default());
}

#[test]
fn of_reasons() {
    let clauses = Sat3::new(20, 85, 4);
    check("reasons of choices", [clauses.as_choices()], Limits::default());
    check("reasons of formulas", [clauses.as_formulas()], Limits::default());
}

#[test]
fn of_what_limits_suffice_for() {
    let problems = || {
        [
            Sat3::new(12, 70, 1).as_choices(),
            Sat3::new(12, 70, 2).as_formulas(),
            Sat3::new(20, 85, 4).as_choices(),
        ]
    };
    check("nothing to explain", problems(), Limits { steps: 1_000_000, explanation_steps: 0 });
    for explanation_steps in [2_000, 20_000, 100_000] {
        let limits = Limits { steps: 1_000_000, explanation_steps };
        check(&format!("{explanation_steps} steps to explain"), problems(), limits);
    }
    check("300 steps to search", problems(), Limits { steps: 300, explanation_steps: 100_000 });
}
