//! Links that hold a workspace: made, and opened.

use gloo::utils::window;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::{
    app::{context::Context, lazy::Sharing},
    message::query::FilesToShare,
    share::{self, Shared},
    state::{Action, Bar, State},
};

/// The functions that make and open links.
pub fn sharing() -> Sharing {
    Sharing { copy, open }
}

/// Copies a link to the workspace; secrets are left out by the engine, which knows them.
fn copy(context: &Context) {
    let (context, files) = (context.clone(), context.state().document.files.texts());
    let engine = context.engine.clone();
    let then = Callback::from(move |files: Option<Vec<workspace::File>>| match files {
        Some(files) => {
            let (context, shared) = (context.clone(), shared(context.state(), files));
            spawn_local(async move { copy_link(&context, shared).await });
        }
        None => context.say("The link could not be made"),
    });
    engine.ask(FilesToShare { files }, then);
}

fn shared(state: &State, files: Vec<workspace::File>) -> Shared {
    let recorded = state.document.inputs.state.as_ref().or(state.applying.recorded.as_ref());
    Shared::of(&state.document, files, state.screen.tab, recorded.map(|it| &**it))
}

/// Without the state, where the link would be too long with it.
async fn copy_link(context: &Context, shared: Shared) {
    let had_state = shared.has_state();
    let (fragment, said) = match share::fragment(&shared).await {
        Some(fragment) if had_state => {
            (Some(fragment), "Copied a link; it holds the files and the state, without secrets")
        }
        Some(fragment) => (Some(fragment), "Copied a link; it holds the files, without secrets"),
        None => {
            let said = "Copied a link without the recorded state, which is too large for it";
            (if had_state { share::fragment(&shared.without_state()).await } else { None }, said)
        }
    };
    let Some(fragment) = fragment else {
        return context.say("This workspace is too large for a link: export it as a zip");
    };
    let address = window().location().href().unwrap_or_default();
    let address = address.split('#').next().unwrap_or_default();
    let said = if is_of_this_machine() {
        format!("{said}. Its address is one of this machine: it opens on this machine only")
    } else {
        said.to_owned()
    };
    context.copy(&format!("{address}{fragment}"), said);
}

/// True if nobody else can reach the page where it is.
fn is_of_this_machine() -> bool {
    let host = window().location().hostname().unwrap_or_default();
    host == "localhost" || host.ends_with(".localhost") || host.starts_with("127.") || host == "[::1]"
}

/// Opens what a link holds, after asking where there is work that it would replace.
fn open(context: Context, fragment: String) {
    spawn_local(async move {
        let state = context.state();
        match share::read(&fragment).await.map(Shared::open) {
            None => context.act(Action::Raise(Bar::SharedBroken)),
            Some((document, view)) if state.pristine || state.document.files.is_empty() => {
                context.open_shared(document, view);
            }
            Some((document, view)) => context.act(Action::Raise(Bar::Shared(Box::new(document), view))),
        }
    });
}
