//! The results of the search for few crossings with so many steps. Steps are the same on each machine, so a drawing is
//! too; a change that is meant to make better or quicker drawings shows here by how much.

use std::fmt::Write as _;

use super::{
    LayoutInput,
    columns::Columns,
    crossings::{Numbers, crossings, reduce},
    layout,
    pieces::Arc,
    ranks, steps,
};

const KEPT: &str = include_str!("budgets.txt");
const STEPS: [usize; 9] = [0, 300, 1_000, 4_000, 15_000, 60_000, 250_000, 1_000_000, 5_000_000];

/// Nodes, and how many earlier ones each needs at most.
const GRAPHS: [(usize, usize); 8] = [(7, 2), (12, 2), (16, 3), (25, 2), (40, 2), (40, 4), (90, 2), (150, 3)];

/// Arcs from a few earlier nodes, most of them near.
fn arcs(nodes: usize, most: usize) -> Vec<Arc> {
    let mut numbers = Numbers(nodes as u64 * 1_000 + most as u64);
    let mut below = |end: usize| numbers.below(end);
    let mut pairs = Vec::new();
    for from in 1..nodes {
        for _ in 0..=below(most) {
            let reach = if below(4) == 0 { from } else { from.min(9) };
            pairs.push((from - 1 - below(reach), from));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
        .into_iter()
        .map(|(left, right)| Arc { left, right, weight: 1 + i64::from((left + right) % 2 == 0) })
        .collect()
}

/// A number that is another one if anything is.
fn checksum(numbers: impl IntoIterator<Item = usize>) -> u32 {
    numbers.into_iter().fold(0x811c_9dc5, |sum, it| (sum ^ it as u32).wrapping_mul(0x0100_0193))
}

/// `nodes arcs how ranks: crossings/order` for each number of steps.
fn table() -> String {
    let mut table = String::new();
    for (nodes, most) in GRAPHS {
        let arcs = arcs(nodes, most);
        for (name, ranks) in [("short", ranks::ranks(nodes, &arcs)), ("waves", ranks::waves(nodes, &arcs))] {
            let sum = checksum(ranks.iter().copied());
            write!(table, "{nodes} {} {name} {sum:08x}:", arcs.len()).expect("it is written");
            for steps in STEPS {
                let mut columns = Columns::new(&ranks, &arcs);
                reduce(&mut columns, steps);
                let order = checksum(columns.order.iter().flatten().copied());
                write!(table, " {}/{order:08x}", crossings(&columns)).expect("it is written");
            }
            writeln!(table, " drawn {:08x}", drawn(nodes, &arcs, name == "waves")).expect("it is written");
        }
    }
    table
}

/// A checksum of the positions and routes of the drawing, with as many steps as it gets.
fn drawn(nodes: usize, arcs: &[Arc], waves: bool) -> u32 {
    let sizes =
        (0..nodes).map(|node| (80.0 + (node % 3) as f32 * 20.0, 40.0 + (node % 2) as f32 * 14.0)).collect();
    let edges = arcs.iter().map(|it| (it.right, it.left)).collect();
    let drawing = layout(&LayoutInput { sizes, edges, layer_gap: 60.0, node_gap: 12.0, waves });
    let points = drawing.positions.iter().chain(drawing.routes.iter().flatten());
    checksum(points.flat_map(|(x, y)| [(x * 16.0).round() as usize, (y * 16.0).round() as usize]))
}

#[test]
fn as_many_steps_give_the_same_order() {
    let now = table();
    assert_eq!(now, KEPT, "\n{now}");
}

#[test]
fn more_steps_never_give_more_crossings_than_none() {
    for line in KEPT.lines() {
        let (_, results) = line.split_once(": ").expect("results");
        let (results, _) = results.split_once(" drawn ").expect("a drawing");
        let counts: Vec<usize> = results
            .split(' ')
            .map(|it| it.split('/').next().unwrap_or_default().parse().expect("a count"))
            .collect();
        assert!(counts.iter().all(|it| *it <= counts[0]), "{line}");
        assert!(counts.last() == counts.iter().min(), "{line}");
    }
}

#[test]
fn a_piece_has_its_share_of_the_steps_and_some_for_each_of_its_parts() {
    for (nodes, of, parts, expected) in [
        (1, 1, [0, 0], 1_000_000),
        (1, 4, [0, 0], 250_000),
        (3, 4, [0, 0], 750_000),
        (3, 4, [2, 5], 855_000),
        (10, 10, [100, 200], 5_500_000),
        (10, 10, [20_000, 20_000], 500_000_000),
    ] {
        assert_eq!(steps(nodes, of, parts), expected, "{nodes} of {of}, {parts:?}");
    }
}
