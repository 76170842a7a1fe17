//! Layered drawing: dependencies left, dependents right, few crossings. Deterministic; no floats in decisions that
//! could differ between machines.

/// What to draw.
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
}

/// Where to draw it. Same order as the input.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Top left corner of each node.
    pub positions: Vec<(f32, f32)>,
    /// The way of each edge, from the right side of the dependency to the left side of the dependent, as points of a
    /// polyline to be smoothed by who draws it.
    pub routes: Vec<Vec<(f32, f32)>>,
    /// Width and height of it all.
    pub size: (f32, f32),
}

/// Lays a graph out.
pub fn layout(input: &LayoutInput) -> Layout {
    let _ = input;
    todo!()
}
