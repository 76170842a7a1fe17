//! Problems of programs: variables as JSON, others generated when the search reaches them, and callbacks.

use std::cell::RefCell;

use diag::{Diagnostics, FileId, Source, Sources};
use resolve::{Answer, Budget, Event, Expand, Expansion, Hooks, Id, Limits, Problem, document};
use syntax::parse;

use crate::{answer::Places, problem, solve::LIMITS, vocabulary};
use workspace::{
    capability::{diagnostic_views, has_errors},
    view::{Outcome, ResolutionView, SolveEventKind, SolveEventView},
};

/// A program's callbacks while a problem is solved. Each has a default that does nothing.
pub trait SolverCallbacks {
    /// The definition of a variable that others mention: a problem whose first variable it is, as JSON.
    /// `None` if it can be chosen freely.
    fn expand(&mut self, _id: &str) -> Option<String> {
        None
    }

    /// Called before the search, with the number of variables.
    fn before(&mut self, _variables: usize) {}

    /// Called at each step.
    fn trace(&mut self, _event: &SolveEventView) {}

    /// Called after the search, with the outcome.
    fn after(&mut self, _outcome: Outcome) {}

    /// True if to stop; called regularly.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// Solves a problem (`planloom.problem/1` as JSON or YAML). With `lazily`, missing variables are requested
/// from the callbacks; otherwise they are errors. `steps` limits the work of the search.
pub fn solve_problem(
    text: &str,
    lazily: bool,
    steps: Option<u64>,
    along: &mut dyn SolverCallbacks,
) -> ResolutionView {
    let file = FileId(0);
    let sources: Sources = std::iter::once(Source::new("problem", text)).collect();
    let parsed = parse(file, text, &syntax::Limits::default());
    let mut diagnostics: Diagnostics = parsed.diagnostics;
    diagnostics.retain(|it| it.code != syntax::codes::AMBIGUOUS_SCALAR);
    // The search requests variables and reports its steps, each through its own handle.
    let along = RefCell::new(along);
    let budget = Budget::new(&Limits { steps: steps.unwrap_or(LIMITS.steps), ..LIMITS });
    let places = Places { sources: &sources };
    let view = if lazily {
        let (variables, mut found) = document::variables(&parsed.document);
        diagnostics.append(&mut found);
        match has_errors(&diagnostics) {
            true => refused(),
            false => lazy(&places, variables, &along, &budget, &mut diagnostics),
        }
    } else {
        let mut read = document::read(&parsed.document);
        diagnostics.append(&mut read.diagnostics);
        match has_errors(&diagnostics) {
            true => refused(),
            false => problem::view(&places, &read.problem, &mut CallbackHooks { callbacks: &along }, &budget),
        }
    };
    let format = "planloom.resolve/1".into();
    ResolutionView { format, diagnostics: diagnostic_views(&sources, &diagnostics), ..view }
}

fn refused() -> ResolutionView {
    let sentence = "the problem has errors of its own".into();
    ResolutionView { outcome: Outcome::Refused, sentence, ..ResolutionView::default() }
}

fn lazy(
    places: &Places<'_>,
    variables: Vec<resolve::Variable>,
    along: &RefCell<&mut dyn SolverCallbacks>,
    budget: &Budget,
    diagnostics: &mut Diagnostics,
) -> ResolutionView {
    let mut expander = Expander { callbacks: along, diagnostics };
    let mut reported = CallbackHooks { callbacks: along };
    let (answer, problem) = resolve::solve_lazily(variables, &mut expander, &mut reported, budget);
    if has_errors(expander.diagnostics) {
        refused()
    } else {
        problem::answered(places, &problem, &answer, &reported, budget)
    }
}

struct Expander<'e, 'a> {
    callbacks: &'e RefCell<&'a mut dyn SolverCallbacks>,
    diagnostics: &'e mut Diagnostics,
}

impl Expand for Expander<'_, '_> {
    fn expand(&mut self, id: &Id) -> Expansion {
        let Some(text) = self.callbacks.borrow_mut().expand(id) else { return Expansion::default() };
        // Diagnostics for it have no file that could be opened.
        let parsed = parse(FileId(u32::MAX), &text, &syntax::Limits::default());
        let (variables, mut found) = document::variables(&parsed.document);
        self.diagnostics.append(&mut found);
        let (own, also): (Vec<_>, Vec<_>) = variables.into_iter().partition(|it| it.id == *id);
        let own = own.into_iter().next();
        Expansion { constraints: own.map(|it| it.constraints).unwrap_or_default(), origin: None, also }
    }
}

struct CallbackHooks<'t, 'a> {
    callbacks: &'t RefCell<&'a mut dyn SolverCallbacks>,
}

impl Hooks for CallbackHooks<'_, '_> {
    fn before(&mut self, problem: &Problem) {
        self.callbacks.borrow_mut().before(problem.variables().len());
    }

    fn trace(&mut self, event: &Event<'_>) {
        self.callbacks.borrow_mut().trace(&view(event));
    }

    fn after(&mut self, answer: &Answer) {
        self.callbacks.borrow_mut().after(outcome(answer));
    }

    fn is_cancelled(&self) -> bool {
        self.callbacks.borrow().is_cancelled()
    }
}

const fn outcome(answer: &Answer) -> Outcome {
    match answer {
        Answer::Solved(_) => Outcome::Solved,
        Answer::Unsolvable(_) => Outcome::Unsolvable,
        Answer::Stopped(_) => Outcome::Stopped,
    }
}

fn view(event: &Event<'_>) -> SolveEventView {
    match event {
        Event::Candidate { subject, candidate, verdict, .. } => SolveEventView {
            event: SolveEventKind::Candidate,
            subject: Some(subject.to_string()),
            candidate: Some(candidate.to_string()),
            verdict: Some(vocabulary::verdict(*verdict)),
        },
        Event::Conflict { .. } => {
            SolveEventView { event: SolveEventKind::Conflict, ..SolveEventView::default() }
        }
        Event::Restart => SolveEventView { event: SolveEventKind::Restart, ..SolveEventView::default() },
    }
}
