//! The resources that do not exist once a run has ended: destroyed to be created again, and not created.

use std::collections::BTreeSet;

use workspace::view::Action;
use yew::prelude::*;

use crate::{
    IconName,
    views::live::{StepItem, StepLook},
};

/// The resources that are down, each as a link.
pub(super) fn down(steps: &[StepItem], on_select: &Callback<String>) -> Html {
    let all = addresses(steps);
    if all.is_empty() {
        return Html::default();
    }
    html! {
        <p class="run-down" role="status">
            { IconName::Warning.html() }
            <span>
                { "Down now: " }
                { for all.into_iter().enumerate().map(|(at, address)| link(at, address, on_select)) }
                { ". They were destroyed and not created again." }
            </span>
        </p>
    }
}

fn link(at: usize, address: &str, on_select: &Callback<String>) -> Html {
    let onclick = {
        let address = address.to_owned();
        on_select.reform(move |_: MouseEvent| address.clone())
    };
    html! {
        <>
            if at > 0 { { ", " } }
            <button type="button" class="link run-address" {onclick}>{ address }</button>
        </>
    }
}

/// The addresses that were destroyed to be created again, and are not.
fn addresses(steps: &[StepItem]) -> BTreeSet<&str> {
    let of = |verb, is_done| {
        let fits = move |step: &&StepItem| step.verb == verb && (step.look == StepLook::Done) == is_done;
        steps.iter().filter(fits).map(|step| &*step.address).collect::<BTreeSet<_>>()
    };
    &of(Action::Destroy, true) & &of(Action::Create, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn down_is_what_was_destroyed_and_not_created_again() {
        let step = |address: &str, verb, look| StepItem {
            address: address.into(),
            verb,
            look,
            ..StepItem::default()
        };
        let steps = [
            step("services.db", Action::Destroy, StepLook::Done),
            step("services.db", Action::Create, StepLook::Failed),
            step("services.web", Action::Destroy, StepLook::Done),
            step("services.web", Action::Create, StepLook::Skipped),
            step("services.ok", Action::Destroy, StepLook::Done),
            step("services.ok", Action::Create, StepLook::Done),
            step("services.gone", Action::Destroy, StepLook::Done),
            step("services.new", Action::Create, StepLook::Waiting),
            step("services.kept", Action::Destroy, StepLook::Failed),
            step("services.kept", Action::Create, StepLook::Skipped),
        ];
        assert_eq!(addresses(&steps).into_iter().collect::<Vec<_>>(), ["services.db", "services.web"]);
    }
}
