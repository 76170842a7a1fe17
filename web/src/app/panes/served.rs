//! The server of the page, where `planloom serve` opened it: the files that it has, and whether page and server fit.

mod overlaps;
mod session;

use std::{collections::BTreeMap, rc::Rc};

use futures_util::{FutureExt, future::LocalBoxFuture};
use gloo::{
    events::{EventListener, EventListenerOptions},
    timers::callback::Timeout,
    utils::{document, window},
};
use ui::{MachineBar, machine_bar, views::both};
use yew::prelude::*;

use crate::{
    app::{context::Context, lazy::Page},
    home,
    served::{
        merge::Merge,
        reopen::with_history,
        server::{self, Offline},
        sync::{Conflict, Content, Listing},
    },
    state::Action,
    storage::{self, Stored, workspaces},
    text::sentence,
};
use overlaps::Overlaps;
use session::Session;

/// The pause in typing before files are written, in milliseconds.
const MOMENT: u32 = 250;

/// Reads the files for the first time, and what this browser kept of them.
pub fn open() -> LocalBoxFuture<'static, Option<Stored>> {
    async {
        let (listing, etag) = server::list(None).await.ok()??;
        let contents = contents(&listing, listing.files.iter().map(|it| it.name.clone()).collect()).await?;
        workspaces::open_served(&listing.workspace);
        let stored = storage::load().await;
        let kept = stored.latest.clone().unwrap_or_default();
        let document = Session::open(&listing, &contents, etag, &kept.document);
        Some(Stored { latest: Some(with_history(kept, document)), is_elsewhere: true, ..stored })
    }
    .boxed_local()
}

/// The contents of those files; `None` if one is gone meanwhile.
async fn contents(listing: &Listing, names: Vec<String>) -> Option<BTreeMap<String, Content>> {
    let mut contents = BTreeMap::new();
    for name in names.into_iter().filter(|name| listing.files.iter().any(|it| it.name == *name)) {
        let content = server::content(&name).await.ok()??;
        contents.insert(name, content);
    }
    Some(contents)
}

/// The status of the server.
pub fn view(page: &Page) -> Html {
    html! { <Served page={page.clone()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct ServedProps {
    page: Page,
}

#[component]
fn Served(props: &ServedProps) -> Html {
    let context = &props.page.context;
    let update = use_force_update();
    let session = use_memo((), move |()| Session::start(Callback::from(move |()| update.force_update())));
    session.refresh(context.clone());
    use_sending(&session, context);
    use_listeners(&session);
    let files = &context.state().document.files;
    let conflicts = session.conflicts();
    let merges = use_memo(conflicts.clone(), |all| all.iter().map(merge).collect::<Vec<_>>());
    html! {
        <>
            { for other_version(&session) }
            { for offline(&session, context) }
            { for conflicts.iter().zip(&*merges).map(|(it, merge)| conflict(&session, it, merge.clone())) }
            { for removed(&session, context) }
            { for session.unshown().into_iter().map(|it| plain(&format!("{} is not shown.", it.name), &sentence(&it.reason))) }
            { for session.refusals(files).iter().map(|(name, why)| {
                plain(&format!("{name} cannot be written to disk."), &format!("{} Your version is kept in this tab.", sentence(why)))
            }) }
        </>
    }
}

/// Sends what changes, a moment later.
#[hook]
fn use_sending(session: &Rc<Session>, context: &Context) {
    let (session, files) = (session.clone(), context.state().document.files.clone());
    use_effect_with(files, move |_| {
        session.mark();
        let timer = Timeout::new(MOMENT, move || session.send());
        move || drop(timer)
    });
}

/// Sends at once what would be lost with the page, and keeps for the next one what cannot be sent.
#[hook]
fn use_listeners(session: &Rc<Session>) {
    let session = session.clone();
    use_effect_with((), move |()| {
        let (going, seen, asking, end) = (session.clone(), session.clone(), session.clone(), session);
        let gone = EventListener::new(&window(), "pagehide", move |_| going.leave());
        let shown = EventListener::new(&document(), "visibilitychange", move |_| seen.check());
        let options = EventListenerOptions::enable_prevent_default();
        let leaves = EventListener::new_with_options(&window(), "beforeunload", options, move |event| {
            if asking.would_lose() {
                event.prevent_default();
            }
        });
        move || {
            drop((gone, shown, leaves));
            end.close();
        }
    });
}

fn other_version(session: &Rc<Session>) -> Option<Html> {
    let version = session.other_version()?;
    let reload = Callback::from(|()| {
        let _ = window().location().reload();
    });
    Some(machine_bar(&MachineBar {
        what: format!("planloom serve has another version now: {version}.").into(),
        safe: "Your files are safe. A reload shows the app of that version.".into(),
        calm: true,
        actions: vec![("Reload".into(), reload)],
        on_close: None,
    }))
}

fn offline(session: &Rc<Session>, context: &Context) -> Option<Html> {
    if !home::has_files() {
        return None;
    }
    let what = match session.offline()? {
        Offline::Silent => "planloom serve does not respond.",
        Offline::Stranger => {
            "planloom serve was started again: open the link that it printed last, in this tab."
        }
    };
    let safe = match session.unsent(&context.state().document.files) {
        0 => "Everything that was changed here is written.".to_owned(),
        1 => {
            "One changed file is kept in this tab, and written when planloom serve responds again.".to_owned()
        }
        count => format!(
            "{count} changed files are kept in this tab, and written when planloom serve responds again."
        ),
    };
    let export = {
        let context = context.clone();
        Callback::from(move |()| context.run(crate::commands::Plain::Export.id()))
    };
    let actions = vec![("Download as zip".into(), export)];
    Some(machine_bar(&MachineBar {
        what: what.into(),
        safe: safe.into(),
        calm: false,
        actions,
        on_close: None,
    }))
}

/// Both versions line by line, where it is known what they come from.
fn merge(Conflict { theirs, mine, base, .. }: &Conflict) -> Option<Rc<Merge>> {
    base.as_ref().zip(theirs.as_ref()).map(|(base, theirs)| Rc::new(Merge::of(base, mine, theirs)))
}

/// Neither side is written over before somebody has chosen.
fn conflict(session: &Rc<Session>, conflict: &Conflict, merge: Option<Rc<Merge>>) -> Html {
    let Conflict { key, name, theirs, mine, .. } = conflict;
    let does = |act: fn(&Rc<Session>, &Conflict)| {
        let (session, conflict) = (session.clone(), conflict.clone());
        Callback::from(move |()| act(&session, &conflict))
    };
    let is_open = session.is_compared(*key);
    let merged = merge.as_ref().and_then(|it| it.text(&[]));
    let overlapping = merge.filter(|_| merged.is_none());
    let on_merged = {
        let (session, conflict) = (session.clone(), conflict.clone());
        Callback::from(move |text: Rc<str>| session.keep_both(&conflict, &text))
    };
    let (what, mut actions) = match theirs {
        Some(_) => {
            let both = if is_open { "Hide differences" } else { "Show differences" };
            (format!("{name} changed on disk and here."), vec![(both.into(), does(Session::compare))])
        }
        None => (format!("{name} was removed on disk and changed here."), Vec::new()),
    };
    let disk = if theirs.is_some() { "Use the file on disk" } else { "Remove it here" };
    if let Some(text) = merged {
        actions.push(("Keep both changes".into(), on_merged.reform(move |()| text.as_str().into())));
    }
    actions.push(("Keep mine".into(), does(Session::keep_mine)));
    actions.push((disk.into(), does(Session::use_disk)));
    let safe = "Nothing is written before you choose, and Undo brings the other version back.".into();
    let bar = machine_bar(&MachineBar { what: what.into(), safe, calm: false, actions, on_close: None });
    html! {
        <>
            { bar }
            if let Some(theirs) = theirs.as_ref().filter(|_| is_open) {
                <Versions theirs={theirs.clone()} mine={mine.clone()} />
                if let Some(merge) = overlapping {
                    <Overlaps name={name.clone()} {merge} {on_merged} />
                }
            }
        </>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct VersionsProps {
    theirs: Rc<str>,
    mine: Rc<str>,
}

/// Both versions beside each other. They are compared when one of them changes, and not with each change of the page.
#[component]
fn Versions(VersionsProps { theirs, mine }: &VersionsProps) -> Html {
    both(("On disk", theirs), ("Here", mine))
}

/// Several files, or all there are, are removed on disk only after that was confirmed.
fn removed(session: &Rc<Session>, context: &Context) -> Option<Html> {
    let names = session.removed(&context.state().document.files)?;
    let confirm = {
        let session = session.clone();
        Callback::from(move |()| session.allow_removals())
    };
    let undo = context.does(|()| Action::Undo);
    let (what, act) = match names.as_slice() {
        [name] => (format!("{name} was removed here and is still on disk."), "Remove it on disk"),
        names => {
            (format!("{} files were removed here and are still on disk.", names.len()), "Remove them on disk")
        }
    };
    Some(machine_bar(&MachineBar {
        what: what.into(),
        safe: format!("Nothing is written until you choose: {}.", names.join(", ")).into(),
        calm: false,
        actions: vec![("Undo".into(), undo), (act.into(), confirm)],
        on_close: None,
    }))
}

fn plain(what: &str, safe: &str) -> Html {
    let (what, safe) = (what.to_owned().into(), safe.to_owned().into());
    machine_bar(&MachineBar { what, safe, calm: false, actions: Vec::new(), on_close: None })
}
