//! The single-page app: its state ([`state`]), the engine in a worker ([`worker`], [`engine`]), the storage that
//! outlives a reload ([`storage`]), and the page that shows it ([`app`]).
//!
//! The state is a reducer without any DOM type, so that it is tested as it is. All fetching and storing is done
//! here and not in the components of `ui`. The engine runs in a worker, so that typing never waits for it. A
//! second worker, started with the first state, runs the same files and loads the part that applies ([`apply`]); it reports the engine's
//! controllers as long as they are on screen. What is shipped has a service worker
//! (`web/serve/service-worker.js`), which keeps a whole version as long as a page of it is open, because parts
//! of it are loaded later.
//!
//! [`served`] compares the files of the page with those of its server, three-way and without IO; a part that
//! only such pages load sends and receives them.
//!
//! The page and the engine's worker exchange two kinds of messages. What changes is sent as it changes, with a
//! revision, and answered for the newest one. A [`message::Query`] is paired with the type of its answer; all
//! queries travel in one form, and an answer stays the text that its part of the engine has written until the
//! code that requested it reads it. A worker is sent all texts once, and then a [`files_change::FilesChange`].
//!
//! A key press passes `editor.ts`, [`editor`], [`edited`], `app::handlers`, [`engine`], [`splice`] and
//! [`worker_link`] on the page, which then draws itself while the worker is busy; [`codec`], [`worker`],
//! `session::requests`, [`files_change`] and `session::steps` in the worker, around what a `Workspace` does; and
//! `state::answers` and `app::view` on its way back. The text of the file is copied once on each side. Parts of
//! the page compare what they show by identity, and are given handlers that stay the same, so that only what has
//! changed is drawn again. A journey counts messages, bytes and components.
#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

pub mod app;
pub mod apply;
pub mod base64;
pub mod codec;
pub mod commands;
pub mod edited;
pub mod editor;
pub mod engine;
pub mod examples;
pub mod files_change;
pub mod home;
pub mod host;
pub mod import;
pub mod inputs;
pub mod message;
pub mod served;
pub mod session;
pub mod share;
pub mod splice;
pub mod state;
pub mod storage;
pub mod style;
pub mod text;
pub mod worker;
pub mod worker_link;

/// Smaller than the default, dlmalloc, and faster: of an edit, a seventh was allocation.
#[cfg(target_family = "wasm")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
