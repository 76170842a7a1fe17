//! Deletions that can get stuck, each with the way there.

use workspace::view::StuckDependenceView;
use yew::prelude::*;

use super::{dependence, show::Show};
use crate::{
    symbol::severity_mark,
    views::{problems::sentence, prose::prose},
};

/// Those that a kind has a part in; all of them for `None`.
pub(super) fn of<'a>(show: &'a Show, kind: Option<&'a str>) -> Vec<&'a StuckDependenceView> {
    let has = |it: &&StuckDependenceView| {
        let steps = it.path.iter().chain([&it.blocker]);
        kind.is_none_or(|kind| steps.into_iter().any(|it| it.from == kind || it.to == kind))
    };
    show.view.stuck.iter().filter(has).collect()
}

/// Findings one below another.
pub(super) fn list(show: &Show, all: &[&StuckDependenceView]) -> Html {
    if all.is_empty() {
        return Html::default();
    }
    html! {
        <section class="services-part services-findings" aria-label="Deletions that can get stuck">
            <h4>{ "Deletions that can get stuck " }<span class="count">{ all.len() }</span></h4>
            { for all.iter().map(|it| finding(show, it)) }
        </section>
    }
}

fn finding(show: &Show, it: &StuckDependenceView) -> Html {
    html! {
        <div class="services-finding">
            <p class="services-finding-said">
                { severity_mark(workspace::view::Severity::Warning) }
                <span>{ prose(&sentence(&it.message)) }</span>
            </p>
            <ol class="services-chain">
                { for it.path.iter().map(|it| dependence::row(show, it)) }
                { dependence::row(show, &it.blocker) }
            </ol>
            <p class="muted">{ prose(&sentence(&it.help)) }</p>
        </div>
    }
}
