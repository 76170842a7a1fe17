//! A number that can be changed in place.

use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Numbers beyond this are not taken, in either direction.
const LARGEST: i64 = 1_000_000_000;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct NumberFieldProps {
    pub(super) label: AttrValue,
    /// What is stored.
    pub(super) value: AttrValue,
    /// Called with another number once it is written: on Enter, or when the field is left.
    pub(super) on_put: Callback<i64>,
}

/// The field. What is being written stays while the table around it changes; Escape gives it up.
#[component]
pub(super) fn NumberField(props: &NumberFieldProps) -> Html {
    let draft = use_state_eq(|| None::<AttrValue>);
    {
        let draft = draft.setter();
        use_effect_with(props.value.clone(), move |_| draft.set(None));
    }
    let wrong = draft.as_ref().is_some_and(|text| number(text).is_none());
    let oninput = {
        let draft = draft.setter();
        Callback::from(move |event: InputEvent| draft.set(Some(written(&event).into())))
    };
    let onchange = {
        let (value, on_put) = (props.value.clone(), props.on_put.clone());
        Callback::from(move |event: Event| {
            let new = number(&written(&event));
            new.filter(|new| new.to_string() != *value).into_iter().for_each(|new| on_put.emit(new));
        })
    };
    let onkeydown = {
        let draft = draft.setter();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                draft.set(None);
            }
        })
    };
    let shown = (*draft).clone().unwrap_or_else(|| props.value.clone());
    html! {
        <input class="controllers-input" type="text" inputmode="numeric" autocomplete="off"
            aria-label={props.label.clone()} aria-invalid={wrong.then_some("true")}
            title={wrong.then_some("A whole number up to a billion")}
            value={shown} {oninput} {onchange} {onkeydown} />
    }
}

/// What is written in the field that an event comes from.
pub(super) fn written(event: &Event) -> String {
    event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default()
}

/// A whole number, also with a real minus; `None` if it is none, or too large.
pub(super) fn number(text: &str) -> Option<i64> {
    let number: i64 = text.trim().replace('−', "-").parse().ok()?;
    (-LARGEST..=LARGEST).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn whole_numbers_only() {
        assert_eq!(number(" 12 "), Some(12));
        assert_eq!(number("−4"), Some(-4));
        assert_eq!(number("-4"), Some(-4));
        assert_eq!(number("1000000000"), Some(1_000_000_000));
        for wrong in ["", "a", "1.5", "1000000001", "9223372036854775808", "-9223372036854775808"] {
            assert_eq!(number(wrong), None, "{wrong}");
        }
    }
}
