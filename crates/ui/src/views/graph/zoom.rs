//! The buttons that zoom like wheel and pinch.

use yew::prelude::*;

use crate::IconName;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ZoomProps {
    pub(super) scale: f32,
    /// Everything is shown already.
    pub(super) fitted: bool,
    pub(super) on_zoom: Callback<f32>,
    pub(super) on_fit: Callback<()>,
}

/// One step of a button or key.
pub(super) const STEP: f32 = 1.25;

#[component]
pub(super) fn Zoom(props: &ZoomProps) -> Html {
    let zoom = |factor: f32| props.on_zoom.reform(move |_: MouseEvent| factor);
    html! {
        <div class="graph-zoom" role="group" aria-label="Zoom">
            <button type="button" title="Zoom out (−)" aria-label="Zoom out" onclick={zoom(1.0 / STEP)}>{ IconName::Minus.html() }</button>
            <span class="graph-scale">{ percent(props.scale) }</span>
            <button type="button" title="Zoom in (+)" aria-label="Zoom in" onclick={zoom(STEP)}>{ IconName::Plus.html() }</button>
            <button type="button" title="Show all (0)" aria-label="Show all"
                aria-pressed={if props.fitted { "true" } else { "false" }}
                onclick={props.on_fit.reform(|_: MouseEvent| ())}>{ IconName::Fit.html() }</button>
        </div>
    }
}

fn percent(scale: f32) -> String {
    if scale < 0.01 { "< 1 %".into() } else { format!("{:.0} %", scale * 100.0) }
}
