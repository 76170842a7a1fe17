//! The CodeMirror editor of `web/editor`, as the components see it.

use std::{
    any::Any,
    cell::{Cell, RefCell},
    rc::Rc,
};

use js_sys::{JSON, Object, Promise, Reflect};
use serde::Serialize;
use ui::{EditorEvents, EditorHandle, EditorMark, LayerBadge, OpenEditor, Opened};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use workspace::view::{DiagnosticView, LocationView};
use yew::Callback;

use crate::{
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
        let options = Options::new(&engine, &file, events);
        let opening = host::open_editor(&parent, &options.object);
        wasm_bindgen_futures::spawn_local(async move {
            let result = JsFuture::from(opening).await;
            opened.emit(match result {
                Ok(editor) => Ok(Rc::new(Editor { editor: editor.unchecked_into(), _options: options })),
                Err(why) => Err(format!("{why:?}")),
            });
        });
    }))
}

struct Editor {
    editor: JsEditor,
    /// The functions that the editor calls; they must live as long as it does.
    _options: Options,
}

/// The functions that the editor calls.
struct Options {
    object: Object,
    kept: Vec<Box<dyn Any>>,
}

impl Options {
    fn new(engine: &Engine, file: &Rc<RefCell<String>>, events: EditorEvents) -> Self {
        let mut options = Self { object: Object::new(), kept: Vec::new() };
        let EditorEvents { on_change, on_goto, on_fix, on_command, on_cursor } = events;
        options.keep(
            "onChange",
            Closure::<dyn Fn(String, String)>::new(move |name, text| on_change.emit((name, text)))
                .into_js_value(),
        );
        options.keep(
            "onGoto",
            Closure::<dyn Fn(JsValue)>::new(move |place: JsValue| {
                if let Some(place) = from_js::<LocationView>(&place) {
                    on_goto.emit(place);
                }
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

#[derive(Serialize)]
struct JsMark {
    line: u32,
    kind: &'static str,
    letter: String,
    color: String,
    title: String,
}

#[derive(Serialize)]
struct JsLayer {
    file: String,
    letter: String,
    color: String,
}

impl EditorHandle for Editor {
    fn set_document(&self, name: &str, text: &str) {
        self.editor.set_document(name, text);
    }

    fn rename_document(&self, from: &str, to: &str) {
        self.editor.rename_document(from, to);
    }

    fn drop_document(&self, name: &str) {
        self.editor.drop_document(name);
    }

    fn set_problems(&self, problems: &[DiagnosticView]) {
        self.editor.set_problems(&to_js(&problems));
    }

    fn set_marks(&self, marks: &[EditorMark]) {
        let mark = |mark: &EditorMark| JsMark {
            line: mark.line,
            kind: if mark.wins { "overrides" } else { "overridden" },
            letter: mark.other.letter.to_string(),
            color: color(&mark.other),
            title: format!("{} {}", if mark.wins { "Overrides" } else { "Overridden by" }, mark.other.file),
        };
        self.editor.set_layer_marks(&to_js(&marks.iter().map(mark).collect::<Vec<_>>()));
    }

    fn set_layers(&self, layers: &[LayerBadge]) {
        let layer = |layer: &LayerBadge| JsLayer {
            file: layer.file.to_string(),
            letter: layer.letter.to_string(),
            color: color(layer),
        };
        self.editor.set_layers(&to_js(&layers.iter().map(layer).collect::<Vec<_>>()));
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

fn to_js(value: &impl Serialize) -> JsValue {
    let text = serde_json::to_string(value).unwrap_or_default();
    JSON::parse(&text).unwrap_or(JsValue::NULL)
}

fn from_js<T: for<'de> serde::Deserialize<'de>>(value: &JsValue) -> Option<T> {
    let text = JSON::stringify(value).ok()?.as_string()?;
    serde_json::from_str(&text).ok()
}
