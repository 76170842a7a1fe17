//! The State view: the recorded state, its differences from the real resources, and its earlier versions.

use std::{collections::BTreeSet, rc::Rc};

use diag::order;
use ui::{
    InputEvent, InputView, InputsView, inputs_pane,
    views::live::{self, DriftProps, History, LiveEvent, StripProps, VersionItem, drift, strip},
};
use workspace::view::{ActionView, ReasonKind};
use yew::prelude::*;

use crate::{
    app::{
        context::{Context, Overlay},
        lazy::Page,
        live::events,
    },
    apply::{
        link::Link,
        message::{Answer, Question},
    },
    inputs,
    state::{Action, Input, InputKind, Phase, State},
};

/// The State view.
pub fn view(page: &Page) -> Html {
    state_view(&page.context)
}

fn state_view(context: &Context) -> Html {
    let inputs = &context.state().document.inputs;
    let on_event = {
        let context = context.clone();
        let kind = |observed| if observed { InputKind::Observed } else { InputKind::State };
        Callback::from(move |event| match event {
            InputEvent::Pick { observed } => context.pick_input(kind(observed)),
            InputEvent::Clear { observed } => {
                context.act(Action::SetInput { kind: kind(observed), input: None });
            }
            InputEvent::Take => context.overlay.set(Overlay::Review),
            InputEvent::Export => context.save_state(),
        })
    };
    let view = |input: &Option<Rc<Input>>| input.as_deref().map(inputs::view);
    let shown = InputsView {
        head: head(context),
        foot: foot(context),
        state: view(&inputs.state),
        observed: view(&inputs.observed),
        kept: recorded(context.state()),
        under_way: context.state().doing().is_busy(),
    };
    inputs_pane(&shown, &on_event)
}

/// The reason why the resources cannot be kept in sync now.
fn unwatchable(state: &State) -> Option<&'static str> {
    match (state.document.inputs.destroy, state.answers.blocking) {
        (true, _) => Some("Everything is about to be destroyed. Cancel that before you keep it in sync."),
        (false, 1..) => Some("The files have errors. Fix them first."),
        (false, 0) => None,
    }
}

/// The head of the State view.
fn head(context: &Context) -> Html {
    let state = context.state();
    let applying = &state.applying;
    let failed = match &applying.phase {
        Phase::Failed(why) => Some(AttrValue::from(why.clone())),
        _ => None,
    };
    let live = (applying.phase == Phase::On).then(|| applying.live.clone());
    let actions = applying.plan.iter().flat_map(|plan| &plan.actions).map(|it| it.address.clone());
    let mut addresses: Vec<String> =
        recorded(state).iter().flat_map(|it| &it.resources).map(|it| it.address.to_string()).collect();
    addresses.extend(actions);
    order::by(&mut addresses, Ord::cmp);
    addresses.dedup();
    let head = strip(&StripProps {
        live,
        failed,
        recorded: recorded(state).is_some_and(|it| !it.resources.is_empty()),
        addresses: Rc::new(addresses),
        unwatchable: unwatchable(state),
        on_event: events(context),
    });
    let busy = state.doing() != live::Doing::Idle;
    let plan = applying.plan.clone().filter(|_| state.is_live());
    let drifted = plan.map(|plan| drift(&DriftProps { plan, busy, on_event: events(context) }));
    // Always two: with one more or less the first would be drawn again, and what is open in it would close.
    html! { <>{ head }{ drifted.unwrap_or_default() }</> }
}

/// The foot of the State view.
fn foot(context: &Context) -> Html {
    let state = context.state();
    let Some(recorded) = state.applying.recorded.as_deref().filter(|_| state.is_live()) else {
        return Html::default();
    };
    html! {
        <Versions serial={inputs::serial(recorded)} busy={state.doing() != live::Doing::Idle} on_event={events(context)} />
    }
}

#[derive(Clone, PartialEq, Properties)]
struct VersionsProps {
    serial: u64,
    busy: bool,
    on_event: Callback<LiveEvent>,
}

/// The history, requested again when the state has changed.
#[component]
fn Versions(props: &VersionsProps) -> Html {
    let versions = use_state(|| Rc::new(Vec::<VersionItem>::new()));
    let compared = use_state(|| None);
    {
        let (versions, compared) = (versions.setter(), compared.setter());
        use_effect_with((props.serial, props.busy), move |_| {
            let then = Callback::from(move |answer: Answer| {
                if let Answer::Versions(found) = answer {
                    versions.set(Rc::new(found));
                    compared.set(None);
                }
            });
            Link::of_page().ask(Question::Versions, then);
        });
    }
    let on_event = {
        let (compared, on_event) = (compared.setter(), props.on_event.clone());
        Callback::from(move |event| {
            let LiveEvent::Compare { version, with } = event else { return on_event.emit(event) };
            let compared = compared.clone();
            // From the older to the newer; now is newer than all.
            let (before, after) = match with {
                Some(with) => (version.min(with), Some(version.max(with))),
                None => (version, None),
            };
            let then = Callback::from(move |answer: Answer| {
                if let Answer::Differences(found) = answer {
                    let difference = |it: crate::apply::message::Difference| live::Difference {
                        address: it.address.into(),
                        change: it.change,
                        places: it.places,
                    };
                    let found = Rc::new(found.into_iter().map(difference).collect());
                    compared.set(Some(live::Compared { version, with, found }));
                }
            });
            Link::of_page().ask(Question::Compare { before, after }, then);
        })
    };
    html! {
        <History versions={(*versions).clone()} compared={(*compared).clone()} serial={props.serial} busy={props.busy} {on_event} />
    }
}

/// The recorded state as a table.
fn recorded(state: &State) -> Option<InputView> {
    let mut view = state.applying.recorded.as_deref().map(inputs::view)?;
    let plan = state.applying.plan.as_ref().filter(|_| state.is_live());
    let actions = plan.iter().flat_map(|plan| &plan.actions);
    let is_gone = |it: &&ActionView| it.reason.as_ref().is_some_and(|reason| reason.kind == ReasonKind::Gone);
    let gone: BTreeSet<&str> = actions.filter(is_gone).map(|it| &*it.address).collect();
    for resource in view.resources.iter_mut().filter(|it| gone.contains(&*it.address)) {
        (resource.phase, resource.outputs) = ("gone".into(), "".into());
    }
    Some(view)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_from_keeping_in_sync_is_said() {
        for (destroy, blocking, expected) in [
            (false, 0, None),
            (false, 2, Some("The files have errors. Fix them first.")),
            (true, 0, Some("Everything is about to be destroyed. Cancel that before you keep it in sync.")),
            (true, 2, Some("Everything is about to be destroyed. Cancel that before you keep it in sync.")),
        ] {
            let mut state = State::default();
            state.document.inputs.destroy = destroy;
            state.answers.blocking = blocking;
            assert_eq!(unwatchable(&state), expected, "destroy: {destroy}, errors: {blocking}");
        }
    }
}
