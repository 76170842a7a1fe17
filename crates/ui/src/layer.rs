//! A file stands everywhere for itself: by number, letter and colour.

use workspace::view::Role;
use yew::prelude::*;

/// The badge of a file, shown wherever something came from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerBadge {
    /// The file's name.
    pub file: AttrValue,
    /// Its number among the layers that are merged, from 1; the last one wins. None before it is known, and where it is
    /// not merged.
    pub number: Option<u32>,
    /// Its letter: `A` for the first file that was added, unique in the workspace, kept when files are reordered.
    pub letter: AttrValue,
    /// Its colour: 0 to 7, the token `--layer-<n>` and the class `layer-<n>`.
    pub color_index: usize,
    /// Its role and title if it is not merged.
    pub apart: Option<Apart>,
    /// True if it is left out of merging and planning.
    pub muted: bool,
}

/// The role of a file that is not merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Apart {
    /// Its role.
    pub role: Role,
    /// The role in words: `catalog`.
    pub title: AttrValue,
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
    let title = match (apart, number) {
        (Some(apart), _) => format!("{file}: {}", apart.title),
        (None, Some(number)) => format!("{number}. {file}"),
        (None, None) => file.to_string(),
    };
    html! {
        <span class={classes!("layer-mark", layer.class())} {title}>
            <span class="layer-letter" aria-hidden={named.then_some("true")}>{ letter }</span>
            if named { <span class="layer-name">{ file }</span> }
        </span>
    }
}
