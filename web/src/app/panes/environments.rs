//! The environments below the files.

use ui::{EnvironmentEvent, EnvironmentsStrip, Tab};
use yew::prelude::*;

use crate::{
    app::{context::Context, lazy::Page},
    state::{Action, Document, FileKeys},
};

/// The environments below the files.
pub fn view(page: &Page) -> Html {
    let document = &page.context.state().document;
    let names = document.environments.iter().map(|it| it.name.clone().into());
    let used = document.environment().map(|it| AttrValue::from(it.name.clone()));
    let on_event = {
        let context = page.context.clone();
        Callback::from(move |event| act(&context, &event))
    };
    html! {
        <EnvironmentsStrip names={names.collect::<Vec<AttrValue>>()} {used}
            muted={document.files.muted().len()} {on_event} />
    }
}

fn act(context: &Context, event: &EnvironmentEvent) {
    let document = &context.state().document;
    let change = |document: Document, title: String| {
        context.act(Action::Change { document: Box::new(document), title });
    };
    match event {
        EnvironmentEvent::UseAll => {
            let files = document.files.with_muted(&FileKeys::default());
            change(Document { files, ..document.clone() }, "use all files".into());
        }
        EnvironmentEvent::Use(name) => {
            if let Some(environment) = document.environments.iter().find(|it| *it.name == **name) {
                let files = document.files_in(environment);
                change(Document { files, ..document.clone() }, format!("use the environment {name}"));
            }
        }
        EnvironmentEvent::Save(name) => {
            change(document.with_environment(name), format!("save the environment {name}"));
            context.say(format!("Saved the environment {name}"));
        }
        EnvironmentEvent::Remove(name) => {
            change(document.without_environment(name), format!("remove the environment {name}"));
        }
        EnvironmentEvent::Compare => context.act(Action::Show(Tab::Compare)),
    }
}
