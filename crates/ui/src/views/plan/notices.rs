//! The problems of the plan itself: of its states or its effects. Problems of the files are in their own view.

use std::rc::Rc;

use workspace::view::{DiagnosticView, FixView, LocationView, PlanView};
use yew::prelude::*;

use crate::{LayerBadge, views::problems::ProblemRow};

/// Those that the files alone do not have.
pub(super) fn of_plan(plan: &PlanView) -> impl Iterator<Item = &DiagnosticView> {
    let is_own = |it: &&DiagnosticView| it.code.starts_with("plan/") || it.code.starts_with("state/");
    plan.diagnostics.iter().filter(is_own)
}

/// The list of them; nothing when there are none.
pub(super) fn notices(
    plan: &PlanView,
    layers: &Rc<Vec<LayerBadge>>,
    on_goto: &Callback<LocationView>,
) -> Html {
    let rows: Vec<Html> = of_plan(plan)
        .enumerate()
        .map(|(at, problem)| {
            html! {
                <ProblemRow key={at} problem={problem.clone()} layers={layers.clone()} files={Rc::default()}
                    on_goto={on_goto.clone()} on_fix={Callback::<FixView>::noop()} />
            }
        })
        .collect();
    if rows.is_empty() {
        return Html::default();
    }
    html! { <ul class="plan-notices" role="list">{ rows }</ul> }
}
