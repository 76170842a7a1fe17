//! Starts the page, and loads its views when they are first shown.
//!
//! A build with the feature `split` puts what only these functions reach into WebAssembly files of their own.

use capabilities::load_functions;
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

load_functions! {
    drawing: fn graph() -> Render { panes::graph }
    merged: fn merged() -> Render { panes::merged }
    plan: fn plan() -> Render { panes::plan }
    links: fn links() -> Render { panes::links }
    versions: fn versions() -> Render { panes::versions }
    state: fn recorded() -> Render { panes::recorded }
    comparison: fn comparison() -> Render { panes::comparison }
    comparison: fn environments() -> Render { panes::environments }
    controllers: fn controllers() -> Render { panes::controllers }
    services: fn services() -> Render { panes::services }
    apply: fn run() -> Render { panes::run }
    apply: fn review() -> Render { panes::review }
    state: fn connect() -> Render { panes::connect }
    commands: fn palette() -> Render { panes::palette }
    commands: fn shortcuts() -> Render { panes::shortcuts }
    gallery: fn empty() -> Render { panes::empty }
    gallery: fn gallery() -> Render { panes::gallery }
    gallery: fn workspaces() -> Render { panes::workspaces }
    gallery: fn why() -> Render { panes::why }
    refactor: fn rename() -> Render { panes::rename }
    refactor: fn references() -> Render { panes::references }
    refactor: fn outline() -> Render { panes::outline }
    folder: fn folder() -> Render { panes::folder }
    folder: fn save_folder() -> Render { panes::save_folder }
    refactor: fn format() -> Render { panes::format }
    problems: fn problems() -> Render { panes::problem_list }
    graph: fn graph_tools() -> fn() -> GraphTools { ui::views::graph_tools }
    served: fn served() -> Render { panes::served }
    served: fn open_served() -> OpenServed { panes::open_served }
    sharing: fn sharing() -> fn() -> Sharing { panes::sharing }
    apply: fn apply() -> Spawn { remote::spawn }
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
