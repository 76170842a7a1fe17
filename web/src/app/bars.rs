//! The bars that report problems with the machine.

use ui::{MachineBar, machine_bar, views::live::LiveEvent};
use yew::prelude::*;

use super::{
    context::{Context, Overlay},
    lazy::{Lazy, Page, View},
};
use crate::{
    home,
    state::{Action, Bar},
};

/// The bars below the top bar.
pub(super) fn bars(page: &Page) -> Html {
    let context = &page.context;
    let bars = context.state().bars.iter().map(|bar| show(context, bar));
    let bars: Html = adrift(context).into_iter().chain(bars).collect();
    // The server's part has a place of its own: among bars that come and go it would begin again with each of them.
    let is_served = home::has_files() || home::token().is_some();
    html! {
        <>
            if is_served {
                <Lazy key="served" view={View::Served} page={page.clone()} />
            }
            <>{ bars }</>
        </>
    }
}

/// The page was opened by a `planloom serve` that it does not reach: it stays until a person chooses.
fn adrift(context: &Context) -> Option<Html> {
    let why = context.state().applying.live.adrift.clone()?;
    let context = context.clone();
    let simulate = Callback::from(move |()| {
        home::forget();
        context.live(LiveEvent::Disconnect);
    });
    Some(machine_bar(&MachineBar {
        what: "This page is not connected, so no real resources can be created.".into(),
        safe: format!("{why} Until then nothing is applied, unless you use the simulator.").into(),
        calm: false,
        actions: vec![("Use the simulator".into(), simulate)],
        on_close: None,
    }))
}

fn show(context: &Context, bar: &Bar) -> Html {
    let close = {
        let bar = bar.clone();
        context.does(move |()| Action::Lower(bar.clone()))
    };
    let (what, safe) = words(bar);
    let calm =
        matches!(bar, Bar::Shared(..) | Bar::OtherTab | Bar::Example(_) | Bar::Welcome | Bar::NewVersion);
    let (what, safe) = (what.into(), safe.into());
    machine_bar(&MachineBar { what, safe, calm, actions: actions(context, bar), on_close: Some(close) })
}

fn words(bar: &Bar) -> (&'static str, &'static str) {
    match bar {
        Bar::StorageFull => (
            "This browser's storage is full.",
            "Nothing on this page is lost, but a reload will not bring the last changes back. Download the files, or \
             make room by deleting some.",
        ),
        Bar::StorageRefused => (
            "This browser keeps nothing for this page.",
            "Nothing on this page is lost as long as it is open, but a reload may not bring it back. Download the \
             files, or reload to try again.",
        ),
        Bar::EngineRestarted => (
            "The engine stopped because of a bug, and was restarted.",
            "Your files are unchanged, and every view is updated.",
        ),
        Bar::EngineStopped(_) => (
            "The engine stops on this text because of a bug.",
            "Your files are safe and can be edited; the views are not updated. Undo the last change, or \
             restart the engine.",
        ),
        Bar::EngineSilent => (
            "The engine has not answered for a while.",
            "Your files are safe. It may still be busy with a very large file.",
        ),
        Bar::PartMissing => (
            "A part of the engine could not be loaded.",
            "What it shows and checks is missing; everything else works. Try again when you are online.",
        ),
        Bar::EditorMissing => (
            "The editor could not be loaded.",
            "A plain text field replaces it, and everything else works. Reload the page when you are \
             online.",
        ),
        Bar::OtherTab => (
            "Another tab has changed this workspace.",
            "What is on this page is not lost; a reload shows the files of the tab that wrote last.",
        ),
        Bar::Shared(..) => (
            "This link contains another workspace.",
            "Your own files are unchanged. If you open the link, Undo restores them, and after a reload a \
             command does.",
        ),
        Bar::Example(_) if home::is_real() => {
            ("This link leads to an example.", "It opens in a tab of its own, which has the simulator.")
        }
        Bar::Example(_) => (
            "This link leads to an example.",
            "Your own files are unchanged. If you open the example, Undo restores them.",
        ),
        Bar::Welcome => (
            "Planloom shows what a deployment will do, before, while and after it happens.",
            "Here is a release to review: it would destroy one service and rebuild three. Everything is simulated, and \
             your files never leave this browser.",
        ),
        Bar::NewVersion => (
            "There is a new version of Planloom.",
            "It is used once this page is reloaded; your files stay as they are.",
        ),
        Bar::SharedBroken => (
            "The workspace in this link cannot be read.",
            "The link may have been cut. Your own files are untouched.",
        ),
    }
}

fn actions(context: &Context, bar: &Bar) -> Vec<(AttrValue, Callback<()>)> {
    match bar {
        Bar::StorageFull | Bar::StorageRefused => {
            let context = context.clone();
            vec![(
                "Download as zip".into(),
                Callback::from(move |()| context.run(crate::commands::Plain::Export.id())),
            )]
        }
        Bar::EngineStopped(_) | Bar::EngineSilent | Bar::PartMissing => {
            let label = if *bar == Bar::PartMissing { "Try again" } else { "Restart" };
            let (context, bar) = (context.clone(), bar.clone());
            let again = Callback::from(move |()| {
                context.act(Action::Lower(bar.clone()));
                context.engine.restart();
            });
            vec![(label.into(), again)]
        }
        Bar::NewVersion => {
            let change = Callback::from(|()| {
                let event = web_sys::Event::new("planloom-version-change").ok();
                event.into_iter().for_each(|event| drop(gloo::utils::window().dispatch_event(&event)));
            });
            vec![("Reload".into(), change)]
        }
        Bar::OtherTab | Bar::EditorMissing => {
            let reload = Callback::from(|()| {
                let _ = gloo::utils::window().location().reload();
            });
            vec![("Reload".into(), reload)]
        }
        Bar::Shared(document, view) => {
            let (context, bar, document, view) = (context.clone(), bar.clone(), document.clone(), *view);
            let open = Callback::from(move |()| {
                context.act(Action::Lower(bar.clone()));
                context.open_shared((*document).clone(), view);
            });
            vec![("Open it here".into(), open)]
        }
        Bar::Example(example) => {
            let (context, bar, example) = (context.clone(), bar.clone(), *example);
            let open = Callback::from(move |()| {
                context.act(Action::Lower(bar.clone()));
                context.open_example(example);
            });
            let label = if home::is_real() { "Open it in a new tab" } else { "Open it here" };
            vec![(label.into(), open)]
        }
        Bar::Welcome => {
            let (overlay, own) = (context.overlay.clone(), context.clone());
            let gallery = Callback::from(move |()| overlay.set(Overlay::Gallery));
            let own = Callback::from(move |()| {
                own.act(Action::Lower(Bar::Welcome));
                own.run(crate::commands::Plain::Clear.id());
            });
            vec![("All examples".into(), gallery), ("Use my own files".into(), own)]
        }
        Bar::EngineRestarted | Bar::SharedBroken => Vec::new(),
    }
}
