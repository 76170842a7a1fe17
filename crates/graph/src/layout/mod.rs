//! Layered drawing: dependencies left, dependents right, few crossings. Deterministic; no floats in decisions that
//! could differ between machines: only `+ - * /`, comparisons and square roots, which are exact everywhere.
//!
//! The phases, one file each: cycles are broken and the graph falls apart into pieces (`pieces`), each piece gets
//! columns of least total edge length (`ranks`), long edges get a stop in each column they pass (`columns`),
//! columns are ordered for few crossings (`crossings`) and get places that keep edges short (`places`), lines take
//! the shortest way past the boxes (`routes`), and the pieces are put side by side (`pack`). Work is bounded in all of
//! them, so a tangle gives a worse drawing, not a long wait.

#[cfg(test)]
mod budgets;
mod columns;
mod crossings;
mod pack;
mod pieces;
mod places;
mod ranks;
mod rerouting;
mod routes;
mod sifting;
mod sweeps;

use pieces::Piece;

/// The graph to draw.
#[derive(Clone, Debug, Default)]
pub struct LayoutInput {
    /// Width and height of each node.
    pub sizes: Vec<(f32, f32)>,
    /// Pairs (from dependent, to dependency), indices into `sizes`; may hold cycles and repetitions.
    pub edges: Vec<(usize, usize)>,
    /// Space between layers.
    pub layer_gap: f32,
    /// Space between nodes of one layer.
    pub node_gap: f32,
    /// Each node right behind the last of what it needs, so that a column is a wave, and pieces that do not hang
    /// together below each other; the columns of all pieces are in line where the nodes of a wave are equally wide.
    /// Otherwise columns that keep edges short, and pieces side by side: better for many nodes.
    pub waves: bool,
}

/// The places at which to draw a graph, in the order of the input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Top left corner of each node.
    pub positions: Vec<(f32, f32)>,
    /// The way of each edge, from the right side of the dependency to the left side of the dependent, as points of a
    /// polyline to be smoothed by the caller that draws it. It never turns back and touches no other node.
    ///
    /// An edge that closes a cycle leads back: from the left side of the dependency to the right side of the
    /// dependent. One of a node to itself leads around it. Empty for an edge whose ends are not both there.
    pub routes: Vec<Vec<(f32, f32)>>,
    /// Width and height of it all.
    pub size: (f32, f32),
}

/// Steps of the search for few crossings that all pieces share by their nodes, those on top of it for each vertex and
/// link, and the most for one piece: some two thirds of a second.
const STEPS_FOR_ALL: u64 = 1_000_000;
const STEPS_FOR_EACH: u64 = 15_000;
const MOST_STEPS: u64 = 500_000_000;

/// The gaps that are kept between layers and between nodes.
#[derive(Clone, Copy, Debug)]
struct Gaps {
    layer: f32,
    node: f32,
}

/// Lays a graph out. Sizes and gaps that are negative or not finite count as 0.
pub fn layout(input: &LayoutInput) -> Layout {
    let sizes: Vec<(f32, f32)> = input.sizes.iter().map(|(w, h)| (sound(*w), sound(*h))).collect();
    let gaps = Gaps { layer: sound(input.layer_gap), node: sound(input.node_gap) };
    let split = pieces::split(sizes.len(), &input.edges);
    let drawn: Vec<Drawing> =
        split.pieces.iter().map(|piece| draw(piece, &sizes, gaps, input.waves)).collect();
    let outer: Vec<(f32, f32)> = drawn.iter().map(|it| it.size).collect();
    let corners = if input.waves { pack::stack(&outer, gaps) } else { pack::pack(&outer, gaps) };
    assemble(input, &split, &drawn, &corners)
}

fn sound(length: f32) -> f32 {
    if length.is_finite() { length.clamp(0.0, 1.0e6) } else { 0.0 }
}

/// One piece with its own origin.
#[derive(Debug)]
struct Drawing {
    /// Top left corners of the piece's nodes.
    positions: Vec<(f32, f32)>,
    /// The ways of the piece's edges.
    routes: Vec<Vec<(f32, f32)>>,
    size: (f32, f32),
}

fn draw(piece: &Piece, sizes: &[(f32, f32)], gaps: Gaps, waves: bool) -> Drawing {
    let own: Vec<(f32, f32)> = piece.nodes.iter().map(|node| sizes[*node]).collect();
    let find = if waves { ranks::waves } else { ranks::ranks };
    let ranks = find(own.len(), &piece.arcs);
    let mut columns = columns::Columns::new(&ranks, &piece.arcs);
    let steps = steps(own.len(), sizes.len(), [columns.right.count(), columns.place.len()]);
    crossings::reduce(&mut columns, steps);
    let heights: Vec<f32> = own.iter().map(|(_, height)| *height).collect();
    let middles = places::middles(&columns, &heights, gaps.node);
    routes::drawing(piece, &columns, &own, &middles, gaps)
}

/// The steps for a piece with so many of all nodes, and so many links and vertices.
fn steps(nodes: usize, of: usize, parts: [usize; 2]) -> usize {
    let share = nodes as u64 * STEPS_FOR_ALL / of as u64;
    let size = parts.iter().sum::<usize>() as u64;
    (share + size * STEPS_FOR_EACH).min(MOST_STEPS) as usize
}

fn assemble(
    input: &LayoutInput,
    split: &pieces::Components,
    drawn: &[Drawing],
    corners: &[(f32, f32)],
) -> Layout {
    let mut layout = Layout {
        positions: vec![(0.0, 0.0); input.sizes.len()],
        routes: vec![Vec::new(); input.edges.len()],
        size: (0.0, 0.0),
    };
    for ((piece, drawing), corner) in split.pieces.iter().zip(drawn).zip(corners) {
        let moved = |(x, y): (f32, f32)| (x + corner.0, y + corner.1);
        for (node, position) in piece.nodes.iter().zip(&drawing.positions) {
            layout.positions[*node] = moved(*position);
        }
        for (drawn, route) in piece.edges.iter().zip(&drawing.routes) {
            layout.routes[drawn.edge] = route.iter().copied().map(moved).collect();
        }
        let end = moved(drawing.size);
        layout.size = (layout.size.0.max(end.0), layout.size.1.max(end.1));
    }
    layout
}
