//! The engine's phases one by one, for benchmarks in wasm: a phase alone is not part of the npm package's promise.
//!
//! The host writes a text at [`room`], adds it as a layer, and then merges as often as it likes. Or it writes a graph there
//! and has it laid out.

use std::cell::RefCell;

use diag::FileId;
use graph::layout::{LayoutInput, layout};
use merge::{Layer, Merged};
use syntax::{Limits, Node, NodeData};
use types::Types;

#[derive(Default)]
struct Engine {
    types: Option<Types>,
    text: Vec<u8>,
    layers: Vec<Layer>,
    merged: Option<Merged>,
    drawing: Vec<f32>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
}

/// The buffer for a text of `length` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    ENGINE.with_borrow_mut(|engine| {
        engine.text = vec![0; length];
        engine.text.as_mut_ptr()
    })
}

/// Reads the text as the next layer.
#[unsafe(no_mangle)]
pub extern "C" fn add_layer() {
    ENGINE.with_borrow_mut(|engine| {
        let text = String::from_utf8_lossy(&engine.text).into_owned();
        let file = FileId(engine.layers.len() as u32);
        let parse = syntax::parse(file, &text, &Limits::default());
        engine.layers.push(Layer::new(parse.document.root, None));
        engine.types.get_or_insert_with(Types::builtin);
    });
}

/// Merges all layers, with origins; what was merged before is dropped. The number of diagnostics.
#[unsafe(no_mangle)]
pub extern "C" fn merge() -> usize {
    ENGINE.with_borrow_mut(|engine| {
        let Some(types) = &engine.types else { return 0 };
        let (merged, diagnostics) = merge::merge(&engine.layers, types);
        engine.merged = Some(merged);
        diagnostics.len()
    })
}

/// The number of nodes of the merged tree.
#[unsafe(no_mangle)]
pub extern "C" fn size() -> usize {
    ENGINE.with_borrow(|engine| engine.merged.as_ref().map_or(0, |merged| nodes(&merged.root)))
}

/// The number of places of it that more than one layer wrote.
#[unsafe(no_mangle)]
pub extern "C" fn history() -> usize {
    ENGINE.with_borrow(|engine| engine.merged.as_ref().map_or(0, |merged| merged.history.len()))
}

/// Lays a graph out: the width and height of each node, the gap between layers and that between nodes, the number of nodes, and
/// then the ends of each edge, all of them 32-bit numbers. Returns the number of 32-bit numbers of the drawing.
#[unsafe(no_mangle)]
pub extern "C" fn lay_out() -> usize {
    ENGINE.with_borrow_mut(|engine| {
        let (numbers, _) = engine.text.as_chunks::<4>();
        let [width, height, layer_gap, node_gap, count, ends @ ..] = numbers else { return 0 };
        let [width, height, layer_gap, node_gap] =
            [width, height, layer_gap, node_gap].map(|it| f32::from_le_bytes(*it));
        let whole = |number: &[u8; 4]| u32::from_le_bytes(*number) as usize;
        let (edges, _) = ends.as_chunks::<2>();
        let drawn = layout(&LayoutInput {
            sizes: vec![(width, height); whole(count)],
            edges: edges.iter().map(|[from, to]| (whole(from), whole(to))).collect(),
            layer_gap,
            node_gap,
            waves: false,
        });
        engine.drawing.clear();
        engine.drawing.extend(drawn.positions.iter().flat_map(|(x, y)| [*x, *y]));
        for route in &drawn.routes {
            engine.drawing.push(route.len() as f32);
            engine.drawing.extend(route.iter().flat_map(|(x, y)| [*x, *y]));
        }
        engine.drawing.len()
    })
}

/// The drawing: the top left corner of each node, then for each edge the number of its points, and these.
#[unsafe(no_mangle)]
pub extern "C" fn drawing() -> *const f32 {
    ENGINE.with_borrow(|engine| engine.drawing.as_ptr())
}

fn nodes(node: &Node) -> usize {
    1 + match &node.data {
        NodeData::Sequence(items) => items.iter().map(nodes).sum(),
        NodeData::Mapping(mapping) => mapping.entries.iter().map(|entry| nodes(&entry.value)).sum(),
        _ => 0,
    }
}
