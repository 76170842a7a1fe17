//! The effects of a deletion, in order.

use workspace::view::{
    DeletionReferenceView, DeletionStepView, DeletionTrialView, DeletionView, NamedResourceView, words::count,
};
use yew::prelude::*;

use super::{dependence::behavior, show::Show};
use crate::tone_class;

/// The effects of deleting the chosen resource.
pub(super) fn view(show: &Show, answer: &DeletionTrialView) -> Html {
    let Some(it) = &answer.preview else { return Html::default() };
    let outcome = Outcome { show, answer };
    html! {
        <article class="services-outcome" aria-live="polite">
            <p class="services-sentence">{ sentence(it) }</p>
            { outcome.references("Blocked by", "services-blocked", &it.blocked_by) }
            { outcome.steps(it) }
            { outcome.references("Stuck, until somebody changes these", "services-stuck", &it.stuck) }
            if !it.still_deleting.is_empty() {
                <p class="muted">{ "Still being deleted in the end: " }
                    { it.still_deleting.iter().map(|it| &*it.name).collect::<Vec<_>>().join(", ") }</p>
            }
        </article>
    }
}

/// All of it in a sentence.
fn sentence(it: &DeletionView) -> String {
    let name = &it.root.name;
    if !it.blocked_by.is_empty() {
        let by = count(it.blocked_by.len(), "reference");
        return format!("Deleting {name} is refused: {by} must go first.");
    }
    let cleared = it.steps.iter().filter(|it| it.effect == workspace::view::DeletionEffect::Cleared).count();
    let mut others: Vec<_> =
        it.steps.iter().filter(|it| it.effect != workspace::view::DeletionEffect::Cleared).collect();
    others.retain(|step| step.resource != it.root);
    others.dedup_by(|a, b| a.resource == b.resource);
    let what = match (others.len(), cleared) {
        (0, 0) => "changes nothing else".to_owned(),
        (0, cleared) => format!("clears {}", count(cleared, "reference")),
        (others, 0) => format!("deletes {} too", count(others, "resource")),
        (others, cleared) => {
            format!("deletes {} too and clears {}", count(others, "resource"), count(cleared, "reference"))
        }
    };
    let stuck = if it.stuck.is_empty() { "." } else { ", and gets stuck." };
    format!("Deleting {name} {what}{stuck}")
}

struct Outcome<'a> {
    show: &'a Show,
    answer: &'a DeletionTrialView,
}

impl Outcome<'_> {
    fn references(&self, title: &'static str, class: &'static str, all: &[DeletionReferenceView]) -> Html {
        if all.is_empty() {
            return Html::default();
        }
        let row = |it: &DeletionReferenceView| {
            html! {
                <li class="services-row">
                    <span class="services-arrow">
                        { self.resource(&it.referrer) }
                        <span class="services-field">{ format!(".{}", it.field) }</span>
                        <span class="services-line" role="img" aria-label="refers to">{ "→" }</span>
                        { self.resource(&it.target) }
                    </span>
                    { self.place(&it.referrer) }
                </li>
            }
        };
        html! {
            <section class={classes!("services-part", class)} aria-label={title}>
                <h4>{ title }{ " " }<span class="count">{ all.len() }</span></h4>
                <ul class="services-list">{ for all.iter().map(row) }</ul>
            </section>
        }
    }

    /// The steps, one wave after another.
    fn steps(&self, it: &DeletionView) -> Html {
        let last = it.steps.iter().map(|it| it.wave).max();
        let wave = |wave: u32| {
            let steps: Vec<_> = it.steps.iter().filter(|it| it.wave == wave).collect();
            let title = if wave == 0 {
                "At once, in one transaction".to_owned()
            } else {
                format!("Afterwards, wave {wave}")
            };
            html! {
                <section class="services-part services-wave" aria-label={title.clone()}>
                    <h4>{ title }</h4>
                    <ol class="services-list">{ for steps.iter().map(|it| self.step(it)) }</ol>
                </section>
            }
        };
        html! { <>{ for (0..last.map_or(0, |it| it + 1)).map(wave) }</> }
    }

    fn step(&self, it: &DeletionStepView) -> Html {
        html! {
            <li class="services-row">
                <span class={classes!("services-step", tone_class(it.effect.tone()))}>
                    <span class="action-symbol" aria-hidden="true">{ it.effect.symbol() }</span>
                    { self.resource(&it.resource) }
                    <span>{ it.effect.phrase() }</span>
                </span>
                if let Some(because) = &it.because {
                    <span class="services-then">
                        { behavior(because.behavior) }
                        <span class="muted">{ format!("{} of ", because.field) }{ &because.target.name }</span>
                    </span>
                }
                { self.place(&it.resource) }
            </li>
        }
    }

    fn resource(&self, it: &NamedResourceView) -> Html {
        html! { <span class="services-name" title={it.kind.clone()}>{ &it.name }</span> }
    }

    /// A link to the place where a fixture is written.
    fn place(&self, resource: &NamedResourceView) -> Html {
        let written = self.answer.resources.iter().find(|it| it.resource == *resource);
        written.map(|it| self.show.place(&it.location)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use workspace::view::DeletionEffect;

    use super::*;

    fn named(name: &str) -> NamedResourceView {
        NamedResourceView { kind: "s/K".into(), name: name.into() }
    }

    fn step(effect: DeletionEffect, name: &str) -> DeletionStepView {
        DeletionStepView { wave: 0, effect, resource: named(name), because: None }
    }

    #[test]
    fn one_sentence_has_all_of_it() {
        let reference = DeletionReferenceView { referrer: named("b"), field: "f".into(), target: named("a") };
        let mut it = DeletionView {
            root: named("a"),
            blocked_by: vec![reference.clone()],
            steps: Vec::new(),
            stuck: Vec::new(),
            still_deleting: Vec::new(),
        };
        assert_eq!(sentence(&it), "Deleting a is refused: 1 reference must go first.");
        it.blocked_by.clear();
        it.steps = vec![step(DeletionEffect::Removed, "a")];
        assert_eq!(sentence(&it), "Deleting a changes nothing else.");
        it.steps.push(step(DeletionEffect::Removed, "b"));
        it.steps.push(step(DeletionEffect::Cleared, "c"));
        it.stuck.push(reference);
        assert_eq!(
            sentence(&it),
            "Deleting a deletes 1 resource too and clears 1 reference, and gets stuck."
        );
    }
}
