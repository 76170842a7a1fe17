use std::{fmt, hash::Hash};

use simulation::World;
use stateright::{Checker, Model, Property};

/// A world as a model: its states are everything that can become of it.
struct Explored<W>(W);

/// What was found by trying everything that can happen.
#[derive(Debug)]
pub struct Exploration {
    /// The number of different states.
    pub states: usize,
    /// The most actions that led to one of them.
    pub depth: usize,
    /// A broken promise, and the fewest actions that lead to it.
    pub found: Option<(String, Vec<String>)>,
}

impl<W: World + Send + Sync> Model for Explored<W>
where
    W::Action: Send + Sync,
{
    type State = W;
    type Action = W::Action;

    fn init_states(&self) -> Vec<W> {
        vec![self.0.clone()]
    }

    fn actions(&self, state: &W, actions: &mut Vec<W::Action>) {
        actions.extend(state.actions());
    }

    fn next_state(&self, last: &W, action: W::Action) -> Option<W> {
        let mut next = last.clone();
        next.apply(&action);
        Some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        // Whether everything ends is checked in each state, by a fair end from there: stateright's own liveness properties
        // miss ends that are reached on several ways.
        vec![
            Property::always("nothing is broken", |_, state: &W| state.broken().is_none()),
            Property::always("everything comes to an end", |_, state: &W| unsettled(state).is_none()),
        ]
    }
}

/// What is wrong after a fair end.
fn unsettled<W: World>(state: &W) -> Option<String> {
    let mut settled = state.clone();
    settled.settle();
    settled.broken().or_else(|| settled.unsettled())
}

/// Tries everything that can happen in a world, breadth first, up to a number of steps.
pub fn explore<W: World + Send + Sync + Hash + 'static>(world: W, limit: usize) -> Exploration
where
    W::Action: Send + Sync,
{
    let checker = Explored(world).checker().threads(2).target_state_count(limit).spawn_bfs().join();
    let wrong = checker.discoveries().into_values().map(|path| {
        let last = path.last_state();
        let why = last.broken().or_else(|| unsettled(last)).unwrap_or_default();
        let actions: Vec<String> = path.into_actions().iter().map(|it| format!("{it:?}")).collect();
        (why, actions)
    });
    let found = wrong.min_by_key(|(_, actions)| actions.len());
    Exploration { states: checker.unique_state_count(), depth: checker.max_depth(), found }
}

impl fmt::Display for Exploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} states, at most {} actions", self.states, self.depth)?;
        let Some((why, actions)) = &self.found else { return Ok(()) };
        write!(f, "\n{why} after\n  {}", actions.join("\n  "))
    }
}
