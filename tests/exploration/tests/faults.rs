use std::time::Instant;

use crate::{STEPS, planted, planted_faults::activate};

/// Every fourth fault is found, or each with `PLANLOOM_FAULTS=all`, or those of the protocol that it names; and without one the
/// same copy keeps all promises.
#[test]
fn planted_faults_are_found() {
    let mut missed = Vec::new();
    let chosen = std::env::var("PLANLOOM_FAULTS").unwrap_or_default();
    let numbered = planted::FAULTS.iter().enumerate();
    for (number, (name, what, protocol, world)) in numbered.filter(|(number, (_, _, protocol, _))| {
        chosen == "all" || chosen == *protocol || (chosen.is_empty() && number % 4 == 0)
    }) {
        activate(number);
        let begun = Instant::now();
        let mut worlds = planted::explored::small();
        worlds.extend(planted::explored::medium());
        worlds.retain(|it| it.protocol == *protocol);
        worlds.sort_by_key(|it| !it.name.contains(world));
        let mut explored = worlds.into_iter().map(|world| (world.explore(STEPS), world));
        let Some((found, world)) = explored.find(|(found, _)| found.found.is_some()) else {
            missed.push(*name);
            continue;
        };
        let (why, actions) = found.found.as_ref().expect("it was found");
        println!(
            "{name} ({what}): found in {:.1} s after {} actions in {}: {why}",
            begun.elapsed().as_secs_f64(),
            actions.len(),
            world.name
        );
    }
    activate(usize::MAX);
    assert!(missed.is_empty(), "not found: {}", missed.join(", "));
    let kept = planted::explored::small().into_iter().all(|world| world.explore(STEPS).found.is_none());
    assert!(kept, "without a fault, a promise is broken");
}
