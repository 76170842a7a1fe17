//! The form that writes a value into one of the files.

use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::{SetValue, card::Target};
use crate::{IconName, layer_mark};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct EditorProps {
    pub(super) pointer: String,
    pub(super) value: String,
    pub(super) targets: Vec<Target>,
    pub(super) affected: Option<String>,
    pub(super) on_set: Callback<SetValue>,
    pub(super) on_close: Callback<()>,
}

#[component]
pub(super) fn Editor(props: &EditorProps) -> Html {
    let value = use_state(|| props.value.clone());
    let chosen = use_state(|| 0usize);
    let field = use_node_ref();
    use_effect_with(field.clone(), |field| {
        if let Some(input) = field.cast::<HtmlInputElement>() {
            let _ = input.focus();
            input.select();
        }
    });
    let oninput = {
        let value = value.clone();
        Callback::from(move |event: InputEvent| {
            value.set(event.target_unchecked_into::<HtmlInputElement>().value())
        })
    };
    let target = props.targets.get(*chosen);
    let unchanged = *value == props.value && target.is_some_and(|target| *chosen == 0 && target.effective);
    let onsubmit = {
        let set = target.map(|target| SetValue {
            file: target.layer.file.to_string(),
            pointer: props.pointer.clone(),
            yaml: (*value).clone(),
        });
        let (on_set, on_close) = (props.on_set.clone(), props.on_close.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            if let Some(set) = set.clone().filter(|_| !unchanged) {
                on_set.emit(set);
            }
            on_close.emit(());
        })
    };
    let words = target.map_or_else(String::new, |target| format!("Write to {}", target.layer.file));
    html! {
        <form class="card-form" {onsubmit}>
            <input ref={field} class="card-input" value={(*value).clone()} {oninput}
                aria-label="New value, as YAML" spellcheck="false" autocomplete="off" />
            <fieldset class="card-targets">
                <legend>{ "Change in" }</legend>
                { for props.targets.iter().enumerate().map(|(at, target)| {
                    let onchange = { let chosen = chosen.clone();
                        Callback::from(move |_: Event| chosen.set(at)) };
                    html! {
                        <label class={classes!("card-target",
                            (!target.effective).then_some("without-effect"))}>
                            <input type="radio" name="merged-target" checked={at == *chosen} {onchange} />
                            { layer_mark(&target.layer, true) }
                            <span class="card-effect">{ &target.effect }</span>
                        </label>
                    }
                }) }
            </fieldset>
            if let Some(affected) = &props.affected
                { <p class="card-note">{ IconName::Hint.html() }{ affected }</p> }
            <div class="card-buttons">
                <button type="submit" class="primary-button"
                    disabled={unchanged || value.trim().is_empty()}>{ words }</button>
                <button type="button" class="quiet-button"
                    onclick={props.on_close.reform(|_: MouseEvent| ())}>{ "Cancel" }</button>
            </div>
        </form>
    }
}
