//! Files dropped on the page, and text pasted into it.

use std::{cell::RefCell, rc::Rc};

use gloo::{
    events::{EventListener, EventListenerOptions},
    utils::document,
};
use wasm_bindgen::JsCast;
use web_sys::{ClipboardEvent, DataTransfer, DragEvent};
use workspace::File;
use yew::prelude::*;

use super::context::Context;
use crate::{import, state::Action};

/// Imports files that are dropped or pasted. Returns true while something is held over the page.
#[hook]
pub(super) fn use_drop(context: &Context) -> bool {
    let over = use_state_eq(|| false);
    let latest = use_mut_ref(|| context.clone());
    *latest.borrow_mut() = context.clone();
    let setter = over.setter();
    use_effect_with((), move |()| {
        let listeners = listen(latest, setter);
        move || drop(listeners)
    });
    *over
}

fn listen(latest: Rc<RefCell<Context>>, over: UseStateSetter<bool>) -> Vec<EventListener> {
    let options = EventListenerOptions::enable_prevent_default;
    let (entered, left) = (over.clone(), over.clone());
    let dragover = EventListener::new_with_options(&document(), "dragover", options(), move |event| {
        if files_of(event).is_some() {
            event.prevent_default();
            entered.set(true);
        }
    });
    let dragleave = EventListener::new(&document(), "dragleave", move |event| {
        if event.dyn_ref::<DragEvent>().is_some_and(|event| event.related_target().is_none()) {
            left.set(false);
        }
    });
    let dropping = latest.clone();
    let dropped = EventListener::new_with_options(&document(), "drop", options(), move |event| {
        over.set(false);
        let Some(files) = files_of(event) else { return };
        event.prevent_default();
        let context = dropping.borrow().clone();
        wasm_bindgen_futures::spawn_local(async move {
            let picked = import::dropped(files).await;
            context.bring_in(picked);
        });
    });
    let pasted = EventListener::new(&document(), "paste", move |event| {
        let Some(event) = event.dyn_ref::<ClipboardEvent>().filter(|event| !ui::dom::is_writing(event))
        else {
            return;
        };
        let text = event.clipboard_data().and_then(|data| data.get_data("text/plain").ok());
        latest.borrow().paste(text.unwrap_or_default());
    });
    vec![dragover, dragleave, dropped, pasted]
}

/// The dragged data, if it holds files.
fn files_of(event: &Event) -> Option<DataTransfer> {
    let transfer = event.dyn_ref::<DragEvent>()?.data_transfer()?;
    transfer.types().iter().any(|kind| kind.as_string().as_deref() == Some("Files")).then_some(transfer)
}

impl Context {
    /// Adds what was copied as a new file.
    pub(super) fn paste(&self, text: String) {
        if text.trim().is_empty() {
            return self.say("There is no text to paste");
        }
        let file = File { name: "pasted.yaml".into(), text, package: None };
        self.act(Action::Import { files: vec![file], from: "the clipboard".into() });
    }
}
