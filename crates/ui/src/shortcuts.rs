//! The sheet of keys.

use yew::prelude::*;

use crate::{Dialog, IconButton, IconName};

/// Properties of [`Shortcuts`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct ShortcutsProps {
    /// Groups of keys: the title of the group, then each key with its effect.
    pub groups: Vec<(&'static str, Vec<(AttrValue, &'static str)>)>,
    /// It was read.
    pub on_close: Callback<()>,
}

/// The sheet of keys.
#[component]
pub fn Shortcuts(props: &ShortcutsProps) -> Html {
    html! {
        <Dialog label="Keyboard" class="shortcuts" on_close={props.on_close.clone()}>
            <div class="dialog-head">
                <h2>{ "Keyboard" }</h2>
                { IconButton::new(IconName::Close, "Close", props.on_close.reform(|_: MouseEvent| ())).html() }
            </div>
            <div class="shortcut-groups" tabindex="0">
                { for props.groups.iter().map(|(title, keys)| html! {
                    <section>
                        <h3>{ *title }</h3>
                        <dl>{ for keys.iter().map(|(key, what)| html! {
                            <div><dt><kbd>{ key }</kbd></dt><dd>{ *what }</dd></div>
                        }) }</dl>
                    </section>
                }) }
            </div>
        </Dialog>
    }
}
