//! Formatting the open file.

use workspace::view::{FormattedView, Severity};
use yew::prelude::*;

use crate::{
    app::{
        context::{Context, Overlay},
        lazy::Page,
    },
    message::query,
    state::{Action, FileEntry},
};

/// Formats the open file; it shows nothing, and is gone once that is done.
pub fn format(page: &Page) -> Html {
    html! { <Format page={page.clone()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct FormatProps {
    page: Page,
}

#[component]
fn Format(FormatProps { page }: &FormatProps) -> Html {
    let context = page.context.clone();
    use_effect_with((), move |()| ask(context));
    Html::default()
}

fn ask(context: Context) {
    context.overlay.set(Overlay::None);
    let Some(file) = context.state().selected().cloned() else { return };
    let query = query::Format { name: file.name.to_string(), text: file.text.to_string() };
    let engine = context.engine.clone();
    engine.ask(query, Callback::from(move |answer| take(&context, &file, answer)));
}

fn take(context: &Context, of: &FileEntry, answer: Option<FormattedView>) {
    let file = &of.name;
    let Some(FormattedView { edits, diagnostics }) = answer else { return };
    let found = diagnostics.first().and_then(|it| Some((it.severity, it.line?, &it.message)));
    match (edits.is_empty(), found) {
        (false, _) => context.act(Action::EditOf {
            title: format!("format {file}"),
            edits,
            key: of.key,
            text: of.text.clone(),
        }),
        (true, Some((Severity::Warning, line, message))) => {
            context.say(format!("{file}, line {line}: {message}"))
        }
        (true, Some((_, line, _))) => {
            context.say(format!("{file} is not formatted: it has an error in line {line}"))
        }
        (true, None) => context.say(format!("{file} is formatted already")),
    }
}
