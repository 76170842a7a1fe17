//! Small drawings, place by place.

use planloom_graph::layout::{Layout, LayoutInput, layout};

/// The layout of nodes of these sizes: 60 between columns, 12 between nodes.
fn draw(sizes: &[(f32, f32)], edges: &[(usize, usize)], waves: bool) -> Layout {
    layout(&LayoutInput {
        sizes: sizes.to_vec(),
        edges: edges.to_vec(),
        layer_gap: 60.0,
        node_gap: 12.0,
        waves,
    })
}

/// True if points are where they should be, but for rounding.
fn is_near(found: &[(f32, f32)], expected: &[(f32, f32)]) -> bool {
    let near = |(a, b): (&(f32, f32), &(f32, f32))| (a.0 - b.0).abs() < 0.05 && (a.1 - b.1).abs() < 0.05;
    found.len() == expected.len() && found.iter().zip(expected).all(near)
}

#[track_caller]
fn check_positions(sizes: &[(f32, f32)], edges: &[(usize, usize)], expected: &[(f32, f32)]) {
    let positions = draw(sizes, edges, false).positions;
    assert!(is_near(&positions, expected), "{positions:?}");
}

#[track_caller]
fn check_routes(sizes: &[(f32, f32)], edges: &[(usize, usize)], expected: &[&[(f32, f32)]]) {
    let routes = draw(sizes, edges, false).routes;
    let are_near = routes.iter().zip(expected).all(|(found, expected)| is_near(found, expected));
    assert!(are_near && routes.len() == expected.len(), "{routes:?}");
}

const BOX: (f32, f32) = (100.0, 40.0);

#[test]
fn a_column_is_as_wide_as_its_widest_node_and_nodes_stand_in_its_middle() {
    let sizes = [(100.0, 40.0), (50.0, 40.0), (80.0, 40.0), (20.0, 40.0)];
    let edges = [(1, 0), (2, 1), (3, 1)];
    check_positions(&sizes, &edges, &[(0.0, 26.0), (160.0, 26.0), (270.0, 0.0), (300.0, 52.0)]);
    assert!(is_near(&[draw(&sizes, &edges, false).size], &[(350.0, 92.0)]));
}

#[test]
fn a_node_is_level_with_the_middle_one_of_its_dependencies() {
    let edges = [(0, 1), (0, 2), (0, 3)];
    let right = |y: f32| (160.0, y);
    check_positions(
        &[BOX, BOX, BOX, (100.0, 60.0)],
        &edges,
        &[right(52.0), (0.0, 0.0), (0.0, 52.0), (0.0, 104.0)],
    );
    check_positions(
        &[BOX, (100.0, 60.0), BOX, BOX],
        &edges,
        &[right(72.0), (0.0, 0.0), (0.0, 72.0), (0.0, 124.0)],
    );
    // The mean of the three, where its lines are the straightest, is 20 below: more than the gap.
    check_positions(
        &[BOX, BOX, BOX, (100.0, 160.0)],
        &edges,
        &[right(72.0), (0.0, 0.0), (0.0, 52.0), (0.0, 104.0)],
    );
}

/// The edge keeps 0.8 of the gap from the box, and pulls twice as hard as the two short ones: its ends stand a third of
/// the way up to the middle of the box, which is 109.6 away.
#[test]
fn a_long_edge_bends_around_the_box_in_its_way() {
    let sizes = [BOX, (100.0, 200.0), BOX];
    let edges = [(1, 0), (2, 1), (2, 0)];
    check_positions(&sizes, &edges, &[(0.0, 153.07), (160.0, 0.0), (320.0, 153.07)]);
    // Half of what it keeps is left between it and the box.
    check_routes(
        &sizes,
        &edges,
        &[
            &[(100.0, 173.07), (160.0, 100.0)],
            &[(260.0, 100.0), (320.0, 173.07)],
            &[(100.0, 173.07), (160.0, 204.8), (260.0, 204.8), (320.0, 173.07)],
        ],
    );
}

/// A quarter of the height below the edges that lead the other way.
#[test]
fn an_edge_that_closes_a_cycle_leads_back_beside_the_others() {
    check_routes(
        &[BOX, BOX],
        &[(1, 0), (0, 1)],
        &[&[(160.0, 30.0), (100.0, 30.0)], &[(100.0, 20.0), (160.0, 20.0)]],
    );
}

#[test]
fn a_node_that_needs_itself_has_a_line_over_it() {
    let drawn = draw(&[BOX], &[(0, 0)], false);
    assert_eq!((drawn.positions[0], drawn.size), ((15.0, 4.0), (130.0, 44.0)));
    let expected = [(115.0, 24.0), (130.0, 24.0), (130.0, 0.0), (0.0, 0.0), (0.0, 24.0), (15.0, 24.0)];
    assert!(is_near(&drawn.routes[0], &expected), "{:?}", drawn.routes);
}

#[test]
fn edges_that_are_written_twice_are_kept_shorter() {
    let chain = [(1, 0), (2, 1), (3, 2)];
    let column = |more: &[(usize, usize)]| draw(&[BOX; 5], &[&chain, more].concat(), false).positions[4].0;
    assert_eq!(column(&[(4, 0), (3, 4), (3, 4)]), 320.0);
    assert_eq!(column(&[(4, 0), (4, 0), (3, 4)]), 160.0);
}

/// From the left: `0`, which `1` needs, which `2` needs. That `0` needs `1` closes the cycle.
#[test]
fn a_cycle_is_entered_where_others_need_it() {
    check_positions(&[BOX; 3], &[(0, 1), (1, 0), (2, 1)], &[(0.0, 0.0), (160.0, 0.0), (320.0, 0.0)]);
}

#[test]
fn dependents_stand_in_the_order_they_are_declared_in() {
    check_positions(&[BOX; 3], &[(2, 0), (1, 0)], &[(0.0, 26.0), (160.0, 0.0), (160.0, 52.0)]);
}

#[test]
fn disconnected_components_are_drawn_apart() {
    let edges = [(1, 0), (3, 2)];
    let places = [(0.0, 0.0), (160.0, 0.0), (0.0, 52.0), (160.0, 52.0)];
    check_positions(&[BOX; 4], &edges, &places);
    assert_eq!(draw(&[BOX; 4], &edges, true).positions, places);
}
