//! Headings of the columns.

use std::collections::BTreeMap;

use yew::prelude::*;

use super::{
    camera::Camera,
    model::{Model, Sort},
};

/// A column: its wave, how many nodes stand in it, its left and right.
pub(super) type Column = (u32, usize, f32, f32);

/// The columns, when every wave stands in one of its own; nothing otherwise, and of
/// links and upgrades, which order nothing.
pub(super) fn columns(model: &Model) -> Vec<Column> {
    if model.sort != Sort::Needs {
        return Vec::new();
    }
    let mut by_wave = BTreeMap::<u32, (usize, f32, f32)>::new();
    for node in &model.nodes {
        let [left, _, width, _] = node.rect;
        let column = by_wave.entry(node.wave).or_insert((0, f32::INFINITY, f32::NEG_INFINITY));
        *column = (column.0 + 1, column.1.min(left), column.2.max(left + width));
    }
    let columns: Vec<Column> =
        by_wave.into_iter().map(|(wave, (count, left, right))| (wave, count, left, right)).collect();
    let apart = columns.iter().zip(columns.iter().skip(1)).all(|(one, next)| one.3 <= next.2);
    if apart { columns } else { Vec::new() }
}

/// The headings; they stay at the top while the drawing moves below them. The tree has them, too.
pub(super) fn headings(columns: &[Column], camera: Camera, width: f32) -> Html {
    const LEAST: f32 = 76.0;
    let seen = columns.iter().filter_map(|&(wave, count, left, right)| {
        let ([from, _], [to, _]) = (camera.point([left, 0.0]), camera.point([right, 0.0]));
        (to - from >= LEAST && to > 0.0 && from < width).then_some((wave, count, from, to))
    });
    let seen: Vec<_> = seen.collect();
    if seen.is_empty() {
        return Html::default();
    }
    html! { <div class="graph-waves" aria-hidden="true">
        { for seen.into_iter().map(|(wave, count, from, to)| html! {
            <span key={wave} ~style={format!("left:{from:.0}px;width:{:.0}px", to - from)}>
                { format!("Wave {} · {count}", wave + 1) }
            </span>
        }) }
    </div> }
}

#[cfg(test)]
mod tests {
    use super::{super::model::tests::model, columns};

    #[test]
    fn waves_that_overlap_have_no_columns() {
        let mut model = model(&[("a.x", 0), ("a.y", 0), ("a.z", 1)], &[]);
        assert_eq!(columns(&model), [(0, 2, 0.0, 200.0), (1, 1, 300.0, 500.0)]);
        if let Some(node) = model.nodes.last_mut() {
            node.rect[0] = 100.0;
        }
        assert!(columns(&model).is_empty());
    }
}
