//! The engine's phases one by one, for benchmarks in wasm: a phase alone is not part of the npm package's promise.
//!
//! The host writes a text at [`room`], adds it as a layer, and then merges as often as it likes.

use std::cell::RefCell;

use diag::FileId;
use merge::{Layer, Merged};
use syntax::{Limits, Node, NodeData};
use types::Types;

#[derive(Default)]
struct Engine {
    types: Option<Types>,
    text: Vec<u8>,
    layers: Vec<Layer>,
    merged: Option<Merged>,
}

thread_local! {
    static ENGINE: RefCell<Engine> = RefCell::default();
}

/// Where a text of `length` bytes is to be written.
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
        engine.layers.push(Layer { root: parse.document.root, package: None });
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

/// How many nodes the merged tree has.
#[unsafe(no_mangle)]
pub extern "C" fn size() -> usize {
    ENGINE.with_borrow(|engine| engine.merged.as_ref().map_or(0, |merged| nodes(&merged.root)))
}

/// How many places of it more than one layer wrote.
#[unsafe(no_mangle)]
pub extern "C" fn history() -> usize {
    ENGINE.with_borrow(|engine| engine.merged.as_ref().map_or(0, |merged| merged.history.len()))
}

fn nodes(node: &Node) -> usize {
    1 + match &node.data {
        NodeData::Sequence(items) => items.iter().map(nodes).sum(),
        NodeData::Mapping(mapping) => mapping.entries.iter().map(|entry| nodes(&entry.value)).sum(),
        _ => 0,
    }
}
