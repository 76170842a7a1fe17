//! Every command, found by writing a few letters of it.

use std::rc::Rc;

use diag::order;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, ScrollIntoViewOptions, ScrollLogicalPosition};
use yew::prelude::*;

use crate::{Dialog, IconName, case, dom};

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its stable name.
    pub id: AttrValue,
    /// Its effect, as a title.
    pub title: AttrValue,
    /// Its group: `File`, `View`, …
    pub group: AttrValue,
    /// Its icon.
    pub icon: IconName,
    /// The key that does the same.
    pub keys: Option<AttrValue>,
}

/// Properties of [`Palette`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct PaletteProps {
    /// All commands; the ones used last first.
    pub commands: Rc<Vec<Command>>,
    /// One is given.
    pub on_run: Callback<AttrValue>,
    /// None is.
    pub on_close: Callback<()>,
}

/// The text that is searched for, and the index of the active command among those found.
#[derive(Clone, Debug, Default)]
struct Search {
    wanted: String,
    active: usize,
}

/// The command palette.
#[component]
pub fn Palette(props: &PaletteProps) -> Html {
    // A key can come before what was written is drawn, so both are read where they are kept, never as they were drawn.
    let search = use_mut_ref(Search::default);
    let redraw = use_force_update();
    let list = use_node_ref();
    let input = use_node_ref();
    let Search { wanted, active } = search.borrow().clone();
    let found = find(&props.commands, &wanted);
    {
        let input = input.clone();
        use_effect_with((), move |()| dom::focus(&input));
    }
    {
        let list = list.clone();
        use_effect_with((active, wanted), move |(active, _)| show(&list, *active));
    }
    let oninput = {
        let (search, redraw) = (search.clone(), redraw.clone());
        Callback::from(move |event: InputEvent| {
            let input = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            let wanted = input.map(|input| input.value()).unwrap_or_default();
            search.replace(Search { wanted, active: 0 });
            redraw.force_update();
        })
    };
    let onkeydown = {
        let (search, redraw, props) = (search.clone(), redraw.clone(), props.clone());
        Callback::from(move |event: KeyboardEvent| {
            let now = search.borrow().clone();
            let found = find(&props.commands, &now.wanted);
            let count = found.len().max(1);
            let turn = |by: usize| search.borrow_mut().active = (now.active + by) % count;
            match event.key().as_str() {
                "ArrowDown" => turn(1),
                "ArrowUp" => turn(count - 1),
                "Enter" => found.get(now.active).into_iter().for_each(|command| run(&props, &command.id)),
                _ => return,
            }
            redraw.force_update();
            event.prevent_default();
        })
    };
    let option = |(at, command): (usize, &Command)| {
        let run = {
            let (props, id) = (props.clone(), command.id.clone());
            Callback::from(move |_: MouseEvent| run(&props, &id))
        };
        row(at, command, at == active, run)
    };
    html! {
        <Dialog label="Commands" class="palette" on_close={props.on_close.clone()}>
            <div class="palette-field">
                { IconName::Search.html() }
                <input ref={input} type="text" role="combobox" aria-label="Find a command" aria-expanded="true"
                    aria-controls="palette-list" aria-autocomplete="list" autocomplete="off" spellcheck="false"
                    aria-activedescendant={(!found.is_empty()).then(|| format!("palette-{active}"))}
                    placeholder="Find a command, file or resource" {oninput} {onkeydown} />
                <kbd>{ "Esc" }</kbd>
            </div>
            <div ref={list} class="palette-list" id="palette-list" role="listbox" aria-label="Commands">
                { for found.iter().enumerate().map(option) }
            </div>
            if found.is_empty() {
                <p class="palette-none" role="status">{ "No matches." }</p>
            }
        </Dialog>
    }
}

fn row(at: usize, command: &Command, active: bool, onclick: Callback<MouseEvent>) -> Html {
    html! {
        <div role="option" id={format!("palette-{at}")} class="palette-row" aria-selected={active.to_string()} {onclick}>
            { command.icon.html() }
            <span class="palette-title">{ &command.title }</span>
            <span class="palette-group">{ &command.group }</span>
            if let Some(keys) = &command.keys { <kbd>{ keys }</kbd> }
        </div>
    }
}

fn run(props: &PaletteProps, id: &AttrValue) {
    props.on_close.emit(());
    props.on_run.emit(id.clone());
}

fn show(list: &NodeRef, active: usize) {
    let row = list.cast::<Element>().and_then(|list| list.children().item(active as u32));
    if let Some(row) = row {
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Nearest);
        row.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// The commands that hold every wanted letter in order; the better the match, the earlier.
fn find(commands: &[Command], wanted: &str) -> Vec<Command> {
    let score = |command: &Command| {
        let text = format!("{} {}", command.title, command.group);
        rank(&text, wanted)
    };
    let mut found: Vec<(u32, &Command)> =
        commands.iter().filter_map(|command| Some((score(command)?, command))).collect();
    order::by_key(&mut found, |(score, _)| *score);
    found.into_iter().map(|(_, command)| command.clone()).collect()
}

/// The cost of matching a text, lower is better; `None` if it does not match. Letters that begin words or follow each
/// other cost nothing, others cost the letters between.
fn rank(text: &str, wanted: &str) -> Option<u32> {
    let text: Vec<char> = case::lower(text).chars().collect();
    let (mut at, mut cost) = (0, 0);
    for letter in case::lower(wanted).chars().filter(|letter| !letter.is_whitespace()) {
        let rest = text.get(at..)?;
        let found = rest.iter().position(|other| *other == letter)?;
        let begins = found > 0 && rest.get(found - 1).is_some_and(|before| !before.is_alphanumeric());
        cost += if begins { 1 } else { found as u32 * 2 };
        at += found + 1;
    }
    Some(cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(wanted: &str) -> Vec<String> {
        let command = |title: &'static str| Command {
            id: title.into(),
            title: title.into(),
            group: "View".into(),
            icon: IconName::Graph,
            keys: None,
        };
        let commands = ["Show the plan", "Show the graph", "Export as zip", "Undo typing"].map(command);
        find(&commands, wanted).iter().map(|command| command.title.to_string()).collect()
    }

    #[test]
    fn letters_in_order_find_a_command() {
        assert_eq!(titles("plan"), ["Show the plan"]);
        assert_eq!(titles("stg"), ["Show the graph"]);
        assert_eq!(titles("zip"), ["Export as zip"]);
        assert_eq!(titles("").len(), 4);
        assert!(titles("qqq").is_empty());
    }
}
