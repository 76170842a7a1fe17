//! A new number of the user's.

use yew::prelude::*;

use super::{
    ControllersEvent,
    field::{number, written},
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct AddingProps {
    /// The ids there are.
    pub(super) taken: Vec<String>,
    /// Why the last change was refused.
    pub(super) refused: Option<AttrValue>,
    pub(super) on_event: Callback<ControllersEvent>,
}

/// One field and a button; the id is the next free letter.
#[component]
pub(super) fn Adding(props: &AddingProps) -> Html {
    let text = use_state_eq(String::new);
    let tried = use_state_eq(|| false);
    let value = number(&text);
    let onsubmit = {
        let (text, tried, on_event) = (text.clone(), tried.clone(), props.on_event.clone());
        let id = free(&props.taken);
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            tried.set(value.is_none());
            if let Some(number) = value {
                on_event.emit(ControllersEvent::Put { id: id.clone(), number });
                text.set(String::new());
            }
        })
    };
    let oninput = {
        let (text, tried) = (text.setter(), tried.setter());
        Callback::from(move |event: InputEvent| {
            text.set(written(&event));
            tried.set(false);
        })
    };
    let problem = match &props.refused {
        _ if *tried => Some(AttrValue::from("Write a whole number up to a billion.")),
        refused => refused.clone(),
    };
    html! {
        <form class="controllers-add" {onsubmit}>
            <input class="controllers-input" type="text" inputmode="numeric" autocomplete="off"
                aria-label="New number" placeholder="25, or −4 to fail" value={(*text).clone()} {oninput}
                aria-invalid={tried.then_some("true")} aria-describedby="controllers-refused" />
            <button type="submit" class="button">{ "Add" }</button>
            <p id="controllers-refused" class="controllers-refused" role="status">{ problem }</p>
        </form>
    }
}

/// The first free id: `a` to `z`, then `a2` and so on.
fn free(taken: &[String]) -> String {
    let letters = |round: u32| {
        ('a'..='z')
            .map(move |letter| if round == 1 { letter.to_string() } else { format!("{letter}{round}") })
    };
    (1..).flat_map(letters).find(|id| !taken.contains(id)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::free;

    #[test]
    fn ids_are_the_first_free_letters() {
        let taken = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
        assert_eq!(free(&taken(&[])), "a");
        assert_eq!(free(&taken(&["a", "c"])), "b");
        let letters: Vec<String> = ('a'..='z').map(String::from).collect();
        assert_eq!(free(&letters), "a2");
    }
}
