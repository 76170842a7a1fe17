//! The bottom bar of a narrow screen, which selects the pane that is shown.

use yew::prelude::*;

use crate::Pane;

/// The bottom bar of a narrow screen: the open pane, and the number of items in each pane, as a number and in words
/// (zero is not shown).
pub fn bottom_bar(open: Pane, counts: [(usize, String); 5], on_open: &Callback<Pane>) -> Html {
    html! {
        <nav class="bottom" aria-label="Screens">
            { for Pane::ALL.into_iter().zip(counts).map(|(pane, (count, said))| html! {
                <button type="button" class={classes!("bottom-button", format!("bottom-{}", pane.id()))}
                    aria-current={(open == pane).then_some("page")}
                    title={(count > 0).then_some(said)}
                    onclick={on_open.reform(move |_: MouseEvent| pane)}>
                    <span class="bottom-icon">
                        { pane.icon().html() }
                        if count > 0 { <span class="bottom-count">{ count }</span> }
                    </span>
                    <span>{ pane.title() }</span>
                </button>
            }) }
        </nav>
    }
}
