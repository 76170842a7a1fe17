//! The whole page.

use std::{collections::BTreeMap, rc::Rc};

use ui::{
    EditorDocument, EditorMark, EditorPane, FileProblems, Frame, IconName, LARGE, LargeFile, LayerBadge,
    Moved, Pane, PlanAge, Rail, Sizes, StateSign, Tab, ToastView, Toasts, TopBar, TopBarProps, bottom_bar,
    views::{
        Same,
        live::{Doing, drifted},
    },
};
use workspace::view::{CheckView, DiagnosticView, Severity};
use yew::prelude::*;

use super::{
    FirstPage, Store, bars,
    context::{Context, Fields, Overlay},
    drop, effects, first,
    handlers::Handlers,
    keys,
    lazy::{Lazy, Page, View},
    live, panes, saving,
};
use crate::{
    editor, host, inputs,
    state::{Action, Border, InputKind, State, is_refused},
};

/// Properties of [`App`].
#[derive(Clone, PartialEq, Properties)]
pub(super) struct AppProps {
    /// The data that the page opens with.
    pub(super) first: Same<FirstPage>,
}

/// The app.
#[component]
pub(super) fn App(props: &AppProps) -> Html {
    let page = props.first.clone();
    let store = use_reducer(move || first(&page));
    let engine = effects::use_engine(&store);
    effects::use_late(&engine, &store);
    let link = live::use_live(&store);
    let overlay = use_state_eq(Overlay::default);
    live::use_refresh(&store, &link, *overlay == Overlay::Review);
    let fields = Fields {
        files: use_node_ref(),
        folder: use_node_ref(),
        state: use_node_ref(),
        observed: use_node_ref(),
    };
    let context = Context { store: store.clone(), engine, link, overlay: overlay.setter(), fields };
    let handlers = use_memo((), |()| Handlers::of(&context));
    let state = context.state();
    saving::use_saving(&store, &props.first.stored);
    effects::use_shared(&context);
    keys::use_keys(&context);
    let dark = effects::use_theme(state.screen.theme);
    let over = drop::use_drop(&context);
    let spoken = effects::use_spoken(state);
    // The same badges stay the same data: a key press changes the files, and no badge.
    let layers = use_memo(state.document.files.badges(&state.answers.files), Vec::clone);
    let check = use_check(state);
    effects::use_title(state, check.as_deref());
    let editor = use_editor(&context, &handlers, &layers, check.as_ref(), dark);
    let texts = use_memo(state.document.files.clone(), |files| files.shown());
    let page = Page::new(&context, &layers, &texts, check.as_ref());
    let screen = &state.screen;
    let on_move = context.does(|moved| match moved {
        Moved::Rail(to) => Action::Resize(Border::Rail, to),
        Moved::Editor(to) => Action::Resize(Border::Editor, to),
        Moved::Drawer(to) => Action::Resize(Border::Drawer, to),
    });
    let is_empty = state.document.files.is_empty();
    let empty = is_empty.then(|| html! { <Lazy key="empty" view={View::Empty} page={page.clone()} /> });
    let over_all = html! {
        <>
            { overlays(&page, *overlay) }
            { toasts(&context, &handlers) }
            { pickers(&context) }
            if over { <div class="drop-veil"><p>{ IconName::Import.html() }{ "Drop to add as layers" }</p></div> }
            <div class="visually-hidden" role="status">{ spoken }</div>
        </>
    };
    html! {
        <Frame top={top(&context, &handlers, check.as_deref())} bars={bars::bars(&page)} rail={rail(&page, &handlers)} {editor}
            view={panes::views(&page)} drawer={drawer(&page)} {empty} bottom={bottom(&context, check.as_deref())}
            over={over_all} sizes={Sizes { rail: screen.rail, editor: screen.editor, drawer: screen.drawer }}
            rail_folded={screen.rail_folded} drawer_open={state.shows_drawer()} pane={screen.pane} {on_move} />
    }
}

fn top(context: &Context, handlers: &Handlers, check: Option<&CheckView>) -> Html {
    let state = context.state();
    let answers = &state.answers;
    let (errors, warnings) = check.map(|check| answers.count(check)).unwrap_or_default();
    let text = |what: Option<&str>| what.map(|what| AttrValue::from(what.to_owned()));
    let reviewing = state.screen.tab == Tab::Plan;
    let (main, main_loud) = live::main_words(state);
    let props = TopBarProps {
        deployment: answers.name().to_owned().into(),
        blank: state.document.files.is_blank(),
        // Earlier answers are of older files.
        errors: check.filter(|_| state.is_checked()).map(|_| errors),
        warnings,
        blocking: answers.blocking,
        run: state.applying.last_run(),
        summary: state.plan().filter(|plan| !is_refused(plan)).map(|plan| plan.summary),
        plan_age: plan_age(state),
        sign: sign(state),
        target: live::target(state),
        theme: state.screen.theme,
        undoes: text(state.history.undoes()),
        redoes: text(state.history.redoes()),
        main: main.into(),
        main_loud,
        main_reason: main_reason(state, reviewing),
        on_event: handlers.top.clone(),
    };
    html! { <TopBar ..props /> }
}

fn plan_age(state: &State) -> PlanAge {
    match (state.answers.plan_stale, state.is_late) {
        (true, _) => PlanAge::BeforeErrors,
        (false, true) => PlanAge::BeforeChange,
        (false, false) => PlanAge::Current,
    }
}

/// The reason why the main button is disabled.
fn main_reason(state: &State, reviewing: bool) -> Option<AttrValue> {
    if !matches!(state.doing(), Doing::Idle | Doing::Looking) {
        return None;
    }
    // The plan can be shown all the same, and says that it is not current yet.
    if state.is_late && reviewing {
        return Some("The files are still being checked.".into());
    }
    match (state.document.files.is_blank(), state.answers.blocking) {
        (true, _) => Some("There is nothing to plan yet.".into()),
        (false, 0) if reviewing => live::why_not(state).map(Into::into),
        (false, 0) => None,
        (false, 1) => Some("1 error prevents a plan.".into()),
        (false, errors) => Some(format!("{errors} errors prevent a plan.").into()),
    }
}

fn sign(state: &State) -> StateSign {
    if let Some(sign) = live::sign(state) {
        return sign;
    }
    let Some(recorded) = &state.document.inputs.state else { return StateSign::NotConnected };
    let serial = inputs::serial(recorded);
    let Some(plan) = &state.answers.plan else { return StateSign::Recorded(serial) };
    if is_refused(plan) && state.answers.blocking == 0 {
        return StateSign::Refused;
    }
    match drifted(plan).count() {
        0 if plan.actions.iter().all(|action| action.action == workspace::view::Action::NoOp)
            && !state.answers.plan_stale =>
        {
            StateSign::InSync(serial)
        }
        0 => StateSign::Recorded(serial),
        count => StateSign::Drifted(count),
    }
}

fn rail(page: &Page, handlers: &Handlers) -> Html {
    let (context, layers) = (&page.context, &page.layers);
    let state = context.state();
    let files = &state.document.files;
    let packages = files.iter().map(|file| file.package.clone().map(AttrValue::from)).collect::<Vec<_>>();
    let has_environments = !state.document.environments.is_empty() || files.iter().any(|file| file.muted);
    html! {
        <>
        <Rail layers={layers.clone()} problems={Rc::new(file_problems(state))} packages={Rc::new(packages)}
            selected={state.document.selected.and_then(|key| files.position(key))} folded={state.screen.rail_folded}
            on_event={handlers.rail.clone()} />
        if has_environments { <Lazy key="environments" view={View::Environments} page={page.clone()} /> }
        </>
    }
}

fn file_problems(state: &State) -> Vec<FileProblems> {
    let mut all: BTreeMap<&str, FileProblems> = BTreeMap::new();
    for diagnostic in state.answers.check.iter().flat_map(|check| &check.diagnostics) {
        let Some(file) = &diagnostic.file else { continue };
        let problems = all.entry(file).or_default();
        match diagnostic.severity {
            Severity::Error => problems.errors += 1,
            Severity::Warning => problems.warnings += 1,
            Severity::Hint => {}
        }
    }
    state.document.files.iter().map(|file| all.get(&*file.name).copied().unwrap_or_default()).collect()
}

fn drawer(page: &Page) -> Html {
    let (context, state) = (&page.context, page.context.state());
    let (errors, warnings) =
        page.check.as_deref().map(|check| state.answers.count(check)).unwrap_or_default();
    let open = state.shows_drawer();
    let said = ui::chips::problems_sentence(page.check.as_ref().map(|_| errors), warnings);
    html! {
        <>
            <button type="button" class="drawer-head" aria-expanded={open.to_string()} aria-controls="problems"
                onclick={context.does(|_: MouseEvent| Action::FoldDrawer)}>
                { (if open { IconName::ChevronDown } else { IconName::ChevronUp }).html() }
                <span class="drawer-title">{ "Problems" }</span>
                if errors + warnings > 0 {
                    <span class="count" title={said}>{ errors + warnings }</span>
                } else if !state.had_problems && !state.document.files.is_blank() {
                    <span class="drawer-said">{ said }</span>
                }
            </button>
            <div id="problems" class="drawer-body">{ panes::problems(page) }</div>
        </>
    }
}

fn bottom(context: &Context, check: Option<&CheckView>) -> Html {
    let state = context.state();
    let (errors, warnings) = check.map(|check| state.answers.count(check)).unwrap_or_default();
    let actions = panes::count(state, Tab::Plan).count.unwrap_or(0);
    let none = || (0, String::new());
    let problems = (errors + warnings, ui::chips::problems_sentence(Some(errors), warnings));
    let counts = [none(), none(), none(), (actions, Tab::Plan.counted(actions)), problems];
    let on_open = context.does(|pane| match pane {
        Pane::Plan => Action::Show(Tab::Plan),
        pane => Action::ShowPane(pane),
    });
    bottom_bar(state.screen.pane, counts, &on_open)
}

fn toasts(context: &Context, handlers: &Handlers) -> Html {
    let toasts = context.state().toasts.iter().map(|toast| ToastView {
        id: toast.id,
        text: toast.text.clone().into(),
        undo: toast.undo,
    });
    html! {
        <Toasts toasts={toasts.collect::<Vec<_>>()} on_close={handlers.unsay.clone()} on_undo={handlers.undo.clone()} />
    }
}

fn overlays(page: &Page, overlay: Overlay) -> Html {
    match overlay {
        Overlay::None => Html::default(),
        Overlay::Palette => html! { <Lazy key="palette" view={View::Palette} page={page.clone()} /> },
        Overlay::Review => html! { <Lazy key="review" view={View::Review} page={page.clone()} /> },
        Overlay::Connect => html! { <Lazy key="connect" view={View::Connect} page={page.clone()} /> },
        Overlay::Rename => html! { <Lazy key="rename" view={View::Rename} page={page.clone()} /> },
        Overlay::References => {
            html! { <Lazy key="references" view={View::References} page={page.clone()} /> }
        }
        Overlay::Outline => html! { <Lazy key="outline" view={View::Outline} page={page.clone()} /> },
        Overlay::Format => html! { <Lazy key="format" view={View::Format} page={page.clone()} /> },
        Overlay::Folder => html! { <Lazy key="folder" view={View::Folder} page={page.clone()} /> },
        Overlay::SaveFolder => {
            html! { <Lazy key="save-folder" view={View::SaveFolder} page={page.clone()} /> }
        }
        Overlay::Workspaces => {
            html! { <Lazy key="workspaces" view={View::Workspaces} page={page.clone()} /> }
        }
        Overlay::Why => html! { <Lazy key="why" view={View::Why} page={page.clone()} /> },
        Overlay::Gallery => html! { <Lazy key="gallery" view={View::Gallery} page={page.clone()} /> },
        Overlay::Shortcuts => html! { <Lazy key="shortcuts" view={View::Shortcuts} page={page.clone()} /> },
    }
}

/// The file fields that open the browser's own dialogs.
fn pickers(context: &Context) -> Html {
    let picked = {
        let context = context.clone();
        Callback::from(move |event: Event| context.picked(&event))
    };
    let input = |kind: InputKind| {
        let context = context.clone();
        Callback::from(move |event: Event| context.picked_input(&event, kind))
    };
    let fields = &context.fields;
    html! {
        <div hidden=true>
            <input ref={fields.files.clone()} id="pick-files" type="file" multiple=true accept=".yaml,.yml,.zip,.json,.jsonl,.lock"
                aria-label="Files" onchange={picked.clone()} />
            <input ref={fields.folder.clone()} id="pick-folder" type="file" webkitdirectory=true aria-label="Folder"
                onchange={picked} />
            <input ref={fields.state.clone()} id="pick-state" type="file" accept=".json" aria-label="Recorded state"
                onchange={input(InputKind::State)} />
            <input ref={fields.observed.clone()} id="pick-observed" type="file" accept=".json"
                aria-label="Observed state" onchange={input(InputKind::Observed)} />
        </div>
    }
}

#[hook]
fn use_editor(
    context: &Context,
    handlers: &Handlers,
    layers: &Rc<Vec<LayerBadge>>,
    check: Option<&Rc<CheckView>>,
    dark: bool,
) -> Html {
    let state = context.state();
    let name = use_mut_ref(String::new);
    let open = {
        let (engine, name) = (context.engine.clone(), name.clone());
        use_memo((), move |()| editor::opener(engine, name))
    };
    let names = state.document.files.iter().map(|file| (file.key.0, AttrValue::from(file.name.clone())));
    let names: Vec<_> = names.collect();
    let names = use_memo(names, Clone::clone);
    let marks = use_marks(state, layers);
    let problems = use_problems(state, check);
    let Some((file, layer)) =
        state.selected().and_then(|file| Some((file, LayerBadge::of(layers, &file.name)?)))
    else {
        return html! {
            <div class="pane-empty"><p>{ "Choose a file to edit it here." }</p></div>
        };
    };
    name.replace(file.name.to_string());
    if file.text.len() > LARGE {
        let at = state.reveal.as_ref().map(|reveal| reveal.location.clone());
        let on_download = {
            let (name, text) = (file.name.clone(), file.text.clone());
            Callback::from(move |()| host::download(&name, "application/yaml", text.as_bytes()))
        };
        return html! {
            <LargeFile layer={layer.clone()} text={Same::new(file.text.clone())} at={at.filter(|at| at.file == *file.name)} {on_download} />
        };
    }
    let document = EditorDocument { key: file.key.0, layer: layer.clone(), text: file.text.clone() };
    let reveal = state.reveal.as_ref().map(|reveal| (reveal.number, reveal.location.clone()));
    html! {
        <EditorPane open={(*open).clone()} {document} names={Same(names)} {problems} marks={Same(marks)}
            layers={layers.clone()} {reveal} {dark} events={handlers.editor.clone()}
            on_missing={handlers.editor_missing.clone()} />
    }
}

/// The problems of the files, and those that adapters report in them for as long as the run is on screen.
#[hook]
fn use_check(state: &State) -> Option<Rc<CheckView>> {
    let (check, applying) = (state.answers.check.clone(), state.applying.clone());
    let shown = applying.shows_run();
    let identity = check.as_ref().map(|check| Rc::as_ptr(check).addr());
    let identity = (identity, shown.then(|| Rc::as_ptr(&applying.steps).addr()));
    let all = use_memo(identity, move |_| {
        let blamed = if shown { applying.blamed() } else { Vec::new() };
        let mut check = check?;
        if !blamed.is_empty() {
            // They come last: fixes are found by their place among the engine's own.
            Rc::make_mut(&mut check).diagnostics.extend(blamed);
        }
        Some(check)
    });
    (*all).clone()
}

/// The problems, once they are those of the text on screen.
#[hook]
fn use_problems(state: &State, check: Option<&Rc<CheckView>>) -> Option<Same<Vec<DiagnosticView>>> {
    let check = check.cloned();
    let identity = check.as_ref().map(|check| Rc::as_ptr(check).addr());
    let problems =
        use_memo(identity, move |_| check.map(|check| check.diagnostics.clone()).unwrap_or_default());
    (state.answers.revision == state.revision).then_some(Same(problems))
}

#[hook]
fn use_marks(state: &State, layers: &Rc<Vec<LayerBadge>>) -> Rc<Vec<EditorMark>> {
    let (marks, name) = (state.answers.marks.clone(), state.selected().map(|file| file.name.clone()));
    let identity = (Rc::as_ptr(&marks).addr(), name.clone(), layers.clone());
    let layers = layers.clone();
    use_memo(identity, move |_| {
        let marks = name.and_then(|name| marks.get(&*name)).into_iter().flatten();
        let mark = |mark: &crate::message::Mark| {
            let other = LayerBadge::of(&layers, &mark.other)?.clone();
            Some(EditorMark { line: mark.line, wins: mark.wins, other })
        };
        marks.filter_map(mark).collect()
    })
}

impl PartialEq for Store {
    fn eq(&self, _: &Self) -> bool {
        // Every action may change something: the page decides what to draw again.
        false
    }
}
