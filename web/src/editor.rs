//! The CodeMirror editor of `web/editor`, as the components see it.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    rc::Rc,
};

use js_sys::{Array, JSON, Object, Promise, Reflect};
use ui::{EditorEvents, EditorHandle, EditorMark, LayerBadge, OpenEditor, Opened};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use workspace::view::{DiagnosticView, EditView, FixView, LocationView, RelatedView};
use yew::Callback;

use crate::{
    edited::{EditedText, Stretch},
    engine::Engine,
    host,
    message::{
        Encoded, Query,
        query::{Complete, Define, Hover, Position},
    },
};

#[wasm_bindgen]
extern "C" {
    /// An open editor.
    type JsEditor;

    #[wasm_bindgen(method, js_name = setDocument)]
    fn set_document(this: &JsEditor, name: &str, text: &str);
    #[wasm_bindgen(method, js_name = renameDocument)]
    fn rename_document(this: &JsEditor, from: &str, to: &str);
    #[wasm_bindgen(method, js_name = dropDocument)]
    fn drop_document(this: &JsEditor, name: &str);
    #[wasm_bindgen(method, js_name = setProblems)]
    fn set_problems(this: &JsEditor, problems: &JsValue);
    #[wasm_bindgen(method, js_name = setLayerMarks)]
    fn set_layer_marks(this: &JsEditor, marks: &JsValue);
    #[wasm_bindgen(method, js_name = setLayers)]
    fn set_layers(this: &JsEditor, layers: &JsValue);
    #[wasm_bindgen(method, js_name = revealRange)]
    fn reveal_range(
        this: &JsEditor,
        line: u32,
        column: u32,
        end_line: u32,
        end_column: u32,
        options: &JsValue,
    );
    #[wasm_bindgen(method, js_name = setTheme)]
    fn set_theme(this: &JsEditor, theme: &str);
    #[wasm_bindgen(method)]
    fn destroy(this: &JsEditor);
}

thread_local! {
    /// The position of the cursor; no part of the state, because nothing is drawn again when it moves.
    static CURSOR: Cell<(u32, u32)> = const { Cell::new((1, 1)) };
}

/// The line and the column of the cursor in the open file, from 1.
pub fn cursor() -> (u32, u32) {
    CURSOR.get()
}

/// Takes note of where the cursor is.
pub fn remember_cursor(line: u32, column: u32) {
    CURSOR.set((line, column));
}

/// Opens editors that ask `engine`. `file` is the name of the document that is shown.
pub fn opener(engine: Engine, file: Rc<RefCell<String>>) -> OpenEditor {
    OpenEditor(Rc::new(move |parent, events, opened: Callback<Opened>| {
        let document = Rc::<RefCell<Document>>::default();
        let options = Options::new(&engine, &file, events, document.clone());
        let opening = host::open_editor(&parent, &options.object);
        wasm_bindgen_futures::spawn_local(async move {
            let result = JsFuture::from(opening).await;
            opened.emit(match result {
                Ok(editor) => {
                    Ok(Rc::new(Editor { editor: editor.unchecked_into(), document, _options: options }))
                }
                Err(why) => Err(format!("{why:?}")),
            });
        });
    }))
}

/// The document that an editor shows, with the text that it has. Its edits are of this text: it may be newer than that of
/// the last page that was drawn.
#[derive(Default)]
struct Document {
    name: String,
    text: EditedText,
}

struct Editor {
    editor: JsEditor,
    document: Rc<RefCell<Document>>,
    /// The functions that the editor calls; they must live as long as it does.
    _options: Options,
}

/// The functions that the editor calls.
struct Options {
    object: Object,
    kept: Vec<Box<dyn Any>>,
}

impl Options {
    fn new(
        engine: &Engine,
        file: &Rc<RefCell<String>>,
        events: EditorEvents,
        document: Rc<RefCell<Document>>,
    ) -> Self {
        let mut options = Self { object: Object::new(), kept: Vec::new() };
        let EditorEvents { on_change, on_goto, on_fix, on_command, on_cursor } = events;
        options.keep(
            "onEdit",
            Closure::<dyn Fn(String, Array)>::new(move |name, changes: Array| {
                let stretches: Vec<Stretch> = changes.iter().map(|it| stretch(&it)).collect();
                let text = document.borrow_mut().text.edit(&stretches);
                on_change.emit((name, text));
            })
            .into_js_value(),
        );
        options.keep(
            "onGoto",
            Closure::<dyn Fn(JsValue)>::new(move |place: JsValue| {
                location(&place).into_iter().for_each(|place| on_goto.emit(place));
            })
            .into_js_value(),
        );
        options.keep(
            "onApplyFix",
            Closure::<dyn Fn(usize, usize)>::new(move |problem, fix| on_fix.emit((problem, fix)))
                .into_js_value(),
        );
        options.keep(
            "onCommand",
            Closure::<dyn Fn(String) -> bool>::new(move |name| {
                on_command.emit(name);
                true
            })
            .into_js_value(),
        );
        options.keep(
            "onCursor",
            Closure::<dyn Fn(u32, u32)>::new(move |line, column| on_cursor.emit((line, column)))
                .into_js_value(),
        );
        options.provide("provideHover", engine, file, |at| Hover { at });
        options.provide("provideCompletion", engine, file, |at| Complete { at });
        options.provide("provideDefinition", engine, file, |at| Define { at });
        options
    }

    fn keep(&mut self, name: &str, function: JsValue) {
        let _ = Reflect::set(&self.object, &name.into(), &function);
        self.kept.push(Box::new(function));
    }

    fn provide<Q: Query + Clone + 'static>(
        &mut self,
        name: &str,
        engine: &Engine,
        file: &Rc<RefCell<String>>,
        query: fn(Position) -> Q,
    ) {
        let (engine, file) = (engine.clone(), file.clone());
        let ask = Closure::<dyn Fn(u32, u32) -> Promise>::new(move |line, column| {
            promise(&engine, &query(Position { file: file.borrow().clone(), line, column }))
        });
        self.keep(name, ask.into_js_value());
    }
}

/// The answer to a query, which the editor reads as the worker has written it.
fn promise<Q: Query + Clone + 'static>(engine: &Engine, query: &Q) -> Promise {
    Promise::new(&mut |resolve, _| {
        let then = Callback::from(move |answer: Option<Encoded<Q::Answer>>| {
            let value = answer.and_then(|it| JSON::parse(it.text()).ok()).unwrap_or(JsValue::NULL);
            let _ = resolve.call1(&JsValue::NULL, &value);
        });
        engine.ask_encoded(query.clone(), then);
    })
}

impl EditorHandle for Editor {
    fn set_document(&self, name: &str, text: &Rc<str>) {
        self.document.replace(Document { name: name.to_owned(), text: EditedText::new(text) });
        self.editor.set_document(name, text);
    }

    fn rename_document(&self, from: &str, to: &str) {
        let mut document = self.document.borrow_mut();
        if document.name == from {
            to.clone_into(&mut document.name);
        }
        drop(document);
        self.editor.rename_document(from, to);
    }

    fn drop_document(&self, name: &str) {
        self.editor.drop_document(name);
    }

    fn set_problems(&self, problems: &[DiagnosticView]) {
        let document = self.document.borrow();
        let of_document = |it: &DiagnosticView| it.file.as_deref().is_none_or(|file| file == document.name);
        // The others keep their index, and are none without a place.
        let problems = problems.iter().map(|it| if of_document(it) { problem(it) } else { object(&[]) });
        let problems: Array = problems.collect();
        drop(document);
        self.editor.set_problems(&problems);
    }

    fn set_marks(&self, marks: &[EditorMark]) {
        let mark = |mark: &EditorMark| {
            let (kind, relation) =
                if mark.wins { ("overrides", "Overrides") } else { ("overridden", "Overridden by") };
            object(&[
                ("line", mark.line.into()),
                ("kind", kind.into()),
                ("letter", (&*mark.other.letter).into()),
                ("color", color(&mark.other).into()),
                ("title", format!("{relation} {}", mark.other.file).into()),
            ])
        };
        self.editor.set_layer_marks(&marks.iter().map(mark).collect::<Array>());
    }

    fn set_layers(&self, layers: &[LayerBadge]) {
        let layer = |layer: &LayerBadge| {
            let (file, letter) = (&*layer.file, &*layer.letter);
            object(&[("file", file.into()), ("letter", letter.into()), ("color", color(layer).into())])
        };
        self.editor.set_layers(&layers.iter().map(layer).collect::<Array>());
    }

    fn reveal(&self, location: &LocationView) {
        let LocationView { line, column, end_line, end_column, .. } = *location;
        self.editor.reveal_range(line, column, end_line, end_column, &JsValue::UNDEFINED);
    }

    fn set_dark(&self, dark: bool) {
        self.editor.set_theme(if dark { "dark" } else { "light" });
    }

    fn destroy(&self) {
        self.editor.destroy();
    }
}

fn color(layer: &LayerBadge) -> String {
    format!("var(--layer-{})", layer.color_index % 8)
}

/// A stretch of a text as CodeMirror writes it: a number if it stays, else a list of the number and the lines in its place.
fn stretch(it: &JsValue) -> Stretch {
    let length = |it: &JsValue| it.as_f64().unwrap_or_default() as usize;
    match it.dyn_ref::<Array>() {
        None => Stretch::Kept(length(it)),
        Some(list) => {
            let lines = list.iter().skip(1).filter_map(|it| it.as_string());
            Stretch::Replaced(length(&list.get(0)), lines.collect())
        }
    }
}

/// A problem as the editor reads it.
fn problem(it: &DiagnosticView) -> JsValue {
    object(&[
        ("line", it.line.into()),
        ("column", it.column.into()),
        ("end_line", it.end_line.into()),
        ("end_column", it.end_column.into()),
        ("severity", it.severity.as_str().into()),
        ("message", (&*it.message).into()),
        ("code", (&*it.code).into()),
        ("help", it.help.as_deref().map_or(JsValue::NULL, Into::into)),
        ("fixes", it.fixes.iter().map(fix).collect::<Array>().into()),
        ("related", it.related.iter().map(related).collect::<Array>().into()),
    ])
}

fn fix(it: &FixView) -> JsValue {
    let edit = |it: &EditView| placed(&it.location, "new_text", &it.new_text);
    object(&[("title", (&*it.title).into()), ("edits", it.edits.iter().map(edit).collect::<Array>().into())])
}

fn related(it: &RelatedView) -> JsValue {
    placed(&it.location, "message", &it.message)
}

/// A place with one text more.
fn placed(at: &LocationView, name: &'static str, text: &str) -> JsValue {
    object(&[
        ("file", (&*at.file).into()),
        ("line", at.line.into()),
        ("column", at.column.into()),
        ("end_line", at.end_line.into()),
        ("end_column", at.end_column.into()),
        (name, text.into()),
    ])
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}

/// A place that the editor names.
fn location(place: &JsValue) -> Option<LocationView> {
    let field = |name: &str| Reflect::get(place, &name.into()).ok();
    let number = |name: &str| field(name)?.as_f64().map(|it| it as u32);
    Some(LocationView {
        file: field("file")?.as_string()?,
        line: number("line")?,
        column: number("column")?,
        end_line: number("end_line")?,
        end_column: number("end_column")?,
    })
}
