//! Problems that are written as variables and constraints.

use std::collections::BTreeSet;

use diag::order;

use resolve::{Answer, Budget, Conflict, ConstraintRef, Hooks, Id, Movement, Nothing, Problem, Solution};

use crate::{answer::Places, solve::left_out, vocabulary};
use workspace::view::{
    ConflictView, FactView, LocationView, MoveView, Outcome, ResolutionFixView, ResolutionView, SelectedView,
    VersionChangeKind, VersionChangeView,
};

/// The highest number of conflicts and fixes that are reported.
const MOST: usize = 8;
/// The highest number of searches for fixes.
const SEARCHES: usize = 400;

/// The selection of a problem, or the reason why there is none.
pub(crate) fn view(
    places: &Places<'_>,
    problem: &Problem,
    hooks: &mut dyn Hooks,
    budget: &Budget,
) -> ResolutionView {
    let answer = resolve::solve(problem, hooks, budget);
    answered(places, problem, &answer, hooks, budget)
}

/// The answer to a problem; if it was solved lazily, for the part that the search reached.
pub(crate) fn answered(
    places: &Places<'_>,
    problem: &Problem,
    answer: &Answer,
    hooks: &dyn Hooks,
    budget: &Budget,
) -> ResolutionView {
    let reported = ResolutionViews { places, problem };
    match answer {
        Answer::Solved(solution) => reported.solved(solution),
        Answer::Unsolvable(conflict) => reported.unsolvable(conflict, hooks, budget),
        Answer::Stopped(stop) => ResolutionView {
            outcome: Outcome::Stopped,
            sentence: stop.as_str().into(),
            ..ResolutionView::default()
        },
    }
}

/// The changes required for a variable to be selected.
pub(crate) fn what_would_move(places: &Places<'_>, problem: &Problem, id: &str, budget: &Budget) -> MoveView {
    let Answer::Solved(solution) = resolve::solve(problem, &mut (), budget) else {
        let sentence = "nothing is selected, so nothing can change".into();
        return MoveView { outcome: Outcome::Unsolvable, sentence, ..MoveView::default() };
    };
    if problem.position(id).is_none() {
        let sentence = format!("there is no variable `{id}`");
        return MoveView { outcome: Outcome::Unsolvable, sentence, ..MoveView::default() };
    }
    let view = match resolve::required_changes(problem, &solution, id, &mut Nothing, &(), budget) {
        Movement::Possible { added, removed } => possible(id, &added, &removed),
        Movement::Impossible { problem, conflict } => MoveView {
            outcome: Outcome::Unsolvable,
            sentence: format!("`{id}` cannot be selected"),
            conflict: ResolutionViews { places, problem: &problem }.facts(&conflict),
            ..MoveView::default()
        },
        Movement::Stopped(stop) => {
            MoveView { outcome: Outcome::Unsolvable, sentence: stop.as_str().into(), ..MoveView::default() }
        }
    };
    MoveView { left_out: left_out(budget), ..view }
}

fn possible(id: &str, added: &[Id], removed: &[Id]) -> MoveView {
    let change = |id: &Id, change: VersionChangeKind| VersionChangeView {
        package: id.to_string(),
        change,
        ..VersionChangeView::default()
    };
    let removed = removed.iter().map(|it| change(it, VersionChangeKind::Removed));
    let changes: Vec<_> =
        removed.chain(added.iter().map(|it| change(it, VersionChangeKind::Added))).collect();
    let sentence = match changes.len() {
        0 => format!("`{id}` is selected already"),
        _ => format!("`{id}` can be selected, with these changes"),
    };
    MoveView { outcome: Outcome::Solved, sentence, changes, ..MoveView::default() }
}

struct ResolutionViews<'t> {
    places: &'t Places<'t>,
    problem: &'t Problem,
}

impl ResolutionViews<'_> {
    fn solved(&self, solution: &Solution) -> ResolutionView {
        let select = |id: &Id| SelectedView {
            id: id.to_string(),
            wanted_by: self.wanted_by(solution, id),
            origin: self.origin(id),
            ..SelectedView::default()
        };
        let selection: Vec<_> = solution.ids(self.problem).iter().map(select).collect();
        let sentence = match selection.len() {
            0 => "nothing has to be selected".into(),
            n => format!("{} selected", super::answer::count(n, "variable")),
        };
        ResolutionView { outcome: Outcome::Solved, sentence, selection, ..ResolutionView::default() }
    }

    /// The variables with a dependency that it was selected for.
    fn wanted_by(&self, solution: &Solution, id: &str) -> Vec<String> {
        let Some(place) = self.problem.position(id) else { return Vec::new() };
        let own =
            solution.choices.iter().filter(|it| it.variable == place && it.constraint.variable != place);
        let mut names: Vec<String> = own.map(|it| self.problem.subject(it.constraint).to_string()).collect();
        names.dedup();
        names
    }

    fn origin(&self, id: &str) -> Option<LocationView> {
        let variable = self.problem.position(id).and_then(|it| self.problem.variables().get(it));
        self.places.place(variable.and_then(|it| it.origin))
    }

    fn unsolvable(&self, first: &Conflict, hooks: &dyn Hooks, budget: &Budget) -> ResolutionView {
        let found = resolve::conflicts(self.problem, Some(first), hooks, budget, MOST);
        let fixes = self.fixes(&found, hooks, budget);
        let conflicts: Vec<ConflictView> =
            found.iter().map(|it| ConflictView { summary: summary(it), facts: self.facts(it) }).collect();
        ResolutionView {
            outcome: Outcome::Unsolvable,
            sentence: match conflicts.len() {
                1 => "not all constraints can hold".into(),
                n => format!("not all constraints can hold, for {n} reasons"),
            },
            conflict: conflicts.first().map(|it| it.facts.clone()).unwrap_or_default(),
            conflicts,
            fixes,
            left_out: left_out(budget),
            ..ResolutionView::default()
        }
    }

    fn facts(&self, conflict: &Conflict) -> Vec<FactView> {
        conflict.core.iter().map(|it| self.fact(*it)).collect()
    }

    fn fact(&self, at: ConstraintRef) -> FactView {
        let constraint = self.problem.constraint(at);
        FactView {
            constraint: self.problem.sentence(at),
            subject: self.problem.subject(at).to_string(),
            kind: vocabulary::constraint(constraint.rule.kind()),
            origin: self.places.place(constraint.origin),
        }
    }

    /// Constraints that could be left out, each set verified.
    fn fixes(&self, conflicts: &[Conflict], hooks: &dyn Hooks, budget: &Budget) -> Vec<ResolutionFixView> {
        let relaxable: BTreeSet<ConstraintRef> =
            order::set(conflicts.iter().flat_map(|it| &it.core).copied());
        let request = resolve::FixRequest {
            relaxable: relaxable.into_iter().collect(),
            alternatives: Vec::new(),
            most: MOST,
            searches: SEARCHES,
        };
        let found = resolve::fixes(self.problem, &request, &mut Nothing, hooks, budget);
        let fix = |it: &resolve::Fix| ResolutionFixView {
            title: title(&it.dropped.iter().map(|it| self.problem.sentence(*it)).collect::<Vec<_>>()),
            conflict: 0,
            edits: Vec::new(),
            selection: it.selection.iter().map(ToString::to_string).collect(),
        };
        found.iter().map(fix).collect()
    }
}

fn summary(conflict: &Conflict) -> String {
    match conflict.core.len() {
        1 => "this cannot hold".into(),
        n => format!("these {n} cannot all hold"),
    }
}

fn title(dropped: &[String]) -> String {
    let quoted: Vec<String> = dropped.iter().map(|it| format!("“{it}”")).collect();
    format!("remove {}", quoted.join(" and "))
}
