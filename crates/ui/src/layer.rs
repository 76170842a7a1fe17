//! A file stands everywhere for itself: by number, letter and colour.

use yew::prelude::*;

/// How one file is shown wherever something came from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerBadge {
    /// The file's name.
    pub file: AttrValue,
    /// Its place in the merge order, from 1; the last one wins.
    pub number: usize,
    /// Its letter: `A` for the first file that was added, unique in the workspace, kept when files are reordered.
    pub letter: AttrValue,
    /// Its colour: 0 to 7, the token `--layer-<n>` and the class `layer-<n>`.
    pub color_index: usize,
    /// What it is where it is not merged: `catalog`. Such a file has no number.
    pub apart: Option<&'static str>,
}

impl LayerBadge {
    /// The class that sets `--layer` to the file's colour.
    pub fn class(&self) -> String {
        if self.apart.is_some() { "layer-apart".into() } else { format!("layer-{}", self.color_index % 8) }
    }

    /// The badge of a file.
    pub fn of<'a>(layers: &'a [LayerBadge], file: &str) -> Option<&'a LayerBadge> {
        layers.iter().find(|layer| &*layer.file == file)
    }
}

/// A file's letter on its colour; the name is in its title, and beside it when `named`.
pub fn layer_mark(layer: &LayerBadge, named: bool) -> Html {
    let LayerBadge { file, number, letter, apart, .. } = layer;
    let title = apart.map_or_else(|| format!("{number}. {file}"), |what| format!("{file}: {what}"));
    html! {
        <span class={classes!("layer-mark", layer.class())} {title}>
            <span class="layer-letter" aria-hidden={named.then_some("true")}>{ letter }</span>
            if named { <span class="layer-name">{ file }</span> }
        </span>
    }
}
