//! A pulse that runs once along the edges that actions go along, when they are first shown.

use super::{
    model::Model,
    neighbours::{self},
};

/// Milliseconds until it begins, between steps, and along one edge.
const BEFORE: f64 = 300.0;
const BETWEEN: f64 = 450.0;
const ALONG: f64 = 700.0;

/// The pulse of the knock-ons that were shown last.
#[derive(Debug, Default)]
pub(super) struct Ripple {
    /// Tells one set of knock-ons from another.
    key: String,
    /// Edges, each with how many come before it.
    steps: Vec<(usize, usize)>,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Phase {
    #[default]
    Over,
    Ready,
    Since(f64),
}

impl Ripple {
    /// Runs along the knock-ons of a model: again when they change, and only then.
    pub(super) fn follow(&mut self, model: &Model) {
        let steps = neighbours::ripple(model);
        let key = key(model, &steps);
        self.steps = steps;
        if key != self.key {
            self.phase = if key.is_empty() { Phase::Over } else { Phase::Ready };
            self.key = key;
        }
    }

    /// The edges that it is on, each with how far; `None` when it is over, and for users who asked for less motion.
    pub(super) fn at(&mut self, now: f64, calm: bool) -> Option<Vec<(usize, f32)>> {
        if self.phase == Phase::Ready {
            self.phase = Phase::Since(now);
        }
        let Phase::Since(start) = self.phase else { return None };
        let last = self.steps.iter().map(|(_, step)| *step).max().unwrap_or(0);
        if calm || now - start > BEFORE + last as f64 * BETWEEN + ALONG {
            self.phase = Phase::Over;
            return None;
        }
        let part = |step: usize| (now - start - BEFORE - step as f64 * BETWEEN) / ALONG;
        let on = |(edge, step): &(usize, usize)| {
            let part = part(*step);
            (0.0..=1.0).contains(&part).then_some((*edge, part as f32))
        };
        Some(self.steps.iter().filter_map(on).collect())
    }
}

fn key(model: &Model, steps: &[(usize, usize)]) -> String {
    let name = |at: usize| model.nodes.get(at).map_or("", |node| node.address.as_str());
    let edges = steps.iter().filter_map(|(at, _)| model.edges.get(*at));
    edges.map(|edge| format!("{} {} {:?}\n", name(edge.from), name(edge.to), edge.knock_on)).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::model::tests::model, Ripple};
    use workspace::view::Action;

    #[test]
    fn it_runs_once_for_the_same_knock_ons() {
        let mut model = model(
            &[("a.a", 0), ("a.b", 1), ("a.c", 2)],
            &[("a.b", "a.a", "reference"), ("a.c", "a.b", "reference")],
        );
        let mut ripple = Ripple::default();
        ripple.follow(&model);
        assert_eq!(ripple.at(0.0, false), None, "nothing is knocked on");
        for edge in &mut model.edges {
            edge.knock_on = Some(Action::Rebuild);
        }
        ripple.follow(&model);
        assert_eq!(ripple.at(1_000.0, false), Some(vec![]), "it has not begun");
        assert_eq!(ripple.at(1_650.0, false), Some(vec![(0, 0.5)]));
        assert_eq!(ripple.at(1_800.0, false).map(|it| it.len()), Some(2));
        assert_eq!(ripple.at(9_000.0, false), None);
        ripple.follow(&model);
        assert_eq!(ripple.at(9_100.0, false), None, "the same again");
    }

    #[test]
    fn it_does_not_run_for_who_asked_for_calm() {
        let mut model = model(&[("a.a", 0), ("a.b", 1)], &[("a.b", "a.a", "reference")]);
        model.edges[0].knock_on = Some(Action::Update);
        let mut ripple = Ripple::default();
        ripple.follow(&model);
        assert_eq!(ripple.at(0.0, true), None);
    }
}
