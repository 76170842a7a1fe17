//! The environments below the files: the one in use, and names for new ones.

use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use crate::{IconButton, IconName, dom};

/// An action of the user on environments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnvironmentEvent {
    /// Uses all files.
    UseAll,
    /// Uses the files of one.
    Use(AttrValue),
    /// Gives the files that are used now a name.
    Save(AttrValue),
    /// Removes a name.
    Remove(AttrValue),
    /// Compares two of them.
    Compare,
}

/// Properties of [`EnvironmentsStrip`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct EnvironmentsStripProps {
    /// Their names.
    pub names: Vec<AttrValue>,
    /// The one that is used; `None` for files that have no name.
    pub used: Option<AttrValue>,
    /// The number of files that are left out.
    pub muted: usize,
    /// Called with each action of the user.
    pub on_event: Callback<EnvironmentEvent>,
}

const ALL: &str = "all";
const OTHER: &str = "other";

/// The strip that shows and selects the environment in use.
#[component]
pub fn EnvironmentsStrip(props: &EnvironmentsStripProps) -> Html {
    let naming = use_state_eq(|| false);
    let emit = |event: EnvironmentEvent| props.on_event.reform(move |_: MouseEvent| event.clone());
    let start = {
        let naming = naming.setter();
        Callback::from(move |_: MouseEvent| naming.set(true))
    };
    html! {
        <section class="environments" aria-label="Environment">
            <label class="environments-used"><span>{ "Environment" }</span>{ select(props) }</label>
            if *naming {
                <NewName on_done={named(props, naming.setter())} />
            } else {
                <span class="environments-buttons">
                    if props.used.is_none() && props.muted > 0 {
                        <button type="button" class="quiet-button" onclick={start}
                            title="Gives the files that are used now a name">{ "Save…" }</button>
                    }
                    if let Some(used) = &props.used {
                        { IconButton::new(IconName::Trash, format!("Remove the environment {used}; its files stay"),
                            emit(EnvironmentEvent::Remove(used.clone()))).html() }
                    }
                    if !props.names.is_empty() {
                        <button type="button" class="quiet-button" onclick={emit(EnvironmentEvent::Compare)}>{ "Compare" }</button>
                    }
                </span>
            }
        </section>
    }
}

fn select(props: &EnvironmentsStripProps) -> Html {
    let onchange = props.on_event.reform(|change: Event| {
        let value = change.target_unchecked_into::<HtmlSelectElement>().value();
        match value.strip_prefix('=') {
            Some(name) => EnvironmentEvent::Use(name.to_owned().into()),
            None => EnvironmentEvent::UseAll,
        }
    });
    let is_all = props.used.is_none() && props.muted == 0;
    html! {
        <select aria-label="Environment" {onchange}>
            <option value={ALL} selected={is_all}>{ "All files" }</option>
            { for props.names.iter().map(|name| html! {
                <option value={format!("={name}")} selected={props.used.as_ref() == Some(name)}>{ name }</option>
            }) }
            if props.used.is_none() && !is_all {
                <option value={OTHER} selected=true disabled=true>{ format!("{} muted", props.muted) }</option>
            }
        </select>
    }
}

fn named(props: &EnvironmentsStripProps, naming: UseStateSetter<bool>) -> Callback<Option<String>> {
    let on_event = props.on_event.clone();
    Callback::from(move |name: Option<String>| {
        naming.set(false);
        let name = name.map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
        name.into_iter().for_each(|name| on_event.emit(EnvironmentEvent::Save(name.into())));
    })
}

#[derive(Clone, PartialEq, Properties)]
struct NewNameProps {
    /// The name; `None` when there is to be none.
    on_done: Callback<Option<String>>,
}

#[component]
fn NewName(props: &NewNameProps) -> Html {
    let field = use_node_ref();
    {
        let field = field.clone();
        use_effect_with((), move |()| dom::focus(&field));
    }
    let onsubmit = {
        let (field, on_done) = (field.clone(), props.on_done.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            on_done.emit(field.cast::<HtmlInputElement>().map(|field| field.value()));
        })
    };
    let onkeydown = props.on_done.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        event.stop_propagation();
        if event.key() == "Escape" {
            onkeydown.emit(None);
        }
    });
    html! {
        <form class="environments-new" {onsubmit}>
            <input ref={field} class="rail-input" type="text" aria-label="Name of the environment" placeholder="production"
                autocomplete="off" spellcheck="false" {onkeydown} />
            <button type="submit" class="button">{ "Save" }</button>
        </form>
    }
}
