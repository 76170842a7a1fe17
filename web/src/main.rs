//! Starts the page, and loads its views when they are first shown.
//!
//! The build takes each function marked with `wasm_split`, and everything that only it reaches, into a module of its own.

use futures_util::{FutureExt, future::LocalBoxFuture};
use planloom_web::{
    app::{
        self,
        lazy::{
            OpenServed, Render, Sharing, View, set_graph_loader, set_loader, set_opener, set_sharing_loader,
        },
        panes,
    },
    apply::{
        link::{self, Spawn},
        remote,
    },
    storage::Stored,
};
use ui::views::GraphTools;
use wasm_split_helpers::{SplitLoaderError, wasm_split};

#[wasm_split(drawing, fallible)]
fn graph() -> Result<Render, SplitLoaderError> {
    Ok(panes::graph)
}

#[wasm_split(merged, fallible)]
fn merged() -> Result<Render, SplitLoaderError> {
    Ok(panes::merged)
}

#[wasm_split(plan, fallible)]
fn plan() -> Result<Render, SplitLoaderError> {
    Ok(panes::plan)
}

#[wasm_split(links, fallible)]
fn links() -> Result<Render, SplitLoaderError> {
    Ok(panes::links)
}

#[wasm_split(versions, fallible)]
fn versions() -> Result<Render, SplitLoaderError> {
    Ok(panes::versions)
}

#[wasm_split(state, fallible)]
fn recorded() -> Result<Render, SplitLoaderError> {
    Ok(panes::recorded)
}

#[wasm_split(comparison, fallible)]
fn comparison() -> Result<Render, SplitLoaderError> {
    Ok(panes::comparison)
}

#[wasm_split(comparison, fallible)]
fn environments() -> Result<Render, SplitLoaderError> {
    Ok(panes::environments)
}

#[wasm_split(controllers, fallible)]
fn controllers() -> Result<Render, SplitLoaderError> {
    Ok(panes::controllers)
}

#[wasm_split(services, fallible)]
fn services() -> Result<Render, SplitLoaderError> {
    Ok(panes::services)
}

#[wasm_split(apply, fallible)]
fn run() -> Result<Render, SplitLoaderError> {
    Ok(panes::run)
}

#[wasm_split(apply, fallible)]
fn review() -> Result<Render, SplitLoaderError> {
    Ok(panes::review)
}

#[wasm_split(state, fallible)]
fn connect() -> Result<Render, SplitLoaderError> {
    Ok(panes::connect)
}

#[wasm_split(commands, fallible)]
fn palette() -> Result<Render, SplitLoaderError> {
    Ok(panes::palette)
}

#[wasm_split(commands, fallible)]
fn shortcuts() -> Result<Render, SplitLoaderError> {
    Ok(panes::shortcuts)
}

#[wasm_split(gallery, fallible)]
fn empty() -> Result<Render, SplitLoaderError> {
    Ok(panes::empty)
}

#[wasm_split(gallery, fallible)]
fn gallery() -> Result<Render, SplitLoaderError> {
    Ok(panes::gallery)
}

#[wasm_split(gallery, fallible)]
fn workspaces() -> Result<Render, SplitLoaderError> {
    Ok(panes::workspaces)
}

#[wasm_split(gallery, fallible)]
fn why() -> Result<Render, SplitLoaderError> {
    Ok(panes::why)
}

#[wasm_split(refactor, fallible)]
fn rename() -> Result<Render, SplitLoaderError> {
    Ok(panes::rename)
}

#[wasm_split(refactor, fallible)]
fn references() -> Result<Render, SplitLoaderError> {
    Ok(panes::references)
}

#[wasm_split(refactor, fallible)]
fn outline() -> Result<Render, SplitLoaderError> {
    Ok(panes::outline)
}

#[wasm_split(folder, fallible)]
fn folder() -> Result<Render, SplitLoaderError> {
    Ok(panes::folder)
}

#[wasm_split(folder, fallible)]
fn save_folder() -> Result<Render, SplitLoaderError> {
    Ok(panes::save_folder)
}

#[wasm_split(refactor, fallible)]
fn format() -> Result<Render, SplitLoaderError> {
    Ok(panes::format)
}

#[wasm_split(problems, fallible)]
fn problems() -> Result<Render, SplitLoaderError> {
    Ok(panes::problem_list)
}

#[wasm_split(graph, fallible)]
fn graph_tools() -> Result<fn() -> GraphTools, SplitLoaderError> {
    Ok(ui::views::graph_tools)
}

#[wasm_split(served, fallible)]
fn served() -> Result<Render, SplitLoaderError> {
    Ok(panes::served)
}

#[wasm_split(served, fallible)]
fn open_served() -> Result<OpenServed, SplitLoaderError> {
    Ok(panes::open_served)
}

#[wasm_split(sharing, fallible)]
fn sharing() -> Result<fn() -> Sharing, SplitLoaderError> {
    Ok(panes::sharing)
}

#[wasm_split(apply, fallible)]
fn apply() -> Result<Spawn, SplitLoaderError> {
    Ok(remote::spawn)
}

async fn load(view: View) -> Option<Render> {
    let render = match view {
        View::Graph => graph().await,
        View::Merged => merged().await,
        View::Plan => plan().await,
        View::Run => run().await,
        View::Links => links().await,
        View::Versions => versions().await,
        View::State => recorded().await,
        View::Compare => comparison().await,
        View::Environments => environments().await,
        View::Controllers => controllers().await,
        View::Services => services().await,
        View::Review => review().await,
        View::Connect => connect().await,
        View::Palette => palette().await,
        View::Shortcuts => shortcuts().await,
        View::Problems => problems().await,
        View::Empty => empty().await,
        View::Gallery => gallery().await,
        View::Workspaces => workspaces().await,
        View::Why => why().await,
        View::Rename => rename().await,
        View::References => references().await,
        View::Outline => outline().await,
        View::Format => format().await,
        View::Folder => folder().await,
        View::SaveFolder => save_folder().await,
        View::Served => served().await,
    };
    render.ok()
}

fn load_boxed(view: View) -> LocalBoxFuture<'static, Option<Render>> {
    load(view).boxed_local()
}

fn load_served() -> LocalBoxFuture<'static, Option<Stored>> {
    async { open_served().await.ok()?().await }.boxed_local()
}

fn load_apply() -> LocalBoxFuture<'static, Option<Spawn>> {
    apply().map(Result::ok).boxed_local()
}

fn load_graph_tools() -> LocalBoxFuture<'static, Option<fn() -> GraphTools>> {
    graph_tools().map(Result::ok).boxed_local()
}

fn load_sharing() -> LocalBoxFuture<'static, Option<fn() -> Sharing>> {
    sharing().map(Result::ok).boxed_local()
}

fn main() {
    set_sharing_loader(load_sharing);
    set_graph_loader(load_graph_tools);
    set_loader(load_boxed);
    set_opener(load_served);
    link::set_loader(load_apply);
    app::start();
}
