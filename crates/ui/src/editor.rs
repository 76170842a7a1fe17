//! The place of the text editor. The editor itself is opened by the host; until it is there, and where it cannot be
//! loaded, a plain text field stands in for it.

use std::{fmt, rc::Rc};

use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, HtmlTextAreaElement};
use workspace::view::{DiagnosticView, LocationView};
use yew::prelude::*;

use crate::{LayerBadge, dom, layer_mark, views::Same};

/// An open editor.
pub trait EditorHandle {
    /// Shows a document as it was left; its text becomes `text`.
    fn set_document(&self, name: &str, text: &Rc<str>);
    /// A document has another name now.
    fn rename_document(&self, from: &str, to: &str);
    /// A document is gone.
    fn drop_document(&self, name: &str);
    /// Underlines the problems of the document.
    fn set_problems(&self, problems: &[DiagnosticView]);
    /// Marks lines that override or are overridden.
    fn set_marks(&self, marks: &[EditorMark]);
    /// Sets the badges of the files.
    fn set_layers(&self, layers: &[LayerBadge]);
    /// Shows a place and moves the cursor there.
    fn reveal(&self, location: &LocationView);
    /// Switches the colours.
    fn set_dark(&self, dark: bool);
    /// Ends it.
    fn destroy(&self);
}

/// One line's part in the merge, as the editor shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditorMark {
    /// The line, from 1.
    pub line: u32,
    /// Its value is used and replaces another's; else it is replaced.
    pub wins: bool,
    /// The other file.
    pub other: LayerBadge,
}

/// An editor that has been opened, or why not.
pub type Opened = Result<Rc<dyn EditorHandle>, String>;

/// The events of an editor.
#[derive(Clone, Debug, PartialEq)]
pub struct EditorEvents {
    /// The user changed the text of a document: its name and the new text.
    pub on_change: Callback<(String, Rc<str>)>,
    /// Another place is to be shown.
    pub on_goto: Callback<LocationView>,
    /// A quick fix was chosen: indices of problem and fix.
    pub on_fix: Callback<(usize, usize)>,
    /// A command was given.
    pub on_command: Callback<String>,
    /// The cursor was moved: line and column, from 1.
    pub on_cursor: Callback<(u32, u32)>,
}

/// Opens an editor in an element and hands it over when it is there.
#[derive(Clone)]
pub struct OpenEditor(pub Rc<dyn Fn(HtmlElement, EditorEvents, Callback<Opened>)>);

impl fmt::Debug for OpenEditor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpenEditor(_)")
    }
}

impl PartialEq for OpenEditor {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// The document in the editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditorDocument {
    /// Its identity, through renames.
    pub key: u32,
    /// The badge of its file, which holds the name.
    pub layer: LayerBadge,
    /// Its text.
    pub text: Rc<str>,
}

/// Properties of [`EditorPane`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct EditorPaneProps {
    /// Opens the editor.
    pub open: OpenEditor,
    /// The document that is shown.
    pub document: EditorDocument,
    /// The names of all documents by their identity.
    pub names: Same<Vec<(u32, AttrValue)>>,
    /// The problems of all files; `None` while the analysis is older than the text.
    pub problems: Option<Same<Vec<DiagnosticView>>>,
    /// Lines that override or are overridden.
    pub marks: Same<Vec<EditorMark>>,
    /// The badges of the files.
    pub layers: Rc<Vec<LayerBadge>>,
    /// The location to reveal, with a number that grows with each request.
    pub reveal: Option<(u64, LocationView)>,
    /// True for dark colours.
    pub dark: bool,
    /// The callbacks for events of the editor.
    pub events: EditorEvents,
    /// The editor could not be loaded.
    pub on_missing: Callback<String>,
}

/// The contents of the open editor, so that only changes are sent to it.
#[derive(Default)]
struct EditorState {
    /// `None` before a document was shown.
    text: Option<Rc<str>>,
    key: Option<u32>,
    names: Vec<(u32, AttrValue)>,
    reveal: u64,
}

/// The editor's place: its file's name above it.
#[component]
pub fn EditorPane(props: &EditorPaneProps) -> Html {
    dom::note_drawn("EditorPane");
    let host = use_node_ref();
    let handle = use_state(|| None::<Rc<dyn EditorHandle>>);
    let missing = use_state_eq(|| false);
    let current = use_mut_ref(EditorState::default);
    let events = use_latest(&current, props);
    use_open(&host, props, events, &handle, &missing);
    use_document(&handle, &current, props);
    use_tell(&handle, props.layers.clone(), |handle, layers| handle.set_layers(layers));
    use_tell(&handle, props.marks.clone(), |handle, marks| handle.set_marks(marks));
    use_tell(&handle, (props.problems.clone(), props.document.key), |handle, (problems, _)| {
        if let Some(problems) = problems {
            handle.set_problems(problems);
        }
    });
    use_tell(&handle, props.dark, |handle, dark| handle.set_dark(*dark));
    use_reveal(&handle, &current, props);
    let loading = handle.is_none();
    html! {
        <div class="editor">
            <div class="editor-head">
                { layer_mark(&props.document.layer, true) }
                { summary(&props.marks) }
            </div>
            <div ref={host} class={classes!("editor-host", loading.then_some("loading"))} />
            if loading { <PlainEditor document={props.document.clone()} missing={*missing} on_change={props.events.on_change.clone()} /> }
        </div>
    }
}

/// `overrides 2 lines · 1 overridden`.
fn summary(marks: &[EditorMark]) -> Html {
    let wins = marks.iter().filter(|mark| mark.wins).count();
    let (lost, lines) = (marks.len() - wins, |count: usize| if count == 1 { "line" } else { "lines" });
    html! {
        <span class="editor-summary">
            if wins > 0 { <span><span class="mark-wins" aria-hidden="true" />{ format!("{wins} {} override", lines(wins)) }</span> }
            if lost > 0 { <span><span class="mark-lost" aria-hidden="true" />{ format!("{lost} {} overridden", lines(lost)) }</span> }
        </span>
    }
}

/// Events that always reach the latest callbacks, and that remember what the editor itself wrote.
#[hook]
fn use_latest(current: &Rc<std::cell::RefCell<EditorState>>, props: &EditorPaneProps) -> EditorEvents {
    let latest = use_mut_ref(|| props.events.clone());
    *latest.borrow_mut() = props.events.clone();
    let current = current.clone();
    let on_change = {
        let latest = latest.clone();
        Callback::from(move |(name, text): (String, Rc<str>)| {
            current.borrow_mut().text = Some(text.clone());
            let on_change = latest.borrow().on_change.clone();
            on_change.emit((name, text));
        })
    };
    let (goto, fix, command, cursor) = (latest.clone(), latest.clone(), latest.clone(), latest);
    EditorEvents {
        on_change,
        on_goto: Callback::from(move |location| {
            let on_goto = goto.borrow().on_goto.clone();
            on_goto.emit(location);
        }),
        on_fix: Callback::from(move |indices| {
            let on_fix = fix.borrow().on_fix.clone();
            on_fix.emit(indices);
        }),
        on_command: Callback::from(move |name| {
            let on_command = command.borrow().on_command.clone();
            on_command.emit(name);
        }),
        on_cursor: Callback::from(move |place| {
            let on_cursor = cursor.borrow().on_cursor.clone();
            on_cursor.emit(place);
        }),
    }
}

type Handle = UseStateHandle<Option<Rc<dyn EditorHandle>>>;

#[hook]
fn use_open(
    host: &NodeRef,
    props: &EditorPaneProps,
    events: EditorEvents,
    handle: &Handle,
    missing: &UseStateHandle<bool>,
) {
    let (host, open, on_missing) = (host.clone(), props.open.clone(), props.on_missing.clone());
    let (handle, missing) = (handle.setter(), missing.setter());
    use_effect_with((), move |()| {
        let opened = Rc::new(std::cell::RefCell::new(None::<Rc<dyn EditorHandle>>));
        let gone = Rc::new(std::cell::Cell::new(false));
        if let Some(element) = host.cast::<HtmlElement>() {
            let (opened, gone) = (opened.clone(), gone.clone());
            let take = Callback::from(move |result: Opened| match result {
                Ok(editor) if gone.get() => editor.destroy(),
                Ok(editor) => {
                    *opened.borrow_mut() = Some(editor.clone());
                    handle.set(Some(editor));
                }
                Err(why) => {
                    missing.set(true);
                    on_missing.emit(why);
                }
            });
            (open.0)(element, events, take);
        }
        move || {
            gone.set(true);
            if let Some(editor) = opened.borrow_mut().take() {
                editor.destroy();
            }
        }
    });
}

/// Tells the open editor something now and whenever it changes.
#[hook]
fn use_tell<T, F>(handle: &Handle, what: T, tell: F)
where
    T: PartialEq + 'static,
    F: Fn(&dyn EditorHandle, &T) + 'static,
{
    let editor = (**handle).clone();
    use_effect_with((editor.is_some(), what), move |(_, what)| {
        if let Some(editor) = editor {
            tell(&*editor, what);
        }
    });
}

#[hook]
fn use_document(handle: &Handle, current: &Rc<std::cell::RefCell<EditorState>>, props: &EditorPaneProps) {
    let (editor, current, names) = ((**handle).clone(), current.clone(), props.names.clone());
    let document = props.document.clone();
    use_effect_with((editor.is_some(), document, names), move |(_, document, names)| {
        let Some(editor) = editor else { return };
        let mut current = current.borrow_mut();
        if current.names != **names {
            for (key, old) in &current.names {
                match names.iter().find(|(it, _)| it == key) {
                    None => editor.drop_document(old),
                    Some((_, name)) if name != old => editor.rename_document(old, name),
                    Some(_) => {}
                }
            }
            current.names.clone_from(names);
        }
        if current.key != Some(document.key) || current.text.as_ref() != Some(&document.text) {
            editor.set_document(&document.layer.file, &document.text);
            current.key = Some(document.key);
            current.text = Some(document.text.clone());
        }
    });
}

#[hook]
fn use_reveal(handle: &Handle, current: &Rc<std::cell::RefCell<EditorState>>, props: &EditorPaneProps) {
    let (editor, current) = ((**handle).clone(), current.clone());
    let file = props.document.layer.file.clone();
    use_effect_with((editor.is_some(), props.reveal.clone(), file), move |(_, reveal, file)| {
        let Some((editor, (number, location))) = editor.zip(reveal.as_ref()) else { return };
        let mut current = current.borrow_mut();
        if *number > current.reveal && location.file == **file {
            current.reveal = *number;
            editor.reveal(location);
        }
    });
}

#[derive(Clone, PartialEq, Properties)]
struct PlainEditorProps {
    document: EditorDocument,
    missing: bool,
    on_change: Callback<(String, Rc<str>)>,
}

/// The plain text field that stands in for the editor.
#[component]
fn PlainEditor(props: &PlainEditorProps) -> Html {
    let EditorDocument { layer, text, .. } = &props.document;
    let oninput = {
        let (on_change, name) = (props.on_change.clone(), layer.file.to_string());
        Callback::from(move |event: InputEvent| {
            let field = event.target().and_then(|target| target.dyn_into::<HtmlTextAreaElement>().ok());
            if let Some(field) = field {
                on_change.emit((name.clone(), field.value().into()));
            }
        })
    };
    html! {
        <textarea class="editor-plain" aria-label={format!("Text of {}", layer.file)} spellcheck="false"
            autocomplete="off" aria-busy={(!props.missing).then_some("true")} value={AttrValue::from(text.clone())} {oninput} />
    }
}
