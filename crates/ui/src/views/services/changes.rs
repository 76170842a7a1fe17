//! The changes since an older version, line by line.

use std::rc::Rc;

use web_sys::HtmlSelectElement;
use workspace::view::{
    ServiceChangeClass, ServiceChangeView, ServiceDiffView, ServiceVersionView, SpecificationDiagnostic,
};
use yew::prelude::*;

use super::{ServicesQuestion, show::Show};
use crate::{
    symbol::severity_mark,
    tone_class,
    views::{problems::place, prose::prose},
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ChangesProps {
    pub(super) show: Show,
}

/// The files that are compared: the old one and the new one.
type Pair = (AttrValue, AttrValue);

#[component]
pub(super) fn Changes(ChangesProps { show }: &ChangesProps) -> Html {
    let chosen = use_state_eq(|| None::<Pair>);
    let answer = use_state_eq(|| None::<(Pair, Rc<ServiceDiffView>)>);
    let pair = (*chosen).clone().filter(|it| is_there(show, it)).or_else(|| usual(&show.view.versions));
    {
        let (setter, on_ask) = (answer.setter(), show.on_ask.clone());
        use_effect_with((pair.clone(), show.view.clone()), move |(pair, _)| {
            if let Some(pair) = pair.clone() {
                let (old, new) = (pair.0.to_string(), pair.1.to_string());
                let then = Callback::from(move |diff| setter.set(Some((pair.clone(), diff))));
                on_ask.emit(ServicesQuestion::Compare { old, new, then });
            }
        });
    }
    let Some(pair) = pair else {
        return html! {
            <div class="pane-empty">
                <p class="pane-empty-title">{ "Only one version" }</p>
                <p>{ "Add the file of an older version of the service to see what changed since." }</p>
            </div>
        };
    };
    let on_pair = Callback::from({
        let chosen = chosen.clone();
        move |pair| chosen.set(Some(pair))
    });
    let diff = answer.as_ref().filter(|it| it.0 == pair).map(|it| it.1.clone());
    html! {
        <div class="pane-scroll services-changes">
            { choice(show, &pair, &on_pair) }
            if let Some(diff) = diff { { difference(show, &diff) } }
        </div>
    }
}

fn is_there(show: &Show, pair: &Pair) -> bool {
    let has = |file: &AttrValue| show.view.versions.iter().any(|it| it.location.file == **file);
    has(&pair.0) && has(&pair.1)
}

/// A version and the newest one of the same service; without two versions of one, the first two files.
fn usual(versions: &[ServiceVersionView]) -> Option<Pair> {
    let file = |it: &ServiceVersionView| AttrValue::from(it.location.file.clone());
    let older = versions.iter().rev().find(|it| it.is_older);
    let newest = |older: &ServiceVersionView| {
        versions.iter().find(|it| it.service == older.service && !it.is_older).map(file)
    };
    let pair = older.and_then(|it| Some((file(it), newest(it)?)));
    pair.or_else(|| Some((file(versions.first()?), file(versions.get(1)?))))
}

fn choice(show: &Show, pair: &Pair, on_pair: &Callback<Pair>) -> Html {
    let select = |label: &'static str, value: &AttrValue, with: fn(&Pair, AttrValue) -> Pair| {
        let pair = pair.clone();
        let onchange = on_pair.reform(move |event: Event| {
            with(&pair, event.target_unchecked_into::<HtmlSelectElement>().value().into())
        });
        html! {
            <label class="services-select"><span>{ label }</span>
                <select {onchange}>{ for show.view.versions.iter().map(|it| option(it, value)) }</select>
            </label>
        }
    };
    let swapped = (pair.1.clone(), pair.0.clone());
    html! {
        <div class="services-pair">
            { select("From", &pair.0, |pair, old| (old, pair.1.clone())) }
            { select("to", &pair.1, |pair, new| (pair.0.clone(), new)) }
            <button type="button" class="quiet-button" onclick={on_pair.reform(move |_: MouseEvent| swapped.clone())}>{ "Swap" }</button>
        </div>
    }
}

fn option(it: &ServiceVersionView, value: &AttrValue) -> Html {
    let file = &it.location.file;
    html! { <option value={file.clone()} selected={*file == **value}>{ format!("{} · {file}", it.version) }</option> }
}

fn difference(show: &Show, diff: &ServiceDiffView) -> Html {
    html! {
        <>
            <p class="services-sentence">{ sentence(diff) }</p>
            { for diff.diagnostics.iter().map(|it| diagnostic(show, it)) }
            { for ServiceChangeClass::BY_RISK.into_iter().map(|it| of_class(show, diff, it)) }
        </>
    }
}

/// The effect on clients of the old version, as a sentence.
fn sentence(diff: &ServiceDiffView) -> String {
    let breaking = diff.changes.iter().filter(|it| it.class.is_breaking()).count();
    let (old, new) = (&diff.old, &diff.new);
    match (diff.changes.len(), breaking) {
        (0, _) if !diff.diagnostics.is_empty() => {
            "Nothing is compared before the errors are fixed.".to_owned()
        }
        (0, _) => format!("Nothing changed from {old} to {new}."),
        (_, 0) => format!("Clients of {old} keep working with {new}."),
        (_, 1) => format!("1 change breaks clients of {old}."),
        (_, count) => format!("{count} changes break clients of {old}."),
    }
}

fn diagnostic(show: &Show, it: &SpecificationDiagnostic) -> Html {
    let place = place(&it.diagnostic);
    html! {
        <p class="services-finding-said">
            { severity_mark(it.diagnostic.severity) }
            <span>{ prose(&it.diagnostic.message) }</span>
            { place.map(|it| show.place(&it)).unwrap_or_default() }
        </p>
    }
}

fn of_class(show: &Show, diff: &ServiceDiffView, class: ServiceChangeClass) -> Html {
    let all: Vec<_> = diff.changes.iter().filter(|it| it.class == class).collect();
    if all.is_empty() {
        return Html::default();
    }
    html! {
        <details class="services-class" open={class != ServiceChangeClass::FollowsNames}>
            <summary><h3 class={tone_class(class.tone())}>
                <span class="action-symbol" aria-hidden="true">{ class.symbol() }</span>
                { class.heading() }{ " " }<span class="count">{ all.len() }</span>
            </h3></summary>
            <ul class="services-list">{ for all.iter().map(|it| change(show, it)) }</ul>
        </details>
    }
}

fn change(show: &Show, it: &ServiceChangeView) -> Html {
    let place = it.new_location.as_ref().or(it.old_location.as_ref());
    let was = it.old_location.as_ref().filter(|_| it.new_location.is_some());
    let lines = |sign: &'static str, text: &str, class: &'static str| {
        let line = |line: &str| html! { <span class={class}>{ format!("{sign} {line}") }</span> };
        text.lines().map(line).collect::<Html>()
    };
    html! {
        <li class="services-change">
            <p class="services-change-head">
                <span class="services-name">{ &it.item }</span><span>{ it.change.label() }</span>
                { was.map(|it| show.place(it)).unwrap_or_default() }
                { place.map(|it| show.place(it)).unwrap_or_default() }
            </p>
            if !it.old.is_empty() || !it.new.is_empty() {
                <p class="services-lines">{ lines("−", &it.old, "services-old") }{ lines("+", &it.new, "services-new") }</p>
            }
            <p class="muted">{ prose(&it.reason) }
                if !it.help.is_empty() { { "; " }{ prose(&it.help) } }</p>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use workspace::view::LocationView;

    use super::*;

    fn version(service: &str, version: &str, is_older: bool) -> ServiceVersionView {
        let file = format!("{service}-{version}");
        let location = LocationView { file, line: 1, column: 1, end_line: 1, end_column: 1 };
        ServiceVersionView { service: service.into(), version: version.into(), location, is_older }
    }

    #[test]
    fn the_version_before_the_newest_is_compared_with_it() {
        let all = [
            version("b", "v1", false),
            version("a", "v1", true),
            version("a", "v3", false),
            version("a", "v2", true),
        ];
        assert_eq!(usual(&all), Some(("a-v2".into(), "a-v3".into())));
        assert_eq!(usual(&all[..1]), None);
        assert_eq!(usual(&[all[0].clone(), all[2].clone()]), Some(("b-v1".into(), "a-v3".into())));
    }
}
