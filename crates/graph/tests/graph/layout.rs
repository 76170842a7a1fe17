//! Laws of drawings.

use planloom_graph::layout::{Layout, LayoutInput, layout};
use proptest::prelude::*;

const GAP: f32 = 12.0;

fn input(sizes: Vec<(f32, f32)>, edges: Vec<(usize, usize)>) -> LayoutInput {
    LayoutInput { sizes, edges, layer_gap: 60.0, node_gap: GAP, waves: false }
}

fn plain(nodes: usize, edges: &[(usize, usize)]) -> LayoutInput {
    input(vec![(100.0, 40.0); nodes], edges.to_vec())
}

fn any_input() -> impl Strategy<Value = LayoutInput> {
    (1_usize..16).prop_flat_map(|count| {
        let size = (10_u16..200, 10_u16..90).prop_map(|(w, h)| (f32::from(w), f32::from(h)));
        let edges = prop::collection::vec((0..count, 0..count), 0..40);
        (prop::collection::vec(size, count), edges, any::<bool>())
            .prop_map(|(sizes, edges, waves)| LayoutInput { waves, ..input(sizes, edges) })
    })
}

fn without_cycles() -> impl Strategy<Value = LayoutInput> {
    any_input().prop_map(|mut input| {
        input.edges.retain(|(from, to)| from != to);
        input.edges.iter_mut().for_each(|(from, to)| (*from, *to) = ((*from).max(*to), (*from).min(*to)));
        input
    })
}

struct Rect {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

fn rects(input: &LayoutInput, layout: &Layout) -> Vec<Rect> {
    let rect = |((x, y), (w, h)): (&(f32, f32), &(f32, f32))| Rect {
        left: *x,
        top: *y,
        right: x + w,
        bottom: y + h,
    };
    layout.positions.iter().zip(&input.sizes).map(rect).collect()
}

/// Rounding adds up to this at most.
const SLIP: f32 = 0.05;

proptest! {
    #[test]
    fn boxes_keep_their_distance(input in any_input()) {
        let layout = layout(&input);
        let rects = rects(&input, &layout);
        for (n, a) in rects.iter().enumerate() {
            for b in &rects[..n] {
                let gap = GAP - SLIP;
                let apart = a.left >= b.right + gap || b.left >= a.right + gap;
                prop_assert!(apart || a.top >= b.bottom + gap || b.top >= a.bottom + gap);
            }
        }
    }

    #[test]
    fn everything_lies_inside(input in any_input()) {
        let layout = layout(&input);
        let corners = rects(&input, &layout).into_iter().flat_map(|it| [(it.left, it.top), (it.right, it.bottom)]);
        for (x, y) in corners.chain(layout.routes.iter().flatten().copied()) {
            prop_assert!(x >= -SLIP && x <= layout.size.0 + SLIP, "{x} in {}", layout.size.0);
            prop_assert!(y >= -SLIP && y <= layout.size.1 + SLIP, "{y} in {}", layout.size.1);
        }
    }

    #[test]
    fn without_cycles_dependencies_are_left_and_no_edge_runs_back(input in without_cycles()) {
        let layout = layout(&input);
        let rects = rects(&input, &layout);
        for ((from, to), route) in input.edges.iter().zip(&layout.routes) {
            prop_assert!(rects[*to].right < rects[*from].left);
            prop_assert!(route.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{route:?}");
            let (first, last) = (route[0], route[route.len() - 1]);
            let middle = |rect: &Rect| (rect.top + rect.bottom) / 2.0;
            prop_assert!((first.0 - rects[*to].right).abs() < SLIP && (first.1 - middle(&rects[*to])).abs() < SLIP);
            prop_assert!((last.0 - rects[*from].left).abs() < SLIP && (last.1 - middle(&rects[*from])).abs() < SLIP);
        }
    }

    #[test]
    fn edges_touch_no_box_but_those_at_their_ends(input in any_input()) {
        let layout = layout(&input);
        let rects = rects(&input, &layout);
        for ((from, to), route) in input.edges.iter().zip(&layout.routes).filter(|((from, to), _)| from != to) {
            for (node, rect) in rects.iter().enumerate().filter(|(node, _)| node != from && node != to) {
                for pair in route.windows(2) {
                    prop_assert!(!cuts(pair[0], pair[1], rect), "{node} by {from} → {to}: {route:?}");
                }
            }
        }
    }

    #[test]
    fn the_same_graph_is_drawn_the_same(input in any_input()) {
        prop_assert_eq!(layout(&input), layout(&input));
    }

    #[test]
    fn every_edge_has_a_way(input in any_input()) {
        let layout = layout(&input);
        prop_assert_eq!(layout.routes.len(), input.edges.len());
        prop_assert!(layout.routes.iter().all(|route| route.len() >= 2));
    }
}

/// True if a line goes through the inside of a box.
fn cuts((x0, y0): (f32, f32), (x1, y1): (f32, f32), rect: &Rect) -> bool {
    let (mut enter, mut leave) = (0.0_f32, 1.0_f32);
    let sides = [
        (x1 - x0, rect.left + SLIP - x0, rect.right - SLIP - x0),
        (y1 - y0, rect.top + SLIP - y0, rect.bottom - SLIP - y0),
    ];
    for (way, least, most) in sides {
        if way == 0.0 {
            if least > 0.0 || most < 0.0 {
                return false;
            }
        } else {
            let (a, b) = (least / way, most / way);
            enter = enter.max(a.min(b));
            leave = leave.min(a.max(b));
        }
    }
    enter < leave
}

#[test]
fn an_empty_graph_has_no_size() {
    assert_eq!(layout(&LayoutInput::default()), Layout::default());
}

#[test]
fn a_chain_is_one_straight_line() {
    let layout = layout(&plain(4, &[(0, 1), (1, 2), (2, 3)]));
    assert_eq!(layout.positions, [(480.0, 0.0), (320.0, 0.0), (160.0, 0.0), (0.0, 0.0)]);
    assert_eq!(layout.routes[2], [(100.0, 20.0), (160.0, 20.0)]);
    assert_eq!(layout.size, (580.0, 40.0));
}

#[test]
fn a_diamond_is_even() {
    let layout = layout(&plain(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]));
    assert_eq!(layout.positions, [(320.0, 26.0), (160.0, 0.0), (160.0, 52.0), (0.0, 26.0)]);
}

#[test]
fn nodes_that_hang_on_nothing_fill_rows() {
    let layout = layout(&plain(40, &[]));
    let rows = layout.positions.iter().filter(|(x, _)| *x == 0.0).count();
    assert!((4..=10).contains(&rows), "{rows} rows");
    let ratio = layout.size.0 / layout.size.1;
    assert!((1.0..3.0).contains(&ratio), "{ratio}");
}

/// `3` needs only `0`, which is far from it; `4` and `5` hang on nothing else.
#[test]
fn in_waves_each_node_is_placed_after_its_dependencies() {
    let edges = [(1, 0), (2, 1), (3, 0), (2, 3), (5, 4)];
    let layout = layout(&LayoutInput { waves: true, ..plain(6, &edges) });
    let columns: Vec<f32> = layout.positions.iter().map(|(x, _)| *x).collect();
    assert_eq!(columns, [0.0, 160.0, 320.0, 160.0, 0.0, 160.0]);
}

/// A node whose only dependent is late could move towards it; in waves it stays.
#[test]
fn drawn_in_waves_a_node_does_not_wait_for_its_dependent() {
    let edges = [(1, 0), (2, 1), (2, 3)];
    let column = |waves| layout(&LayoutInput { waves, ..plain(4, &edges) }).positions[3].0;
    assert_eq!((column(false), column(true)), (160.0, 0.0));
}

#[test]
fn low_pieces_stand_beside_high_ones() {
    let star: Vec<_> = (1..12).map(|leaf| (leaf, 0)).collect();
    let layout = layout(&plain(24, &star));
    let star_height = 11.0 * 40.0 + 10.0 * GAP;
    assert!(layout.size.1 <= star_height + 1.0, "{}", layout.size.1);
}

#[test]
fn two_nodes_that_need_each_other_have_two_lines() {
    let layout = layout(&plain(2, &[(0, 1), (1, 0)]));
    assert_ne!(layout.routes[0], layout.routes[1]);
    let (forth, back) = (&layout.routes[0], &layout.routes[1]);
    assert!(forth[0].0 < forth[1].0 && back[0].0 > back[1].0);
}

#[test]
fn a_node_that_needs_itself_has_a_line_around_it() {
    let layout = layout(&plain(1, &[(0, 0)]));
    assert!(layout.routes[0].iter().any(|(_, y)| *y < layout.positions[0].1));
}

#[test]
fn unsound_input_is_drawn_all_the_same() {
    let mut input = input(
        vec![(f32::NAN, -1.0), (f32::INFINITY, 10.0)],
        vec![(0, 1), (7, 0), (0, usize::MAX), (2, 0), (0, 2)],
    );
    input.layer_gap = f32::NAN;
    let layout = layout(&input);
    assert!(layout.positions.iter().all(|(x, y)| x.is_finite() && y.is_finite()));
    assert_eq!(layout.routes.iter().map(Vec::is_empty).collect::<Vec<_>>(), [false, true, true, true, true]);
}

#[test]
fn a_tangle_ends_in_time() {
    let chain = (1..3_000).map(|n| (n, n - 1));
    let far = (0..1_500).map(|n| (n + 1_500, n));
    let drawn = layout(&plain(3_000, &chain.chain(far).collect::<Vec<_>>()));
    assert_eq!(drawn.routes.len(), 4_499);
    let ring = layout(&plain(2_000, &(0..2_000).map(|n| (n, (n + 1) % 2_000)).collect::<Vec<_>>()));
    assert!(ring.size.0 > 0.0);
}

/// Three tiers for each of some teams, with a few nodes that all share, and edges to near nodes.
fn teams(count: usize) -> (usize, Vec<(usize, usize)>) {
    let shared = 4;
    let mut edges: Vec<(usize, usize)> = (1..shared).map(|node| (node, 0)).collect();
    for team in 0..count {
        let first = shared + team * 9;
        edges.extend((0..3).map(|nth| (first + nth, team % shared)));
        for nth in 3..9 {
            edges.extend([
                (first + nth, first + nth - 3),
                (first + nth, first + (nth * 7 + team) % 3 + (nth - 3) / 3 * 3),
            ]);
        }
        edges.push((first + 8, (team + 1) % shared));
    }
    (shared + count * 9, edges)
}

/// The share of pairs in a column of both drawings that stand in the same order in both.
fn kept(before: &Layout, after: &Layout, number: impl Fn(usize) -> usize) -> (usize, usize) {
    let (mut same, mut all) = (0, 0);
    for a in 0..before.positions.len() {
        for b in 0..a {
            let [one, other] = [a, b].map(|node| (before.positions[node], after.positions[number(node)]));
            if one.0.0 == other.0.0 && one.1.0 == other.1.0 {
                all += 1;
                same += usize::from((one.0.1 < other.0.1) == (one.1.1 < other.1.1));
            }
        }
    }
    (same, all)
}

/// One more node that needs another one, anywhere among the others; one edge more; one edge less.
#[test]
fn a_small_change_of_the_graph_changes_little_of_the_drawing() {
    let (mut same, mut all) = (0, 0);
    for count in 2..6 {
        let (nodes, edges) = teams(count);
        let before = layout(&LayoutInput { waves: true, ..plain(nodes, &edges) });
        let mut compare = |nodes: usize, edges: &[(usize, usize)], number: &dyn Fn(usize) -> usize| {
            let after = layout(&LayoutInput { waves: true, ..plain(nodes, edges) });
            let (kept, of) = kept(&before, &after, number);
            (same, all) = (same + kept, all + of);
        };
        for at in (5..nodes).step_by(7) {
            let number = |node: usize| node + usize::from(node >= at);
            let moved = edges.iter().map(|(from, to)| (number(*from), number(*to)));
            let more: Vec<_> = moved.chain([(at, at * 5 % at)]).collect();
            compare(nodes + 1, &more, &number);
            let more: Vec<_> = edges.iter().copied().chain([(at, at * 5 % 4)]).collect();
            compare(nodes, &more, &|node| node);
            let less: Vec<_> = edges.iter().copied().filter(|edge| *edge != edges[at]).collect();
            compare(nodes, &less, &|node| node);
        }
    }
    let share = 100 * same / all;
    assert!(share >= 90, "{share} % of {all} pairs");
}
