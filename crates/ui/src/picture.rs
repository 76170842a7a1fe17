//! A graph drawn small: its boxes and connections without words.

use workspace::view::LayoutView;
use yew::prelude::*;

use crate::IconName;

/// A graph drawn small; an empty frame while it is made, and the icon if it has no boxes. Its content is described
/// beside it.
pub fn picture(layout: Option<&LayoutView>, icon: IconName) -> Html {
    let Some(layout) = layout.filter(|layout| !layout.boxes.is_empty()) else {
        return html! {
            <svg class="picture" viewBox="0 0 160 90" aria-hidden="true" focusable="false">
                if layout.is_some() { <path class="picture-icon" d={icon.path()} transform="translate(56 21) scale(3)" /> }
            </svg>
        };
    };
    let [width, height] = layout.size;
    const MARGIN: f32 = 12.0;
    let view_box = format!("{} {} {} {}", -MARGIN, -MARGIN, width + 2.0 * MARGIN, height + 2.0 * MARGIN);
    html! {
        <svg class="picture" viewBox={view_box} preserveAspectRatio="xMidYMid meet" aria-hidden="true" focusable="false">
            { for layout.routes.iter().filter(|route| !route.is_empty()).map(|route| html! {
                <polyline class="picture-edge" points={points(route)} />
            }) }
            { for layout.boxes.iter().map(|[left, top, width, height]| html! {
                <rect class="picture-node" x={left.to_string()} y={top.to_string()} width={width.to_string()}
                    height={height.to_string()} rx="8" />
            }) }
        </svg>
    }
}

fn points(route: &[[f32; 2]]) -> String {
    route.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}
