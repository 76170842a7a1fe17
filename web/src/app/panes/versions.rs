//! The Versions view: its content, its questions to the engine, and its commands.

use std::rc::Rc;

use ui::views::{VersionsEvent, VersionsPane, VersionsQuestion};
use workspace::view::{EditView, RequirementView, UpgradesView};
use yew::prelude::*;

use super::{decoded::use_decoded, waiting};
use crate::{
    app::{context::Context, lazy::Page},
    examples,
    message::query::{Lock, ResolveIf, Upgrades, WouldMove},
    state::Action,
};

/// The Versions view.
pub fn view(page: &Page) -> Html {
    html! { <Versions page={page.clone()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct VersionsProps {
    page: Page,
}

#[component]
fn Versions(VersionsProps { page }: &VersionsProps) -> Html {
    let (context, state) = (&page.context, page.context.state());
    let Some(resolution) = use_decoded(state.answers.resolution.as_ref(), Rc::new) else { return waiting() };
    let locked = state.document.files.named(LOCK).is_some();
    html! {
        <VersionsPane {resolution} layers={page.layers.clone()} files={page.texts.clone()}
            stale={state.answers.model_stale} {locked} on_goto={context.does(Action::Goto)} on_ask={asks(context)}
            on_event={does(context)} />
    }
}

/// The file that holds what was chosen.
const LOCK: &str = "planloom.lock";

/// Passes questions on.
fn asks(context: &Context) -> Callback<VersionsQuestion> {
    let engine = context.engine.clone();
    Callback::from(move |question| match question {
        VersionsQuestion::If { ranges, then } => engine.ask_shared(ResolveIf { ranges }, then),
        VersionsQuestion::Move { id, then } => engine.ask_shared(WouldMove { id }, then),
        VersionsQuestion::Upgrades { package, then } => {
            let then = Callback::from(move |view: Option<Option<UpgradesView>>| {
                view.into_iter().for_each(|view| then.emit(view.map(Rc::new)));
            });
            engine.ask(Upgrades { package }, then);
        }
    })
}

/// Does what a person does with versions.
fn does(context: &Context) -> Callback<VersionsEvent> {
    let context = context.clone();
    Callback::from(move |event| match event {
        VersionsEvent::Write(ranges) => context.write_ranges(&ranges),
        VersionsEvent::Fix(fix) => context.fix(&fix),
        VersionsEvent::Lock => context.lock(),
        VersionsEvent::Example => {
            context.open_example(examples::VERSIONS);
        }
    })
}

impl Context {
    /// Writes which versions are asked for: where they are written, else beside the package's name.
    fn write_ranges(&self, ranges: &[(RequirementView, String)]) {
        let edit = |(it, version): &(RequirementView, String)| {
            Some(EditView { location: it.version_origin.clone()?, new_text: quoted(version) })
        };
        let edits: Vec<EditView> = ranges.iter().filter_map(edit).collect();
        if !edits.is_empty() {
            self.act(Action::Edit { title: "required versions".into(), edits });
        }
        for (it, version) in ranges.iter().filter(|(it, _)| it.version_origin.is_none()) {
            match &it.origin {
                Some(place) => {
                    let pointer = format!("/{}/package/version", it.name.replace('.', "/"));
                    self.set_value(place.file.clone(), pointer, quoted(version));
                }
                None => {
                    self.say(format!("No file sets the requirement of {}: it cannot be changed", it.name))
                }
            }
        }
    }

    fn lock(&self) {
        let context = self.clone();
        let then = Callback::from(move |text: Option<Option<String>>| match text.flatten() {
            Some(text) => {
                let said = format!("Wrote the selected versions into {LOCK}");
                context.act(Action::Put { name: LOCK.into(), text, said });
            }
            None => context.say("No versions are selected that can be locked"),
        });
        self.engine.ask(Lock {}, then);
    }
}

/// A range as a YAML text: `>` and `*` mean something else at the beginning of a plain one.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn ranges_are_texts_whatever_they_begin_with() {
        assert_eq!(quoted(">=1.0.0 <2.0.0"), "\">=1.0.0 <2.0.0\"");
        assert_eq!(quoted("a\"b\\"), "\"a\\\"b\\\\\"");
    }
}
