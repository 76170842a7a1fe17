//! Lazy components: views and dialogs whose code loads when they are first shown.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use futures_util::future::{LocalBoxFuture, join};
use ui::{
    FileText, LayerBadge, Tab,
    dom::note_drawn,
    views::{GraphTools, live::StepItem},
};
use wasm_bindgen_futures::spawn_local;
use workspace::view::{CheckView, LayoutView, MergeView, PlanView};
use yew::prelude::*;

use super::{
    context::{Context, Overlay},
    panes::{failed, waiting},
};
use crate::{message::Encoded, storage::Stored, style};

/// The parts of the page that are loaded when they are first shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum View {
    /// The dependency graph.
    Graph,
    /// The merged document.
    Merged,
    /// The plan.
    Plan,
    /// The run that carries it out.
    Run,
    /// The links.
    Links,
    /// The versions of packages.
    Versions,
    /// The recorded state.
    State,
    /// The differences between two points.
    Compare,
    /// The environments below the files.
    Environments,
    /// The controllers of the runtime.
    Controllers,
    /// The contents of services.
    Services,
    /// The dialog that a plan is approved in.
    Review,
    /// The dialog that connects an adapter.
    Connect,
    /// The commands.
    Palette,
    /// The keys.
    Shortcuts,
    /// The problems, where there are any.
    Problems,
    /// The page before there is anything.
    Empty,
    /// The dialog with all examples.
    Gallery,
    /// The dialog that renames what the cursor is at.
    Rename,
    /// The places that name what the cursor is at.
    References,
    /// The outline of the open file.
    Outline,
    /// Formatting it.
    Format,
    /// The folder of the disk that the workspace was opened from.
    Folder,
    /// Saving into it.
    SaveFolder,
    /// The dialog with the workspaces of this browser.
    Workspaces,
    /// The reasons for the action on the selected resource.
    Why,
    /// The status of the page's server and its files.
    Served,
}

impl View {
    /// True if it lies over the page: nothing takes its place while it loads.
    const fn is_dialog(self) -> bool {
        matches!(
            self,
            Self::Review
                | Self::Connect
                | Self::Palette
                | Self::Shortcuts
                | Self::Gallery
                | Self::Rename
                | Self::References
                | Self::Outline
                | Self::Format
                | Self::Folder
                | Self::SaveFolder
                | Self::Workspaces
                | Self::Why
                | Self::Served
                | Self::Environments
        )
    }

    /// The style sheets that it needs beside those of the page.
    const fn styles(self) -> &'static [&'static str] {
        match self {
            Self::Merged => &["./merged.css"],
            Self::Links => &["./links.css"],
            Self::Versions => &["./versions.css"],
            Self::Environments => &["./comparison.css"],
            Self::Compare => &["./comparison.css", "./texts.css"],
            Self::Controllers => &["./controllers.css"],
            Self::Services => &["./services.css"],
            Self::Empty | Self::Gallery | Self::Workspaces | Self::Folder | Self::SaveFolder | Self::Why => {
                &["./gallery.css"]
            }
            Self::Served => &["./texts.css"],
            Self::Rename => &["./apply.css"],
            Self::Graph
            | Self::Plan
            | Self::Run
            | Self::State
            | Self::Review
            | Self::Connect
            | Self::Palette
            | Self::Shortcuts
            | Self::Problems
            | Self::References
            | Self::Outline
            | Self::Format => &[],
        }
    }

    /// The view that a tab opens.
    pub(super) const fn of(tab: Tab) -> Self {
        match tab {
            Tab::Graph => Self::Graph,
            Tab::Merged => Self::Merged,
            Tab::Plan => Self::Plan,
            Tab::Links => Self::Links,
            Tab::Versions => Self::Versions,
            Tab::State => Self::State,
            Tab::Compare => Self::Compare,
            Tab::Controllers => Self::Controllers,
            Tab::Services => Self::Services,
        }
    }
}

/// The data that a view is drawn from.
#[derive(Clone, Debug)]
pub struct Page {
    /// The app's state, and what can be done with it.
    pub(super) context: Context,
    /// The files with their place in the merge.
    pub(super) layers: Rc<Vec<LayerBadge>>,
    /// The files with their texts.
    pub(super) texts: Rc<Vec<FileText>>,
    /// The problems of the files.
    pub(super) check: Option<Rc<CheckView>>,
    shown: Shown,
}

/// The data of the large views when the page was drawn. What a context gives is always the newest state.
#[derive(Clone, Debug)]
struct Shown {
    layout: Option<Rc<Encoded<LayoutView>>>,
    merge: Option<Rc<Encoded<MergeView>>>,
    plan: Option<Rc<PlanView>>,
    steps: Option<Rc<Vec<StepItem>>>,
    resource: Option<Rc<str>>,
    pointer: Option<Rc<str>>,
    model_stale: bool,
}

impl Page {
    /// The data of the page as it is now.
    pub(super) fn new(
        context: &Context,
        layers: &Rc<Vec<LayerBadge>>,
        texts: &Rc<Vec<FileText>>,
        check: Option<&Rc<CheckView>>,
    ) -> Self {
        let state = context.state();
        let shown = Shown {
            layout: state.answers.layout.clone(),
            merge: state.answers.merge.clone(),
            plan: state.plan().cloned(),
            steps: state.steps().cloned(),
            resource: state.resource.clone(),
            pointer: state.pointer.clone(),
            model_stale: state.answers.model_stale,
        };
        let (layers, texts) = (layers.clone(), texts.clone());
        Self { context: context.clone(), layers, texts, check: check.cloned(), shown }
    }
}

impl PartialEq for Page {
    fn eq(&self, _: &Self) -> bool {
        // Any change may affect a view: it compares what it needs itself.
        false
    }
}

/// Draws a view.
pub type Render = fn(&Page) -> Html;

/// Loads the code of a view; `None` if that failed.
pub type Load = fn(View) -> LocalBoxFuture<'static, Option<Render>>;

/// Reads the files of the page's server and what this browser kept of them; `None` if that failed.
pub type OpenServed = fn() -> LocalBoxFuture<'static, Option<Stored>>;

thread_local! {
    static OPENER: Cell<Option<OpenServed>> = const { Cell::new(None) };
    static LOADER: Cell<Option<Load>> = const { Cell::new(None) };
    static LOADED: RefCell<Vec<(View, Render)>> = const { RefCell::new(Vec::new()) };
}

/// Sets how views are loaded.
pub fn set_loader(load: Load) {
    LOADER.set(Some(load));
}

/// Sets how the files of the page's server are read.
pub fn set_opener(open: OpenServed) {
    OPENER.set(Some(open));
}

/// The functions that make links to a workspace, and open them.
#[derive(Clone, Copy, Debug)]
pub struct Sharing {
    /// Copies a link to the workspace.
    pub(super) copy: fn(&Context),
    /// Opens what the fragment of a link holds.
    pub(super) open: fn(Context, String),
}

/// Loads it; `None` if that failed.
pub type LoadSharing = fn() -> LocalBoxFuture<'static, Option<fn() -> Sharing>>;

thread_local! {
    static SHARING: Cell<Option<LoadSharing>> = const { Cell::new(None) };
}

/// Sets the loader of the code that makes and opens links.
pub fn set_sharing_loader(load: LoadSharing) {
    SHARING.set(Some(load));
}

/// The functions that make and open links; `None` if they could not be loaded.
pub(super) async fn sharing() -> Option<Sharing> {
    Some(SHARING.get()?().await?())
}

/// The files of the page's server, with what this browser kept of them.
pub(super) async fn open_served() -> Option<Stored> {
    OPENER.get()?().await
}

fn loaded(view: View) -> Option<Render> {
    LOADED.with_borrow(|all| all.iter().find(|(it, _)| *it == view).map(|(_, render)| *render))
}

/// True if the code of a view is there.
pub(super) fn is_loaded(view: View) -> bool {
    loaded(view).is_some()
}

async fn load(view: View) -> Option<Render> {
    let styled = async {
        let mut is_styled = true;
        for address in view.styles() {
            is_styled &= style::load(address).await;
        }
        is_styled
    };
    let (render, is_styled) = join(LOADER.get()?(view), styled).await;
    // A view is not shown without its styles: it would jump when they come.
    let render = render.filter(|_| is_styled)?;
    LOADED.with_borrow_mut(|all| all.push((view, render)));
    Some(render)
}

/// Loads the tools around the drawing of the graph; `None` if that failed.
pub type LoadGraphTools = fn() -> LocalBoxFuture<'static, Option<fn() -> GraphTools>>;

thread_local! {
    static GRAPH_LOADER: Cell<Option<LoadGraphTools>> = const { Cell::new(None) };
    static GRAPH_TOOLS: Cell<Option<GraphTools>> = const { Cell::new(None) };
}

/// Sets the loader of the tools around the drawing of the graph.
pub fn set_graph_loader(load: LoadGraphTools) {
    GRAPH_LOADER.set(Some(load));
}

/// The tools around the drawing of the graph, once they are loaded, and a callback that loads them.
#[hook]
pub(super) fn use_graph_tools() -> (Option<GraphTools>, Callback<()>) {
    let tools = use_state(|| GRAPH_TOOLS.get());
    let is_loading = use_mut_ref(|| false);
    let setter = tools.setter();
    let load = Callback::from(move |()| {
        if GRAPH_TOOLS.get().is_some() || is_loading.replace(true) {
            return;
        }
        let (setter, is_loading) = (setter.clone(), is_loading.clone());
        spawn_local(async move {
            let Some(load) = GRAPH_LOADER.get() else { return };
            let (loaded, is_styled) = join(load(), style::load("./graph.css")).await;
            // Where it failed, the next request tries again.
            is_loading.replace(false);
            if let Some(tools) = loaded.filter(|_| is_styled) {
                GRAPH_TOOLS.set(Some(tools()));
                setter.set(GRAPH_TOOLS.get());
            }
        });
    });
    (*tools, load)
}

/// Properties of [`Lazy`]. It has to be given another key when it is to show another view.
#[derive(Clone, Properties)]
pub(super) struct LazyProps {
    /// The view.
    pub(super) view: View,
    /// The data that it is drawn from.
    pub(super) page: Page,
}

/// The large views are drawn again only if what they are drawn from has changed.
impl PartialEq for LazyProps {
    fn eq(&self, other: &Self) -> bool {
        let (old, new) = (&self.page, &other.page);
        let (before, after) = (&old.shown, &new.shown);
        self.view == other.view
            && match self.view {
                View::Graph => {
                    is_same(before.layout.as_ref(), after.layout.as_ref())
                        && is_same(before.plan.as_ref(), after.plan.as_ref())
                        && is_same(before.steps.as_ref(), after.steps.as_ref())
                        && Rc::ptr_eq(&old.layers, &new.layers)
                        && before.resource == after.resource
                        && before.model_stale == after.model_stale
                }
                View::Merged => {
                    is_same(before.merge.as_ref(), after.merge.as_ref())
                        && Rc::ptr_eq(&old.layers, &new.layers)
                        && before.pointer == after.pointer
                        && before.model_stale == after.model_stale
                }
                View::Problems => {
                    is_same(old.check.as_ref(), new.check.as_ref())
                        && Rc::ptr_eq(&old.layers, &new.layers)
                        && Rc::ptr_eq(&old.texts, &new.texts)
                }
                _ => false,
            }
    }
}

fn is_same<T>(old: Option<&Rc<T>>, new: Option<&Rc<T>>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => Rc::ptr_eq(old, new),
        (None, None) => true,
        _ => false,
    }
}

/// The progress of loading a view.
#[derive(Clone, Copy)]
enum Phase {
    Loading,
    Loaded(Render),
    Failed,
}

/// A view, as soon as its code is there.
#[component]
pub(super) fn Lazy(props: &LazyProps) -> Html {
    let view = props.view;
    note_drawn(format_args!("{view:?}"));
    let phase = use_state(|| loaded(view).map_or(Phase::Loading, Phase::Loaded));
    let is_loading = matches!(*phase, Phase::Loading);
    {
        let (setter, context) = (phase.setter(), props.page.context.clone());
        use_effect_with(is_loading, move |is_loading| {
            if *is_loading {
                spawn_local(async move {
                    let render = load(view).await;
                    if render.is_none() && view.is_dialog() {
                        context.say("This dialog could not be loaded. Try again when you are online.");
                        context.overlay.set(Overlay::None);
                    }
                    setter.set(render.map_or(Phase::Failed, Phase::Loaded));
                });
            }
        });
    }
    match *phase {
        Phase::Loaded(render) => render(&props.page),
        Phase::Loading | Phase::Failed if view.is_dialog() => Html::default(),
        Phase::Loading => waiting(),
        Phase::Failed => {
            let setter = phase.setter();
            failed(&Callback::from(move |_: MouseEvent| setter.set(Phase::Loading)))
        }
    }
}
