//! Moves: after any of them, the existing resources are the recorded ones.

use std::{collections::BTreeSet, ops::Range, thread};

use planloom_workspace::{engine::ApplyOptions, view::Action};
use runtime::SplitMix64;

use crate::environment::Environment;

/// Random files with random moves, each applied to the result of the ones before.
struct Files(SplitMix64);

impl Files {
    fn below(&mut self, most: u64) -> u64 {
        self.0.draw() % most
    }

    fn next(&mut self) -> String {
        let mut text =
            "meta: {name: shop}\npayloads: {p: {runtime: vm}}\nnetworks: {n: {}}\nservices:\n".to_owned();
        let names = 1 + self.below(15);
        for (index, name) in
            ["a", "b", "c", "d"].iter().enumerate().filter(|(index, _)| names >> index & 1 == 1)
        {
            let instances = match (self.below(3) + index as u64) % 3 {
                0 => format!(", instances: {}", self.below(3)),
                _ => String::new(),
            };
            text.push_str(&format!("  {name}: {{payload: p{instances}}}\n"));
        }
        text.push_str("moved:\n");
        for _ in 0..self.below(3) {
            // Most moves lead from what is not described to what is.
            let (from, to) = match self.below(8) {
                0 => (self.address(15), self.address(15)),
                _ => (self.address(!names & 15), self.address(names & 15)),
            };
            text.push_str(&format!("  - {{from: \"{from}\", to: \"{to}\"}}\n"));
        }
        text
    }

    /// An address of one of these services, if there are any.
    fn address(&mut self, services: u64) -> String {
        let all = ["a", "b", "c", "d"].into_iter().enumerate();
        let some: Vec<&str> = all.filter(|(index, _)| services >> index & 1 == 1).map(|(_, it)| it).collect();
        let name = some.get(self.below(4) as usize % some.len().max(1)).copied().unwrap_or("a");
        match self.below(16) {
            0 => "networks.n".to_owned(),
            1..=4 => format!("services.{name}[{}]", self.below(3)),
            _ => format!("services.{name}"),
        }
    }
}

/// The ids of the existing resources, and of the recorded ones.
fn ids(site: &Environment) -> [BTreeSet<String>; 2] {
    let existing = site.simulator.resources().iter().map(|it| it.id.id.clone()).collect();
    let recorded = site.load().resources.values().map(|it| it.id.clone()).collect();
    [existing, recorded]
}

/// Ten plans in each of these worlds. Some are refused, which changes nothing.
fn hold(worlds: Range<u64>) {
    let plans = 10 * (worlds.end - worlds.start);
    let (mut carried_out, mut moved) = (0, 0);
    for world in worlds {
        let (site, mut files) = (Environment::new(), Files(SplitMix64::seeded(world)));
        site.apply("meta: {name: shop}\npayloads: {p: {runtime: vm}}\nservices: {a: {payload: p}}\n");
        for _ in 0..10 {
            let text = files.next();
            let report = site.apply_with(&text, ApplyOptions::default());
            let [existing, recorded] = ids(&site);
            assert_eq!(existing, recorded, "world {world}: {text}");
            carried_out += u64::from(report.is_ok());
            moved += report.iter().flat_map(|it| &it.steps).filter(|it| it.verb == Action::Move).count();
        }
    }
    assert!(carried_out > plans / 5 && moved > 0, "{carried_out} carried out, {moved} moved");
}

/// 2,000 plans, or ten in each of as many worlds as `PROPTEST_CASES` says.
#[test]
fn what_exists_is_what_is_recorded() {
    hold(0..std::env::var("PROPTEST_CASES").map_or(200, |it| it.parse().unwrap()));
}

/// 10,000 plans: those above, and four times as many.
#[test]
#[ignore = "it takes a minute of two processors: `cargo xtask test torture` runs it"]
fn what_exists_is_what_is_recorded_after_ten_thousand_plans() {
    thread::scope(|scope| {
        for part in 0..10 {
            scope.spawn(move || hold(100 * part..100 * (part + 1)));
        }
    });
}
