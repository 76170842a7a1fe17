//! Start commands: a list of words is one command; lists of words, and maps such as `run: …`, are one command each. The canonical
//! form is a list of maps `{run: {args: […]}}`.

use std::sync::{Arc, LazyLock};

use diag::{Diagnostic, Span};
use model::{Data, Map, Value, map_of};
use serde_json::{Value as Json, json};
use syntax::{Mapping, Node, NodeData};

use super::map_form;
use crate::{
    Shape, codes,
    form::{Form, ValueReader, written},
};

const HELP: &str =
    "write `[\"/bin/program\", \"argument\"]`, a list of such lists, or a list of `run: {args: […]}`";

static COMMAND: LazyLock<Shape> = LazyLock::new(|| map_form("command"));
static LIST: LazyLock<Shape> = LazyLock::new(|| Shape::List(Box::new(COMMAND.clone())));
static WORDS: LazyLock<Shape> = LazyLock::new(|| Shape::List(Box::new(Shape::Text)));
static NAMED_WORDS: LazyLock<Shape> = LazyLock::new(|| Shape::MapOf(Box::new(WORDS.clone())));

/// The shape of one command in its canonical form.
pub(crate) fn command_shape() -> &'static Shape {
    match &*LIST {
        Shape::List(item) => item,
        _ => &COMMAND,
    }
}

/// The form.
#[derive(Debug)]
pub(crate) struct Commands;

impl Form for Commands {
    fn name(&self) -> &'static str {
        "commands"
    }

    fn phrases(&self) -> [&'static str; 2] {
        ["list of commands", "lists of commands"]
    }

    fn canonical(&self) -> &'static Shape {
        &LIST
    }

    fn item_as_written(&self, item: &Node) -> Option<&'static Shape> {
        match &item.data {
            NodeData::Sequence(_) => Some(&WORDS),
            NodeData::Mapping(mapping) => match &mapping.entries[..] {
                [entry] if entry.value.as_sequence().is_some() => Some(&NAMED_WORDS),
                _ => None,
            },
            _ => Some(&Shape::Text),
        }
    }

    fn may_be(&self, node: &Node) -> bool {
        node.as_sequence().is_some()
    }

    fn fits(&self, node: &Node) -> bool {
        self.may_be(node)
    }

    fn read(&self, reader: &mut dyn ValueReader, node: &Node, key: Span) -> Option<Value> {
        let Some(items) = node.as_sequence() else {
            let span = if node.span.start == node.span.end { key } else { node.span };
            return bad(reader, span, "start commands are a list");
        };
        let is_word = |item: &Node| !item.is_collection() && !matches!(item.data, NodeData::Null);
        let commands = if items.first().is_some_and(is_word) {
            if let Some(stranger) = items.iter().find(|item| !is_word(item)) {
                let message =
                    format!("strings and {}s are mixed in one list of commands", stranger.kind_name());
                return bad(reader, stranger.span, &message);
            }
            reader.enter_item(0);
            let command = run(reader, items, node.span);
            reader.leave();
            command.into_iter().collect()
        } else {
            each(reader, items, command)
        };
        Some(written(Data::List(commands), node.span))
    }

    fn schema(&self) -> Json {
        let words = json!({"type": "array", "items": {"type": ["string", "number", "boolean"]}});
        let command = json!({"anyOf": [words, {"$ref": "#/$defs/command"}]});
        json!({"anyOf": [words, {"type": "array", "items": command}]})
    }
}

fn command(reader: &mut dyn ValueReader, node: &Node) -> Option<Value> {
    match &node.data {
        NodeData::Sequence(words) => run(reader, words, node.span),
        NodeData::Mapping(mapping) => command_map(reader, mapping, node.span),
        _ => bad(reader, node.span, "this is not a command"),
    }
}

/// `{run: {args: […]}}` from words.
fn run(reader: &mut dyn ValueReader, words: &[Node], span: Span) -> Option<Value> {
    if words.is_empty() {
        return bad(reader, span, "this command is empty");
    }
    let args = within(reader, "run".into(), |reader| args(reader, words, span));
    Some(named("run".into(), map_of([("args".into(), args)]), span))
}

fn args(reader: &mut dyn ValueReader, words: &[Node], span: Span) -> Value {
    let args = within(reader, "args".into(), |reader| each(reader, words, |reader, it| reader.text(it)));
    written(Data::List(args), span)
}

fn command_map(reader: &mut dyn ValueReader, mapping: &Mapping, span: Span) -> Option<Value> {
    if let Some(cmd) = mapping.get("cmd") {
        return dumped_command(reader, mapping, cmd, span);
    }
    let [entry] = &mapping.entries[..] else {
        return bad(reader, span, "a command must have exactly one name");
    };
    let (name, value) = (&entry.key, &entry.value);
    match &value.data {
        NodeData::Sequence(words) => {
            let args = within(reader, Arc::clone(name), |reader| args(reader, words, value.span));
            Some(named(Arc::clone(name), map_of([("args".into(), args)]), span))
        }
        NodeData::Mapping(given) => {
            let given =
                within(reader, Arc::clone(name), |reader| parameters(reader, name, given, value.span))?;
            Some(named(Arc::clone(name), given, span))
        }
        _ => bad(reader, value.span, &format!("`{name}` requires a list of strings")),
    }
}

/// `{cmd: run, params: {args: […]}}`, as in a dump of a running application.
fn dumped_command(reader: &mut dyn ValueReader, mapping: &Mapping, cmd: &Node, span: Span) -> Option<Value> {
    let name = cmd.as_str()?;
    if let Some(other) = mapping.entries.iter().find(|entry| !matches!(&*entry.key, "cmd" | "params")) {
        let message = format!("`{}` has no effect together with `cmd`", other.key);
        return bad(reader, other.key_span, &message);
    }
    let parameters = match mapping.get("params").map(|params| (&params.data, params.span)) {
        Some((NodeData::Mapping(given), span)) => {
            within(reader, name.into(), |reader| parameters(reader, name, given, span))?
        }
        None => Map::new(),
        Some((_, span)) => return bad(reader, span, "`params` must be a map"),
    };
    Some(named(name.into(), parameters, span))
}

/// The parameters of a command. `run` requires a list of `args`.
fn parameters(reader: &mut dyn ValueReader, name: &str, mapping: &Mapping, span: Span) -> Option<Map> {
    if name == "run" {
        match mapping.get("args").map(|args| (&args.data, args.span)) {
            Some((NodeData::Sequence(_), _)) => {}
            Some((_, span)) => return bad(reader, span, "`args` must be a list of strings"),
            None => return bad(reader, span, "`run` needs `args`"),
        }
    }
    let mut values = Vec::with_capacity(mapping.entries.len());
    for entry in &mapping.entries {
        reader.enter_key(Arc::clone(&entry.key));
        let value = match &entry.value.data {
            NodeData::Sequence(words) if name == "run" && &*entry.key == "args" => {
                written(Data::List(each(reader, words, |reader, it| reader.text(it))), entry.value.span)
            }
            _ => reader.any(&entry.value),
        };
        reader.leave();
        values.push((Arc::clone(&entry.key), value));
    }
    Some(map_of(values))
}

/// Reads items.
fn each(
    reader: &mut dyn ValueReader,
    items: &[Node],
    read: impl Fn(&mut dyn ValueReader, &Node) -> Option<Value>,
) -> Vec<Value> {
    let item = |(index, item): (usize, &Node)| {
        reader.enter_item(index);
        let value = read(reader, item);
        reader.leave();
        value
    };
    items.iter().enumerate().filter_map(item).collect()
}

/// Reads something below a key.
fn within<T>(reader: &mut dyn ValueReader, key: Arc<str>, read: impl FnOnce(&mut dyn ValueReader) -> T) -> T {
    reader.enter_key(key);
    let result = read(reader);
    reader.leave();
    result
}

fn bad<T>(reader: &mut dyn ValueReader, span: Span, message: &str) -> Option<T> {
    reader.report(Diagnostic::error(codes::BAD_COMMAND, span, message).help(HELP));
    None
}

fn named(name: Arc<str>, parameters: Map, span: Span) -> Value {
    written(Data::Map(map_of([(name, written(Data::Map(parameters), span))])), span)
}
