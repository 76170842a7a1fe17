//! Keeping what a person writes: a moment after each change, and at once when the page may be gone the next moment.

use std::{cell::RefCell, rc::Rc};

use database::DatabaseError;
use gloo::{
    events::{EventListener, EventListenerOptions},
    timers::callback::Timeout,
    utils::{document, document_element, window},
};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{StorageEvent, VisibilityState};
use yew::prelude::*;

use super::Store;
use crate::{
    state::{Action, Bar, Document},
    storage::{self, Refused, Snapshot, Stored},
};

/// The pause in typing before the workspace is saved, in milliseconds.
const MOMENT: u32 = 250;
/// Stands at the root of the page while something is not kept yet.
pub(super) const UNSAVED: &str = "data-unsaved";

/// Keeps what changes, says when that fails, and follows what other tabs keep.
#[hook]
pub(super) fn use_saving(store: &UseReducerHandle<Store>, first: &Stored) {
    let saver = use_mut_ref(|| SaveState::of(first));
    let state = &store.0;
    let now = Snapshot {
        document: state.document.clone(),
        pristine: state.pristine,
        history: state.history.clone(),
    };
    {
        let mut saver = saver.borrow_mut();
        saver.opened.get_or_insert_with(|| now.document.clone());
        saver.now = Some(now.clone());
    }
    let auto_save = AutoSave { saver, dispatcher: store.dispatcher() };
    {
        let auto_save = auto_save.clone();
        use_effect_with(now, move |_| {
            auto_save.mark();
            let timer = Timeout::new(MOMENT, move || auto_save.save());
            move || drop(timer)
        });
    }
    // Where there is no room even for this, the page opens next time as at first.
    use_effect_with(state.screen.clone(), |screen| {
        let _ = storage::save_screen(screen);
    });
    let refused = first.refused && !first.is_elsewhere;
    use_effect_with((), move |()| {
        if refused {
            auto_save.dispatcher.dispatch(Action::Raise(Bar::StorageRefused));
        }
        let listeners = auto_save.listen();
        move || drop(listeners)
    });
}

/// The stored workspace, as far as this page knows.
struct SaveState {
    saved: Option<Snapshot>,
    written: u64,
    now: Option<Snapshot>,
    /// The document that was opened, or taken over from another tab: as long as it is the same, nothing was changed
    /// here.
    opened: Option<Document>,
    /// A write is under way.
    writing: bool,
    /// The content of the database could not be read: it must not be written over.
    refused: bool,
    /// The files are those of a server, which tells other tabs of them: the data stored here only adds to them.
    is_elsewhere: bool,
    /// The last write was refused.
    failed: Option<Bar>,
}

impl SaveState {
    fn of(first: &Stored) -> Self {
        let Stored { saved, latest, written, refused, is_elsewhere, screen: _ } = first.clone();
        let opened = latest.map(|it| it.document);
        Self { saved, written, now: None, opened, writing: false, refused, is_elsewhere, failed: None }
    }

    fn is_dirty(&self) -> bool {
        let is_saved =
            self.saved.as_ref().zip(self.now.as_ref()).is_some_and(|(saved, now)| saved.is_same(now));
        !is_saved
    }

    /// The snapshot to write, with the one it replaces and the number of that one's write, if it is to be written now.
    fn job(&mut self) -> Option<(Option<Snapshot>, u64, Snapshot)> {
        if self.writing || self.refused || !self.is_dirty() {
            return None;
        }
        self.writing = true;
        Some((self.saved.clone(), self.written, self.now.clone()?))
    }

    fn is_untouched(&self) -> bool {
        let now = self.now.as_ref().map(|it| parts(&it.document));
        now == self.opened.as_ref().map(parts)
    }
}

/// The parts of a workspace that tabs share: the open file is the affair of each.
fn parts(document: &Document) -> impl PartialEq + use<> {
    (document.files.clone(), document.inputs.clone(), document.environments.clone())
}

#[derive(Clone)]
struct AutoSave {
    saver: Rc<RefCell<SaveState>>,
    dispatcher: UseReducerDispatcher<Store>,
}

impl AutoSave {
    /// Says on the page whether everything is kept.
    fn mark(&self) {
        if self.saver.borrow().is_elsewhere {
            return;
        }
        let root = document_element();
        let _ = if self.saver.borrow().is_dirty() {
            root.set_attribute(UNSAVED, "")
        } else {
            root.remove_attribute(UNSAVED)
        };
    }

    /// Writes what is not kept yet, and what comes meanwhile after that.
    fn save(&self) {
        let Some((before, written, now)) = self.saver.borrow_mut().job() else { return };
        let auto_save = self.clone();
        spawn_local(async move {
            let done = storage::save(before, written, now).await;
            let is_kept = done.is_ok();
            auto_save.saved(done);
            if is_kept {
                auto_save.save();
            }
        });
    }

    fn saved(&self, done: Result<(Snapshot, u64), DatabaseError>) {
        let (before, after) = {
            let saver = &mut *self.saver.borrow_mut();
            saver.writing = false;
            let bar = match done {
                Ok((kept, written)) => {
                    (saver.saved, saver.written) = (Some(kept), written);
                    None
                }
                // The files are safe where they are.
                Err(_) if saver.is_elsewhere => None,
                Err(error) if error.is_full => Some(Bar::StorageFull),
                Err(_) => Some(Bar::StorageRefused),
            };
            (std::mem::replace(&mut saver.failed, bar.clone()), bar)
        };
        self.mark();
        if before != after {
            before.into_iter().for_each(|bar| self.dispatcher.dispatch(Action::Lower(bar)));
            after.into_iter().for_each(|bar| self.dispatcher.dispatch(Action::Raise(bar)));
        }
    }

    /// Saves at once the changes that are not stored yet; an error if the local storage refuses them.
    fn leave(&self) -> Result<(), Refused> {
        let journal = {
            let saver = self.saver.borrow();
            let now = saver.now.as_ref().filter(|_| saver.is_dirty());
            now.map(|now| storage::write_journal(saver.saved.as_ref(), saver.written, now))
        };
        self.save();
        if self.saver.borrow().is_elsewhere { Ok(()) } else { journal.unwrap_or(Ok(())) }
    }

    fn listen(&self) -> Vec<EventListener> {
        let (hiding, going, asking, other) = (self.clone(), self.clone(), self.clone(), self.clone());
        let hidden = EventListener::new(&document(), "visibilitychange", move |_| {
            if document().visibility_state() == VisibilityState::Hidden {
                let _ = hiding.leave();
            }
        });
        let gone = EventListener::new(&window(), "pagehide", move |_| {
            let _ = going.leave();
        });
        let options = EventListenerOptions::enable_prevent_default();
        let leaves = EventListener::new_with_options(&window(), "beforeunload", options, move |event| {
            // The browser asks whether one really wants to go.
            if asking.leave().is_err() {
                event.prevent_default();
            }
        });
        let written = EventListener::new(&window(), "storage", move |event| {
            let key = event.dyn_ref::<StorageEvent>().and_then(StorageEvent::key);
            if key.is_some_and(|key| storage::is_written(&key)) {
                other.follow();
            }
        });
        vec![hidden, gone, leaves, written]
    }

    /// Takes over what another page has kept, where nothing was changed here; else says that there are two. It may be
    /// the page that this one was opened after: browsers let it finish while the next one is read already.
    fn follow(&self) {
        let auto_save = self.clone();
        spawn_local(async move {
            let action = auto_save.meet(storage::load().await);
            action.into_iter().for_each(|action| auto_save.dispatcher.dispatch(action));
        });
    }

    fn meet(&self, theirs: Stored) -> Option<Action> {
        let saver = &mut *self.saver.borrow_mut();
        let Stored { saved, latest: Some(latest), written, .. } = theirs else { return None };
        if saver.is_elsewhere {
            return None;
        }
        // Two tabs with examples that nobody has touched have nothing to do with each other.
        if latest.pristine && saver.now.as_ref().is_some_and(|now| now.pristine) {
            return None;
        }
        let is_news = written > saver.written || !saved.as_ref().is_some_and(|saved| saved.is_same(&latest));
        let own = saver.now.as_ref().filter(|_| is_news)?;
        if parts(&own.document) == parts(&latest.document) {
            // The same, perhaps with another file open.
            saver.written = written;
            let saved = saved.filter(|saved| parts(&saved.document) == parts(&own.document));
            saver.saved = saved.map(|saved| Snapshot { history: saved.history, ..own.clone() });
            return None;
        }
        if saver.is_untouched() {
            (saver.saved, saver.written) = (saved, written);
            saver.opened = Some(latest.document.clone());
            return Some(Action::FollowTab { document: Box::new(latest.document), history: latest.history });
        }
        Some(Action::Raise(Bar::OtherTab))
    }
}
