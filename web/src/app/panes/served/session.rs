//! The exchange between page and server, for as long as the page lives.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
};

use gloo::{timers::future::TimeoutFuture, utils::document_element};
use wasm_bindgen_futures::spawn_local;
use yew::Callback;

use super::contents;
use crate::{
    app::{context::Context, saving::UNSAVED},
    home,
    served::{
        reopen::reopen,
        server::{self, Offline, Version},
        sync::{Conflict, Content, Listing, Outcome, Sync, Unshown},
        unsent,
    },
    state::{Action, Document, FileKey, Files},
};

/// The time between two requests to a server that does not respond, in milliseconds.
const AGAIN: u32 = 1_000;
/// The time to wait for a step being sent before the list is read again, in milliseconds.
const SOON: u32 = 50;
/// The time between two comparisons of the version if nothing else is requested, in milliseconds.
const SELDOM: u32 = 15_000;

/// The step of the history, in which the version on disk is taken over.
const TAKING: &str = "taking the version on disk";

thread_local! {
    /// The files that were read before the page was there.
    static OPENED: RefCell<Option<Inner>> = const { RefCell::new(None) };
}

/// The connection to the server.
pub(super) struct Session {
    inner: RefCell<Inner>,
    update: Callback<()>,
    is_sending: Cell<bool>,
    /// The number of steps taken: a list that was requested before the last one says nothing.
    steps: Cell<u64>,
    is_closed: Cell<bool>,
}

#[derive(Default)]
struct Inner {
    sync: Sync,
    etag: Option<String>,
    unshown: Vec<Unshown>,
    context: Option<Context>,
    offline: Option<Offline>,
    version: Option<Version>,
    other: Option<Version>,
    compared: Option<FileKey>,
}

impl Session {
    /// Keeps what was read first; the document of it.
    pub(super) fn open(
        listing: &Listing,
        contents: &BTreeMap<String, Content>,
        etag: String,
        kept: &Document,
    ) -> Document {
        let mut sync = Sync::default();
        let (mut document, _) = sync.receive(listing, contents, &reopen(kept, listing, contents));
        unsent::restore(&mut sync, &mut document);
        let inner = Inner { sync, etag: Some(etag), unshown: listing.refused.clone(), ..Inner::default() };
        OPENED.set(Some(inner));
        document
    }

    /// Begins to follow the server.
    pub(super) fn start(update: Callback<()>) -> Rc<Self> {
        let inner = RefCell::new(OPENED.take().unwrap_or_default());
        let session = Rc::new(Self {
            inner,
            update,
            is_sending: Cell::default(),
            steps: Cell::default(),
            is_closed: Cell::default(),
        });
        session.check();
        let following = session.clone();
        if home::has_files() {
            spawn_local(async move { following.follow().await });
        } else {
            spawn_local(async move { following.compare_versions().await });
        }
        session
    }

    /// The page as it is now.
    pub(super) fn refresh(&self, context: Context) {
        self.inner.borrow_mut().context = Some(context);
    }

    pub(super) fn close(&self) {
        self.is_closed.set(true);
    }

    fn context(&self) -> Option<Context> {
        self.inner.borrow().context.clone()
    }

    async fn compare_versions(self: Rc<Self>) {
        while !self.is_closed.get() {
            TimeoutFuture::new(SELDOM).await;
            self.check();
        }
    }

    /// Compares the version of the server with the one that it had first.
    pub(super) fn check(self: &Rc<Self>) {
        let session = self.clone();
        spawn_local(async move {
            let Ok(now) = server::version().await else { return };
            let is_other = {
                let inner = &mut *session.inner.borrow_mut();
                let first = inner.version.get_or_insert_with(|| now.clone());
                let other = (*first != now).then_some(now);
                std::mem::replace(&mut inner.other, other.clone()) != other
            };
            if is_other {
                session.update.emit(());
            }
        });
    }

    /// Requests the list, again and again: the server answers when it changes.
    async fn follow(self: Rc<Self>) {
        while !self.is_closed.get() {
            let (etag, steps) = (self.inner.borrow().etag.clone(), self.steps.get());
            match server::list(etag.as_deref()).await {
                Ok(news) => {
                    self.set_offline(None);
                    if let Some((listing, etag)) = news {
                        self.receive(&listing, etag, steps).await;
                    }
                }
                Err(offline) => {
                    self.set_offline(Some(offline));
                    self.inner.borrow_mut().etag = None;
                    TimeoutFuture::new(AGAIN).await;
                }
            }
        }
    }

    fn set_offline(self: &Rc<Self>, offline: Option<Offline>) {
        let before = std::mem::replace(&mut self.inner.borrow_mut().offline, offline);
        if before == offline {
            return;
        }
        self.update.emit(());
        if offline.is_none() {
            self.check();
            self.send();
        }
    }

    async fn receive(self: &Rc<Self>, listing: &Listing, etag: String, steps: u64) {
        let unknown = self.inner.borrow().sync.unknown(listing);
        let contents = contents(listing, unknown).await;
        // Steps that were sent meanwhile are not in the list: it is requested again.
        let is_current = !self.is_sending.get() && self.steps.get() == steps;
        let (Some(contents), Some(context), true) = (contents, self.context(), is_current) else {
            self.inner.borrow_mut().etag = None;
            return TimeoutFuture::new(SOON).await;
        };
        let now = &context.state().document;
        let (document, taken) = {
            let inner = &mut *self.inner.borrow_mut();
            inner.etag = Some(etag);
            inner.unshown.clone_from(&listing.refused);
            inner.sync.receive(listing, &contents, now)
        };
        if document != *now {
            let said = match taken.as_slice() {
                [] => "The order of the files changed on disk".to_owned(),
                [name] => format!("{name} changed on disk"),
                names => format!("{} files changed on disk", names.len()),
            };
            context.act(Action::Follow { document: Box::new(document), what: "what changed on disk", said });
        }
        self.update.emit(());
        self.send();
    }

    /// Sends what was changed here, one step after the other.
    pub(super) fn send(self: &Rc<Self>) {
        if !home::has_files() || self.is_sending.replace(true) {
            return;
        }
        let session = self.clone();
        spawn_local(async move {
            session.send_all().await;
            session.is_sending.set(false);
            session.mark();
            session.update.emit(());
        });
    }

    async fn send_all(&self) {
        while let Some(step) = self.next() {
            match server::execute(&step).await {
                Ok(outcome) => {
                    let inner = &mut *self.inner.borrow_mut();
                    if matches!(outcome, Outcome::Changed(_)) {
                        inner.etag = None;
                    }
                    inner.sync.record(step, outcome);
                    self.steps.set(self.steps.get() + 1);
                }
                Err(offline) => {
                    self.inner.borrow_mut().offline = Some(offline);
                    return;
                }
            }
        }
    }

    fn next(&self) -> Option<crate::served::sync::Step> {
        let context = self.context()?;
        let files = &context.state().document.files;
        let inner = &mut *self.inner.borrow_mut();
        inner.sync.conflicts(files);
        inner.sync.next(files)
    }

    /// Says on the page whether everything is written.
    pub(super) fn mark(&self) {
        if !home::has_files() {
            return;
        }
        let is_unsent = self.is_sending.get() || self.next().is_some();
        let root = document_element();
        let _ = if is_unsent { root.set_attribute(UNSAVED, "") } else { root.remove_attribute(UNSAVED) };
    }

    /// The page may be gone the next moment.
    pub(super) fn leave(self: &Rc<Self>) {
        if let Some(context) = self.context() {
            unsent::keep(&self.inner.borrow().sync, &context.state().document.files);
        }
        self.send();
    }

    /// True if something would be lost with this tab.
    pub(super) fn would_lose(&self) -> bool {
        let Some(context) = self.context() else { return false };
        let files = &context.state().document.files;
        let is_kept = unsent::keep(&self.inner.borrow().sync, files);
        !is_kept || (self.offline().is_some() && self.unsent(files) > 0)
    }

    pub(super) fn conflicts(&self) -> Vec<Conflict> {
        let Some(context) = self.context() else { return Vec::new() };
        self.inner.borrow_mut().sync.conflicts(&context.state().document.files)
    }

    /// Replaces the version on disk with the one in this tab; Undo brings back the former.
    pub(super) fn keep_mine(self: &Rc<Self>, conflict: &Conflict) {
        let Some(context) = self.context() else { return };
        if let Some(theirs) = &conflict.theirs {
            let mine = context.state().document.clone();
            let said = format!("Kept the version of {} in this tab", conflict.name);
            self.set_text(&context, conflict, theirs, TAKING, &said);
            context.act(Action::Follow { document: Box::new(mine), what: "keeping the version here", said });
        }
        self.settle(&context, conflict);
    }

    /// Replaces the version in this tab with the one on disk; Undo brings back the former.
    pub(super) fn use_disk(self: &Rc<Self>, conflict: &Conflict) {
        let Some(context) = self.context() else { return };
        let said = format!("Took the version of {} on disk", conflict.name);
        match &conflict.theirs {
            Some(theirs) => self.set_text(&context, conflict, theirs, TAKING, &said),
            None => context.act(Action::Delete(conflict.key)),
        }
        self.settle(&context, conflict);
    }

    /// A merged text replaces both versions; Undo brings back the one that was here.
    pub(super) fn keep_both(self: &Rc<Self>, conflict: &Conflict, merged: &Rc<str>) {
        let Some(context) = self.context() else { return };
        let said = format!("Merged both versions of {}", conflict.name);
        self.set_text(&context, conflict, merged, "merging both versions", &said);
        self.settle(&context, conflict);
    }

    fn set_text(
        &self,
        context: &Context,
        conflict: &Conflict,
        text: &Rc<str>,
        what: &'static str,
        said: &str,
    ) {
        let mut document = context.state().document.clone();
        document.files.set_text(conflict.key, text.clone());
        let (document, said) = (Box::new(document), said.to_owned());
        context.act(Action::Follow { document, what, said });
    }

    /// Ends a conflict: the version here replaces the one on disk.
    fn settle(self: &Rc<Self>, context: &Context, conflict: &Conflict) {
        {
            let mut inner = self.inner.borrow_mut();
            inner.sync.keep_mine(conflict.key, &context.state().document.files);
            inner.compared = None;
        }
        self.update.emit(());
        self.send();
    }

    pub(super) fn compare(self: &Rc<Self>, conflict: &Conflict) {
        {
            let compared = &mut self.inner.borrow_mut().compared;
            *compared = Some(conflict.key).filter(|key| *compared != Some(*key));
        }
        self.update.emit(());
    }

    pub(super) fn is_compared(&self, key: FileKey) -> bool {
        self.inner.borrow().compared == Some(key)
    }

    pub(super) fn removed(&self, files: &Files) -> Option<Vec<Rc<str>>> {
        self.inner.borrow().sync.removed(files)
    }

    pub(super) fn allow_removals(self: &Rc<Self>) {
        self.inner.borrow_mut().sync.allow_removals();
        self.send();
    }

    pub(super) fn refusals(&self, files: &Files) -> Vec<(String, String)> {
        self.inner.borrow().sync.refusals(files)
    }

    pub(super) fn unshown(&self) -> Vec<Unshown> {
        self.inner.borrow().unshown.clone()
    }

    pub(super) fn unsent(&self, files: &Files) -> usize {
        self.inner.borrow().sync.unsent(files).len()
    }

    pub(super) fn offline(&self) -> Option<Offline> {
        self.inner.borrow().offline
    }

    /// The version that the server has now, if it is another one than it was first.
    pub(super) fn other_version(&self) -> Option<String> {
        let other = self.inner.borrow().other.clone()?;
        Some(match other.app {
            Some(app) => format!("{}, app {app}", other.version),
            None => other.version,
        })
    }
}
