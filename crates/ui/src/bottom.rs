//! What a narrow screen shows, chosen with a thumb.

use yew::prelude::*;

use crate::{Icon, Pane};

/// Properties of [`BottomBar`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct BottomBarProps {
    /// What is shown.
    pub open: Pane,
    /// How much is in each, in the order of [`Pane::ALL`]; zero is not shown.
    pub counts: [usize; 5],
    /// Something else is to be shown.
    pub on_open: Callback<Pane>,
}

/// The bottom bar of a narrow screen.
#[component]
pub fn BottomBar(props: &BottomBarProps) -> Html {
    html! {
        <nav class="bottom" aria-label="Screens">
            { for Pane::ALL.into_iter().zip(props.counts).map(|(pane, count)| html! {
                <button type="button" class={classes!("bottom-button", format!("bottom-{}", pane.id()))}
                    aria-current={(props.open == pane).then_some("page")}
                    onclick={props.on_open.reform(move |_: MouseEvent| pane)}>
                    <span class="bottom-icon">
                        <Icon name={pane.icon()} />
                        if count > 0 { <span class="bottom-count">{ count }</span> }
                    </span>
                    <span>{ pane.title() }</span>
                </button>
            }) }
        </nav>
    }
}
