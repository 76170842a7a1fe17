use runtime::testing::{Host, ManualTimer};
use store::Store;
use ui::views::controllers::{ControllerItem, Snapshot};
use workspace::view::{ControllerEdge, ControllerState, GraphFormat};

use super::{Bench, chain};

struct Stage {
    bench: Bench,
    host: Host,
}

impl Stage {
    fn new() -> Self {
        let timer = ManualTimer::new();
        let bench = Bench::new(Store::in_memory(timer.clock()), timer.clone());
        let host = Host::new(&bench.runtime(), &timer);
        Self { bench, host }
    }

    fn after(&mut self, millis: u64) -> Snapshot {
        self.host.pass(millis);
        self.bench.look()
    }
}

/// `id: spec` of a kind's resources.
fn said(snapshot: &Snapshot, kind: &str) -> Vec<String> {
    let kind = snapshot.kinds.iter().find(|it| it.name == kind).unwrap();
    kind.resources.iter().map(|it| format!("{}: {}", it.id, it.spec)).collect()
}

fn controller<'a>(snapshot: &'a Snapshot, id: &str) -> &'a ControllerItem {
    snapshot.controllers.iter().find(|it| it.id == id).unwrap()
}

#[test]
fn the_example_is_accepted_and_nothing_is_wrong_with_it() {
    let mut stage = Stage::new();
    let snapshot = stage.after(5_000);
    let ids: Vec<&str> = snapshot.controllers.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["root", "tell", "total", "sweep"]);
    assert!(
        snapshot
            .controllers
            .iter()
            .all(|it| it.state == ControllerState::Idle && it.failed == 0 && !it.does.is_empty())
    );
    assert_eq!(snapshot.lints, []);
    assert_eq!(said(&snapshot, "Numbers"), ["a: 16", "b: 2", "c: 9"]);
    assert_eq!(said(&snapshot, "Roots"), ["a: √16 = 4", "b: √2 = 1.414", "c: √9 = 3"]);
    assert_eq!(
        said(&snapshot, "Sentences"),
        [
            "a: The square root of 16 is 4.",
            "all-even: 2 even numbers add up to 18.",
            "all-odd: One odd number: 9.",
            "b: The square root of 2 is 1.414.",
            "c: The square root of 9 is 3.",
        ]
    );
}

#[test]
fn a_number_goes_through_in_steps() {
    let mut stage = Stage::new();
    stage.after(5_000);
    stage.bench.put("d", 25).unwrap();
    let soon = stage.after(100);
    assert!(said(&soon, "Roots").contains(&"d: √25 = 5".into()));
    assert!(said(&soon, "Sentences").contains(&"all-odd: 2 odd numbers add up to 34.".into()));
    assert_eq!(controller(&soon, "tell").state, ControllerState::Running);
    assert!(!said(&soon, "Sentences").iter().any(|it| it.starts_with("d:")), "it takes a second");
    let later = stage.after(chain::SLOW.as_millis() as u64);
    assert!(said(&later, "Sentences").contains(&"d: The square root of 25 is 5.".into()));
    assert_eq!(controller(&later, "tell").state, ControllerState::Idle);
}

#[test]
fn a_number_below_zero_fails_again_and_again_and_goes_all_the_same() {
    let mut stage = Stage::new();
    stage.after(5_000);
    stage.bench.put("d", -4).unwrap();
    let failing = stage.after(3_000);
    let root = controller(&failing, "root");
    assert_eq!((root.state, root.queue), (ControllerState::BackOff, 1));
    assert!(root.failed >= 2 && root.retry_at.is_some(), "{root:?}");
    assert_eq!(root.error.as_ref().unwrap().0, "−4 has no square root");
    stage.bench.remove("d").unwrap();
    let gone = stage.after(100);
    assert_eq!(controller(&gone, "root").state, ControllerState::Idle);
    assert_eq!(said(&gone, "Numbers").len(), 3);
}

#[test]
fn all_of_a_number_goes_from_the_end_to_the_beginning() {
    let mut stage = Stage::new();
    stage.after(5_000);
    stage.bench.remove("c").unwrap();
    let going = stage.after(100);
    for (kind, holder) in [("Numbers", "root"), ("Roots", "tell")] {
        let kind = going.kinds.iter().find(|it| it.name == kind).unwrap();
        let resource = kind.resources.iter().find(|it| it.id == "c").unwrap();
        assert!(resource.leaving, "{} is tearing down", kind.name);
        assert_eq!(resource.held_by, [holder]);
    }
    assert!(stage.bench.put("c", 1).unwrap_err().contains("tearing down"));
    let gone = stage.after(chain::SLOW.as_millis() as u64);
    for kind in ["Numbers", "Roots", "Sentences"] {
        assert!(!said(&gone, kind).iter().any(|it| it.starts_with("c:")), "{kind}");
    }
    assert!(!said(&gone, "Sentences").iter().any(|it| it.starts_with("all-odd")), "no odd number is left");
    assert_eq!(stage.bench.remove("c"), Err("c no longer exists".into()));
}

#[test]
fn a_runtime_that_is_started_again_takes_up_what_is_to_be_done() {
    let timer = ManualTimer::new();
    let mut bench = Bench::new(Store::in_memory(timer.clock()), timer.clone());
    let mut host = Host::new(&bench.runtime(), &timer);
    host.pass(5_000);
    assert!(!bench.run(true), "it runs already");
    assert!(!bench.run(false));
    host.settle();
    bench.remove("a").unwrap();
    let stopped = bench.look();
    assert!(!stopped.running && stopped.controllers.iter().all(|it| it.state == ControllerState::Stopped));
    assert_eq!(stopped.kinds[0].resources[0].held_by, ["root"]);
    assert!(bench.run(true));
    let mut host = Host::new(&bench.runtime(), &timer);
    host.pass(5_000);
    assert_eq!(said(&bench.look(), "Numbers"), ["b: 2", "c: 9"]);
}

#[test]
fn everything_is_drawn_and_nothing_lies_on_anything() {
    let mut stage = Stage::new();
    let snapshot = stage.after(0);
    let controllers = snapshot.controllers.iter().map(|it| it.place);
    let places: Vec<_> = controllers.chain(snapshot.kinds.iter().map(|it| it.place)).collect();
    for flow in [|it: &ui::views::controllers::Place| it.wide, |it: &ui::views::controllers::Place| it.tall] {
        for (at, one) in places.iter().map(flow).enumerate() {
            for two in places[at + 1..].iter().map(flow) {
                let apart = one[0] + one[2] <= two[0]
                    || two[0] + two[2] <= one[0]
                    || one[1] + one[3] <= two[1]
                    || two[1] + two[3] <= one[1];
                assert!(apart, "{one:?} and {two:?}");
            }
        }
    }
    assert!(snapshot.edges.iter().all(|it| it.way.wide.len() > 1 && it.way.tall.len() > 1));
    for edge in &snapshot.edges {
        for (points, flow) in [(&edge.way.wide, 0), (&edge.way.tall, 1)] {
            let hit = places.iter().map(|it| [it.wide, it.tall][flow]).find(|rect| passes(points, *rect));
            assert_eq!(hit, None, "{} passes through a box", edge.id);
        }
    }
    // On a phone all of it is seen at full size.
    assert!(snapshot.tall[0] <= 372.0, "{:?}", snapshot.tall);
    for kind in ControllerEdge::ALL {
        assert!(snapshot.edges.iter().any(|it| it.edge == *kind), "{kind}");
    }
}

#[test]
fn a_snapshot_is_read_as_it_was_written() {
    let mut stage = Stage::new();
    stage.after(5_000);
    stage.bench.put("a", -1).unwrap();
    stage.bench.remove("b").unwrap();
    let snapshot = stage.after(100);
    let root = controller(&snapshot, "root");
    assert!(root.error.is_some() && root.retry_at.is_some() && root.queue > 0);
    let text = serde_json::to_string(&snapshot).unwrap();
    assert_eq!(serde_json::from_str::<Snapshot>(&text).unwrap(), snapshot);
}

#[test]
fn the_graph_can_be_taken_along() {
    let stage = Stage::new();
    assert!(stage.bench.text(GraphFormat::Mermaid).starts_with("flowchart LR"));
    assert!(stage.bench.text(GraphFormat::Dot).starts_with("digraph"));
}

/// Whether a way has a point inside a box; its ends lie on the borders of theirs.
fn passes(points: &[[f32; 2]], [left, top, width, height]: [f32; 4]) -> bool {
    let inside = |x: f32, y: f32| x > left && x < left + width && y > top && y < top + height;
    points.windows(2).any(|ends| {
        let [[x1, y1], [x2, y2]] = [ends[0], ends[1]];
        (0..=20).any(|step| {
            let part = step as f32 / 20.0;
            inside(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part)
        })
    })
}
