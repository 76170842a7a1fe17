//! What the Versions view asks of the engine, and what a person does there.

use std::rc::Rc;

use ui::views::{VersionsEvent, VersionsQuestion};
use workspace::view::{EditView, RequirementView};
use yew::prelude::*;

use super::context::Context;
use crate::{
    examples,
    message::{Answer, Question},
    state::Action,
};

/// The file that holds what was chosen.
pub(super) const LOCK: &str = "planloom.lock";

/// Passes questions on.
pub(super) fn asks(context: &Context) -> Callback<VersionsQuestion> {
    let engine = context.engine.clone();
    Callback::from(move |question| match question {
        VersionsQuestion::If { requirement, version, then } => {
            let then = Callback::from(move |answer: Option<Answer>| {
                if let Some(Answer::Resolution(view)) = answer {
                    then.emit(Rc::from(view));
                }
            });
            engine.ask(Question::ResolveIf { requirement, version }, then);
        }
        VersionsQuestion::Move { id, then } => {
            let then = Callback::from(move |answer: Option<Answer>| {
                if let Some(Answer::Move(view)) = answer {
                    then.emit(Rc::new(view));
                }
            });
            engine.ask(Question::WouldMove { id }, then);
        }
        VersionsQuestion::Upgrades { package, then } => {
            let then = Callback::from(move |answer: Option<Answer>| {
                if let Some(Answer::Upgrades(view)) = answer {
                    then.emit(view.map(Rc::new));
                }
            });
            engine.ask(Question::Upgrades { package }, then);
        }
    })
}

/// Does what a person does with versions.
pub(super) fn does(context: &Context) -> Callback<VersionsEvent> {
    let context = context.clone();
    Callback::from(move |event| match event {
        VersionsEvent::Write(requirement, version) => context.write_range(&requirement, &version),
        VersionsEvent::Fix(fix) => context.fix(&fix),
        VersionsEvent::Lock => context.lock(),
        VersionsEvent::Example => {
            examples::versions().into_iter().for_each(|at| context.open_example(at));
        }
    })
}

impl Context {
    /// Writes which versions are asked for: where they are written, else beside the package's name.
    fn write_range(&self, requirement: &RequirementView, version: &str) {
        let text = quoted(version);
        if let Some(location) = requirement.version_origin.clone() {
            let edits = vec![EditView { location, new_text: text }];
            return self.act(Action::Edit { title: format!("versions of {}", requirement.package), edits });
        }
        let Some(place) = &requirement.origin else {
            return self.say("Nobody wrote that: it cannot be changed");
        };
        let pointer = format!("/{}/package/version", requirement.name.replace('.', "/"));
        self.set_value(place.file.clone(), pointer, text);
    }

    fn lock(&self) {
        let context = self.clone();
        let then = Callback::from(move |answer: Option<Answer>| match answer {
            Some(Answer::Text(Some(text))) => {
                let said = format!("Wrote what is chosen into {LOCK}");
                context.act(Action::Put { name: LOCK.into(), text, said });
            }
            _ => context.say("Nothing is chosen that could be locked"),
        });
        self.engine.ask(Question::Lock, then);
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
