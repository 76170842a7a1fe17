//! Renaming, references, and the outline of a file.

use std::rc::Rc;

use ui::{Command, IconName, Palette, Rename, RenamePreview};
use workspace::view::{LocationView, OutlineItemView, ReferencesView, RenameView};
use yew::prelude::*;

use crate::{
    app::{
        context::{Context, Overlay},
        lazy::Page,
    },
    editor,
    engine::Engine,
    message::query::{self, Outline, Position, References, RenameAnswer},
    state::{Action, Input, State},
    text::sentence,
};

/// The dialog that renames what the cursor is at.
pub fn rename(page: &Page) -> Html {
    html! { <Renaming of={AtCursor::of(&page.context)} /> }
}

/// The places that name what the cursor is at.
pub fn references(page: &Page) -> Html {
    html! { <Listed of={AtCursor::of(&page.context)} lists={Lists::References} /> }
}

/// The outline of the open file.
pub fn outline(page: &Page) -> Html {
    html! { <Listed of={AtCursor::of(&page.context)} lists={Lists::Outline} /> }
}

/// The place of the cursor when the dialog was opened.
#[derive(Clone)]
struct AtCursor {
    context: Context,
    position: Position,
}

impl AtCursor {
    fn of(context: &Context) -> Self {
        let file = context.state().selected().map(|file| file.name.to_string()).unwrap_or_default();
        let (line, column) = editor::cursor();
        Self { context: context.clone(), position: Position { file, line, column } }
    }

    fn engine(&self) -> &Engine {
        &self.context.engine
    }

    fn close(&self) -> Callback<()> {
        let overlay = self.context.overlay.clone();
        Callback::from(move |()| overlay.set(Overlay::None))
    }

    fn references(&self) -> References {
        References { at: self.position.clone() }
    }
}

impl PartialEq for AtCursor {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position
    }
}

#[derive(Clone, PartialEq, Properties)]
struct RenamingProps {
    of: AtCursor,
}

#[component]
fn Renaming(props: &RenamingProps) -> Html {
    let at = &props.of;
    let address = use_state(|| None::<String>);
    let preview = use_state(|| RenamePreview::Nothing);
    {
        let (at, address) = (at.clone(), address.setter());
        use_effect_with((), move |()| {
            let context = at.context.clone();
            let then = Callback::from(move |answer: Option<Option<ReferencesView>>| match answer.flatten() {
                Some(found) => address.set(Some(found.address)),
                None => {
                    context.say("The cursor is not at the name of a resource");
                    context.overlay.set(Overlay::None);
                }
            });
            at.engine().ask(at.references(), then);
        });
    }
    let Some(address) = (*address).clone() else { return Html::default() };
    let on_name = {
        let (at, preview, recorded) =
            (at.clone(), preview.setter(), is_recorded(at.context.state(), &address));
        let old = address.clone();
        Callback::from(move |name: String| {
            if old.ends_with(&format!(".{name}")) {
                return preview.set(RenamePreview::Nothing);
            }
            let preview = preview.clone();
            let then = Callback::from(move |answer| match answer {
                Some(RenameAnswer::Renamed(edits)) => preview.set(RenamePreview::Edits(edits)),
                Some(RenameAnswer::Refused { refused }) => {
                    preview.set(RenamePreview::Refused(sentence(&refused).into()))
                }
                None => preview.set(RenamePreview::Nothing),
            });
            at.engine().ask(query::Rename { at: at.position.clone(), name, recorded }, then);
        })
    };
    let on_rename = {
        let context = at.context.clone();
        Callback::from(move |renamed: RenameView| {
            context.overlay.set(Overlay::None);
            let title = format!("rename {} to {}", renamed.from, renamed.to);
            context.act(Action::Edit { title, edits: renamed.edits });
        })
    };
    html! { <Rename {address} preview={(*preview).clone()} {on_name} {on_rename} on_close={at.close()} /> }
}

/// True if a state has a resource, or an instance of it, under that address.
fn is_recorded(state: &State, address: &str) -> bool {
    let recorded = state.document.inputs.state.as_deref().or(state.applying.recorded.as_deref());
    let names = |input: &Input| {
        let json = serde_json::from_str::<serde_json::Value>(&input.text).unwrap_or_default();
        let all = json.get("resources").and_then(|it| it.as_object()).cloned().unwrap_or_default();
        all.keys()
            .any(|it| it == address || it.strip_prefix(address).is_some_and(|rest| rest.starts_with('[')))
    };
    recorded.is_some_and(names)
}

/// The content of a list.
#[derive(Clone, Copy, PartialEq)]
enum Lists {
    References,
    Outline,
}

#[derive(Clone, PartialEq, Properties)]
struct ListedProps {
    of: AtCursor,
    lists: Lists,
}

#[component]
fn Listed(props: &ListedProps) -> Html {
    let places = use_state(|| None::<Rc<Vec<(Command, LocationView)>>>);
    let (at, lists) = (&props.of, props.lists);
    {
        let (at, places) = (at.clone(), places.setter());
        use_effect_with((), move |()| {
            let context = at.context.clone();
            let show = move |found: Option<Vec<(Command, LocationView)>>| {
                if found.is_none() {
                    context.say(match lists {
                        Lists::References => "The cursor is not at the name of a resource",
                        Lists::Outline => "This file has no outline",
                    });
                    context.overlay.set(Overlay::None);
                }
                places.set(found.map(Rc::new));
            };
            match lists {
                Lists::References => {
                    let context = at.context.clone();
                    let then = Callback::from(move |found: Option<Option<ReferencesView>>| {
                        show(found.flatten().map(|it| uses(&context, &it)));
                    });
                    at.engine().ask(at.references(), then);
                }
                Lists::Outline => {
                    let then = Callback::from(move |found: Option<Vec<OutlineItemView>>| {
                        show(found.filter(|it| !it.is_empty()).map(entries));
                    });
                    at.engine().ask(Outline { file: at.position.file.clone() }, then);
                }
            }
        });
    }
    let Some(places) = (*places).clone() else { return Html::default() };
    let commands: Vec<Command> = places.iter().map(|it| it.0.clone()).collect();
    let on_run = {
        let context = at.context.clone();
        Callback::from(move |id: AttrValue| {
            let place = places.iter().find(|(command, _)| command.id == id).map(|it| it.1.clone());
            place.into_iter().for_each(|place| context.act(Action::Goto(place)));
        })
    };
    html! { <Palette commands={Rc::new(commands)} {on_run} on_close={at.close()} /> }
}

/// The places that name something, each with its line.
fn uses(context: &Context, found: &ReferencesView) -> Vec<(Command, LocationView)> {
    let files = &context.state().document.files;
    let line = |place: &LocationView| {
        let file = files.named(&place.file)?;
        Some(file.text.lines().nth(place.line.saturating_sub(1) as usize)?.trim().to_owned())
    };
    let each = found.references.iter().map(|it| {
        let place = it.location.clone();
        let icon = if it.declares { IconName::Box } else { IconName::Share };
        let group = format!("{}:{}", place.file, place.line);
        (entry(&place, line(&place).unwrap_or_default(), group, icon), place)
    });
    each.collect()
}

fn entries(found: Vec<OutlineItemView>) -> Vec<(Command, LocationView)> {
    let each = found.into_iter().map(|it| {
        let indent = "\u{2003}".repeat(it.depth as usize);
        let group = if it.detail.is_empty() { format!("line {}", it.location.line) } else { it.detail };
        let icon = if it.depth == 1 { IconName::Box } else { IconName::File };
        (entry(&it.location, format!("{indent}{}", it.name), group, icon), it.location)
    });
    each.collect()
}

fn entry(place: &LocationView, title: String, group: String, icon: IconName) -> Command {
    let id = format!("{}:{}:{}", place.file, place.line, place.column);
    Command { id: id.into(), title: title.into(), group: group.into(), icon, keys: None }
}
