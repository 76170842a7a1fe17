//! The inputs of a plan: the recorded state, the observed state, and the options of planning.

use yew::prelude::*;

use crate::IconName;

/// A file that was given as state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputView {
    /// Its name.
    pub name: AttrValue,
    /// Its description of itself, e.g. `shop · serial 7`.
    pub line: AttrValue,
    /// The reason that it cannot be used, if it cannot.
    pub problem: Option<AttrValue>,
    /// The resources in it.
    pub resources: Vec<RecordedView>,
}

/// One recorded or observed resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedView {
    /// Its address.
    pub address: AttrValue,
    /// `pending`, `active`, `terminated` as recorded, or `gone` where it was observed to be.
    pub phase: AttrValue,
    /// Its outputs, shortened: one line per output with path and value.
    pub outputs: AttrValue,
}

/// An action of the user on the state. `true` means the observed one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputEvent {
    /// Picks a file.
    Pick {
        /// True for the observed state, false for the recorded one.
        observed: bool,
    },
    /// Takes it away.
    Clear {
        /// True for the observed state, false for the recorded one.
        observed: bool,
    },
    /// Makes the recorded state of the file the one that is kept.
    Take,
    /// Saves the recorded state as a file.
    Export,
}

/// The contents of the State view.
#[derive(Clone, Debug, Default)]
pub struct InputsView {
    /// The part above: the status of applying.
    pub head: Html,
    /// The part below: the history.
    pub foot: Html,
    /// The recorded state of a file.
    pub state: Option<InputView>,
    /// The observed state of a file.
    pub observed: Option<InputView>,
    /// The state that is kept by applying, if no file replaces it.
    pub kept: Option<InputView>,
    /// True while the first run is in progress: its resources are recorded, and shown when it ends.
    pub under_way: bool,
}

/// The State view.
pub fn inputs_pane(view: &InputsView, on_event: &Callback<InputEvent>) -> Html {
    html! {
        <div class="pane inputs">
            <div class="pane-scroll inputs-scroll">
                { view.head.clone() }
                if let Some(kept) = view.kept.as_ref().filter(|_| view.state.is_none()) {
                    { kept_section(on_event, kept) }
                } else if view.under_way && view.state.is_none() {
                    <section class="inputs-section" aria-label="Recorded">
                        <div class="inputs-head"><h3>{ "Recorded" }</h3></div>
                        <p class="muted">{ "Each resource is recorded as it is created. They are listed \
                         here when the run ends." }</p>
                    </section>
                } else {
                    { section(on_event, false, "Recorded", "What the last run recorded, as \
                     planloom.state/1 JSON. Without it the plan creates everything.", view.state.as_ref()) }
                }
                { view.foot.clone() }
                { section(on_event, true, "Observed", "What really exists, as planloom.observed/1 JSON. \
                 Without it the plan uses the adapter, or the recorded state.", view.observed.as_ref()) }
            </div>
        </div>
    }
}

fn section(
    on_event: &Callback<InputEvent>,
    observed: bool,
    title: &'static str,
    line: &'static str,
    input: Option<&InputView>,
) -> Html {
    let emit = |event: InputEvent| on_event.reform(move |_: MouseEvent| event);
    let pick = if input.is_some() { "Replace…" } else { "Choose a file…" };
    html! {
        <section class="inputs-section" aria-label={title}>
            <div class="inputs-head">
                <h3>{ title }</h3>
                <p class="inputs-what">
                    if let Some(input) = input {
                        <span class="inputs-name">{ &input.name }</span>
                        <span class="muted">{ &input.line }</span>
                    }
                </p>
                <span class="inputs-buttons">
                    <button type="button" class="button" onclick={emit(InputEvent::Pick { observed })}>{ pick }</button>
                    if input.is_some() && !observed {
                        <button type="button" class="button" onclick={emit(InputEvent::Take)}
                            title="Record what is in this file as the current state, so that plans can be \
                                   applied to it">{ "Use as current state" }</button>
                    }
                    if input.is_some() {
                        <button type="button" class="button" onclick={emit(InputEvent::Clear { observed })}>{ "Remove" }</button>
                    }
                </span>
            </div>
            if let Some(input) = input { { content(title, input) } } else { <p class="muted">{ line }</p> }
        </section>
    }
}

/// The section of the state that applying recorded.
fn kept_section(on_event: &Callback<InputEvent>, kept: &InputView) -> Html {
    let emit = |event: InputEvent| on_event.reform(move |_: MouseEvent| event);
    html! {
        <section class="inputs-section" aria-label="Recorded">
            <div class="inputs-head">
                <h3>{ "Recorded" }</h3>
                <p class="inputs-what"><span class="muted">{ &kept.line }</span></p>
                <span class="inputs-buttons">
                    <button type="button" class="button" onclick={emit(InputEvent::Export)}>{ "Save as a file" }</button>
                    <button type="button" class="button" onclick={emit(InputEvent::Pick { observed: false })}
                        title="Plan against the state of a file instead">{ "Choose a file…" }</button>
                </span>
            </div>
            { content("Recorded", kept) }
        </section>
    }
}

fn content(title: &'static str, input: &InputView) -> Html {
    if let Some(problem) = &input.problem {
        return html! { <p class="inputs-problem severity-error">{ IconName::Error.html() }{ problem }</p> };
    }
    html! {
        <table class="inputs-table">
            <caption class="visually-hidden">{ format!("{title} resources") }</caption>
            <thead><tr>
                <th scope="col">{ "Address" }</th><th scope="col" class="inputs-phase">{ "Phase" }</th>
                <th scope="col">{ "Outputs" }</th>
            </tr></thead>
            <tbody>{ for input.resources.iter().map(|resource| html! {
                <tr>
                    <th scope="row">{ address(&resource.address) }</th>
                    <td class="inputs-phase"><span class={format!("phase phase-{}", resource.phase)}>{ &resource.phase }</span></td>
                    <td class="inputs-outputs" title={resource.outputs.clone()}>{ outputs(&resource.outputs) }</td>
                </tr>
            }) }</tbody>
        </table>
    }
}

/// Lines of a path and a value each; a value that a browser opens is a link.
fn outputs(lines: &str) -> Html {
    let line = |line: &str| {
        let (path, value) = line.split_once(' ').unwrap_or((line, ""));
        let address = value.trim_end_matches('\n').to_owned();
        if !is_address(&address) {
            return html! { { line } };
        }
        html! {
            <>{ path }{ " " }<a class="link" href={address.clone()} target="_blank" rel="noopener noreferrer">{ address }</a>{ "\n" }</>
        }
    };
    lines.split_inclusive('\n').map(line).collect()
}

/// True if a browser opens it as a page of the host that it seems to name, and runs nothing by that.
fn is_address(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("http://").or(text.strip_prefix("https://")) else { return false };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_of_host = |c: char| c.is_ascii_alphanumeric() || "-._:[]".contains(c);
    let is_plain = |c: char| c.is_ascii_graphic() && !"\\\"'<>`".contains(c);
    !host.is_empty() && host.chars().all(is_of_host) && rest.chars().all(is_plain)
}

/// An address that may break at its dots.
fn address(address: &str) -> Html {
    html! { for part in address.split_inclusive('.') { { part }<wbr /> } }
}

/// The options of planning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanChoice {
    /// True if everything that is recorded is removed.
    pub destroy: bool,
    /// True if every dependent of an acting resource acts, too.
    pub knock_on_all: bool,
    /// True if unchanged resources are listed, too.
    pub list_unchanged: bool,
}

/// The options of planning above the plan, followed by `end`.
pub fn plan_bar(choice: PlanChoice, end: Html, on_change: &Callback<PlanChoice>) -> Html {
    let PlanChoice { destroy, knock_on_all, list_unchanged } = choice;
    let set = |choice: PlanChoice| on_change.reform(move |_: MouseEvent| choice);
    let toggle = |on: bool, label: &'static str, title: &'static str, choice: PlanChoice| {
        html! {
            <button type="button" class="toggle" aria-pressed={on.to_string()} {title} onclick={set(choice)}>{ label }</button>
        }
    };
    html! {
        <div class="plan-bar" role="group" aria-label="How to plan">
            <div class="segmented" role="group" aria-label="Mode">
                { toggle(!destroy, "Apply", "Plan the changes that the files describe", PlanChoice { destroy: false, ..choice }) }
                { toggle(destroy, "Destroy", "Plan the removal of everything recorded", PlanChoice { destroy: true, ..choice }) }
            </div>
            { toggle(knock_on_all, "All dependents", "Act on everything that depends on a changed resource, \
             not only on what uses a changed value",
                PlanChoice { knock_on_all: !knock_on_all, ..choice }) }
            { toggle(list_unchanged, "Unchanged", "Also list what is unchanged",
                PlanChoice { list_unchanged: !list_unchanged, ..choice }) }
            { end }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::is_address;

    #[test]
    fn only_pages_of_the_host_that_is_named_are_links() {
        for text in [
            "http://127.0.0.1:8080",
            "http://localhost:8080/",
            "https://[::1]:8443/a?b=c&d=%20#e",
            "https://shop.example/cart",
        ] {
            assert!(is_address(text), "{text}");
        }
        for text in [
            "javascript:alert(1)",
            "JavaScript:alert(1)//http://a.example",
            "data:text/html,<script>",
            "file:///etc/passwd",
            "ftp://a.example",
            "//a.example",
            " http://a.example",
            "http://",
            "http:///a",
            "http://a.example@b.example/",
            "http://a.example\\@b.example/",
            "http://a.example/ b",
            "http://a.example/…",
            "http://аpple.example/",
            "127.0.0.1:8080",
            "",
        ] {
            assert!(!is_address(text), "{text}");
        }
    }
}
