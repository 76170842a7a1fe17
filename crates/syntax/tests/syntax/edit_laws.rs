//! An edit changes exactly what it should and keeps the comments of everything else.

use std::fmt::Write as _;
use std::sync::Arc;

use diag::{FileId, Span, apply_edits};
use planloom_syntax::edit::{insert, remove, rename_key, set};
use planloom_syntax::{Entry, Limits, Mapping, Node, NodeData, Style, parse};
use proptest::prelude::*;

const FILE: FileId = FileId(0);

/// More cases than usual, as they are quick; `PROPTEST_CASES` still counts.
fn many() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases.saturating_mul(8), failure_persistence: None, ..usual }
}

/// A document before it is written.
#[derive(Clone, Debug)]
enum Value {
    Leaf(&'static str),
    List(Vec<Value>),
    Map(Vec<(String, Value)>),
}

const LEAVES: [&str; 10] =
    ["1", "x y", "'it''s'", "\"a: b\"", "", "~", "1.5", "|\n  text\n   more", ">-\n  folded\n  text", "no"];
const INLINE_LEAVES: usize = 7;

/// Choices of style, one after the other, from a seed.
struct Choices(u64);

impl Choices {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

/// Writes a document with numbered comments, and remembers which path each belongs to.
struct Writer {
    out: String,
    choices: Choices,
    step: usize,
    comments: Vec<(Vec<String>, String)>,
}

impl Writer {
    fn comment(&mut self, owner: &[String]) -> String {
        let comment = format!("# comment {} é", self.comments.len());
        self.comments.push((owner.to_vec(), comment.clone()));
        comment
    }

    fn above(&mut self, owner: &[String], indent: usize) {
        if self.choices.below(4) == 0 {
            let comment = self.comment(owner);
            writeln!(self.out, "{}{comment}", " ".repeat(indent)).unwrap();
        }
    }

    fn behind(&mut self, owner: &[String]) {
        if self.choices.below(4) == 0 {
            let comment = self.comment(owner);
            write!(self.out, " {comment}").unwrap();
        }
    }

    /// The value behind a key or dash, up to and with the line break.
    fn value(&mut self, value: &Value, path: &[String], indent: usize, in_list: bool) {
        match value {
            Value::Leaf(text) => match text.split_once('\n') {
                None => {
                    let gap = if text.is_empty() { "" } else { " " };
                    write!(self.out, "{gap}{text}").unwrap();
                    self.behind(path);
                    self.out.push('\n');
                }
                Some((head, rest)) => {
                    write!(self.out, " {head}").unwrap();
                    self.behind(path);
                    self.out.push('\n');
                    for line in rest.lines() {
                        writeln!(self.out, "{}{line}", " ".repeat(indent)).unwrap();
                    }
                }
            },
            Value::List(items) if items.is_empty() => self.flow_line(value, path),
            Value::Map(entries) if entries.is_empty() => self.flow_line(value, path),
            _ if self.choices.below(5) == 0 => self.flow_line(value, path),
            // On the line of the dash.
            _ if in_list && self.choices.below(3) > 0 => {
                let start = self.out.len();
                self.block(value, path, indent + 2);
                let comments_first = self.out[start..].trim_start().starts_with('#');
                if comments_first {
                    self.out.insert(start, '\n');
                } else {
                    self.out.replace_range(start..start + indent + 2, " ");
                }
            }
            _ => {
                self.behind(path);
                self.out.push('\n');
                let deeper = match value {
                    Value::List(_) if !in_list && self.choices.below(2) == 0 => 0,
                    _ => self.step,
                };
                self.block(value, path, indent + deeper);
            }
        }
    }

    fn flow_line(&mut self, value: &Value, path: &[String]) {
        self.out.push(' ');
        self.flow(value);
        self.behind(path);
        self.out.push('\n');
    }

    fn flow(&mut self, value: &Value) {
        match value {
            Value::Leaf(text) => {
                self.out.push_str(if text.contains('\n') || text.is_empty() { "~" } else { text })
            }
            Value::List(items) => {
                self.out.push('[');
                for (idx, item) in items.iter().enumerate() {
                    self.out.push_str(if idx > 0 { ", " } else { "" });
                    self.flow(item);
                }
                self.out.push(']');
            }
            Value::Map(entries) => {
                self.out.push('{');
                for (idx, (key, value)) in entries.iter().enumerate() {
                    write!(self.out, "{}{key}: ", if idx > 0 { ", " } else { "" }).unwrap();
                    self.flow(value);
                }
                self.out.push('}');
            }
        }
    }

    fn block(&mut self, value: &Value, path: &[String], indent: usize) {
        let pad = " ".repeat(indent);
        match value {
            Value::Leaf(_) => unreachable!(),
            Value::List(items) => {
                for (idx, item) in items.iter().enumerate() {
                    let path = [path, &[idx.to_string()]].concat();
                    self.above(&path, indent);
                    write!(self.out, "{pad}-").unwrap();
                    self.value(item, &path, indent, true);
                }
            }
            Value::Map(entries) => {
                for (key, value) in entries {
                    let path = [path, std::slice::from_ref(key)].concat();
                    self.above(&path, indent);
                    write!(self.out, "{pad}{key}:").unwrap();
                    self.value(value, &path, indent, false);
                    if self.choices.below(6) == 0 {
                        self.out.push('\n');
                    }
                }
            }
        }
    }
}

/// A written document: its text and whose comments it has.
#[derive(Clone, Debug)]
struct Written {
    text: String,
    comments: Vec<(Vec<String>, String)>,
}

fn write_document(value: &Value, seed: u64) -> Written {
    let mut choices = Choices(seed);
    let step = [2, 2, 4, 3][choices.below(4) as usize];
    let mut writer = Writer { out: String::new(), choices, step, comments: Vec::new() };
    match value {
        Value::Leaf(_) => writer.value(value, &[], 0, false),
        Value::List(items) if items.is_empty() => writer.flow_line(value, &[]),
        Value::Map(entries) if entries.is_empty() => writer.flow_line(value, &[]),
        _ => writer.block(value, &[], 0),
    }
    let mut text = writer.out;
    if writer.choices.below(4) == 0 {
        text.truncate(text.trim_end_matches('\n').len());
    }
    if writer.choices.below(4) == 0 {
        text = text.replace('\n', "\r\n");
    }
    Written { text, comments: writer.comments }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop::sample::select(LEAVES.to_vec()).prop_map(Value::Leaf);
    leaf.prop_recursive(4, 24, 4, |inner| {
        let entries = prop::collection::btree_map("[a-d]|key|sub-key", inner.clone(), 0..4);
        prop_oneof![
            2 => entries.prop_map(|entries| Value::Map(entries.into_iter().collect())),
            1 => prop::collection::vec(inner, 0..4).prop_map(Value::List),
        ]
    })
    .prop_filter("a collection at the root", |it| !matches!(it, Value::Leaf(_)))
}

/// A value to put in, as YAML.
fn new_value() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "7",
        "new",
        "\"q: q\"",
        "a, b",
        "[x, {y: z}]",
        "{}",
        "k: 1\nl:\n  - 2\n",
        "- 1\n- m: 2\n  n: 3\n",
        "|\n  lit\n  eral\n",
        "",
    ])
}

fn read(text: &str) -> Node {
    parse(FILE, text, &Limits::default()).document.root.unwrap_or_else(null)
}

fn null() -> Node {
    Node::new(NodeData::Null, Span::default())
}

/// Every path in a tree, parents before children.
fn paths(node: &Node, path: &[String], found: &mut Vec<Vec<String>>) {
    let mut add = |segment: String, child: &Node| {
        let path = [path, &[segment]].concat();
        found.push(path.clone());
        paths(child, &path, found);
    };
    match &node.data {
        NodeData::Mapping(mapping) => {
            mapping.entries.iter().for_each(|entry| add(entry.key.to_string(), &entry.value));
        }
        NodeData::Sequence(items) => {
            items.iter().enumerate().for_each(|(idx, item)| add(idx.to_string(), item))
        }
        _ => {}
    }
}

/// Changes the collection that holds the last segment of a path.
fn change(root: &Node, path: &[String], apply: &dyn Fn(&mut Node, &str)) -> Node {
    let mut tree = root.clone();
    let mut node = &mut tree;
    let (last, parents) = path.split_last().unwrap();
    for segment in parents {
        node = match &mut node.data {
            NodeData::Mapping(mapping) => {
                let mapping: &mut Mapping = Arc::make_mut(mapping);
                &mut mapping.entries.iter_mut().find(|it| *it.key == **segment).unwrap().value
            }
            NodeData::Sequence(items) => &mut Arc::make_mut(items)[segment.parse::<usize>().unwrap()],
            _ => unreachable!(),
        };
    }
    apply(node, last);
    tree
}

/// Checks the edited text: the tree, its spans' line breaks, and that all comments but those below `gone` are there.
fn check(
    document: &Written,
    edits: &[diag::TextEdit],
    expected: &Node,
    gone: impl Fn(&[String]) -> bool,
) -> Result<(), TestCaseError> {
    let edited = apply_edits(&document.text, edits);
    let parse = parse(FILE, &edited, &Limits::default());
    let root = parse.document.root.unwrap_or_else(null);
    prop_assert!(!parse.document.partial && root.same_value(expected), "{}\n=>\n{}", document.text, edited);
    let comments: Vec<&str> =
        parse.document.comments.iter().map(|it| &edited[it.start as usize..it.end as usize]).collect();
    for (owner, comment) in &document.comments {
        let kept = comments.iter().filter(|it| *it == comment).count();
        prop_assert!(kept == 1 || (kept == 0 && gone(owner)), "{comment}: {}\n=>\n{}", document.text, edited);
    }
    if document.text.contains("\r\n") {
        prop_assert!(!edited.replace("\r\n", "").contains('\n'), "{edited:?}");
    }
    Ok(())
}

fn some_path(root: &Node, pick: prop::sample::Index) -> Option<Vec<String>> {
    let mut found = Vec::new();
    paths(root, &[], &mut found);
    if found.is_empty() { None } else { Some(pick.get(&found).clone()) }
}

proptest! {
    #![proptest_config(many())]

    #[test]
    fn set_replaces_one_value(value in value(), seed in any::<u64>(), pick in any::<prop::sample::Index>(), new in new_value()) {
        let document = write_document(&value, seed);
        let root = read(&document.text);
        let Some(path) = some_path(&root, pick) else { return Ok(()) };
        let expected = change(&root, &path, &|holder, segment| match &mut holder.data {
            NodeData::Mapping(mapping) => {
                Arc::make_mut(mapping).entries.iter_mut().find(|it| *it.key == *segment).unwrap().value = read(new);
            }
            NodeData::Sequence(items) => Arc::make_mut(items)[segment.parse::<usize>().unwrap()] = read(new),
            _ => unreachable!(),
        });
        let edits = set(FILE, &document.text, &path, new);
        prop_assert!(edits.is_ok(), "{:?} {path:?} {new:?}\n{}", edits, document.text);
        check(&document, &edits.unwrap(), &expected, |owner| owner.len() > path.len() && owner.starts_with(&path))?;
    }

    #[test]
    fn set_adds_what_is_missing(value in value(), seed in any::<u64>(), pick in any::<prop::sample::Index>(), new in new_value(), deeper in 0_usize..3) {
        let document = write_document(&value, seed);
        let root = read(&document.text);
        let mut holders = vec![vec![]];
        paths(&root, &[], &mut holders);
        let is_map = |path: &Vec<String>| {
            let node = path.iter().try_fold(&root, |node, segment| match &node.data {
                NodeData::Mapping(mapping) => mapping.get(segment),
                NodeData::Sequence(items) => items.get(segment.parse::<usize>().ok()?),
                _ => None,
            });
            node.is_some_and(|it| it.as_mapping().is_some())
        };
        holders.retain(is_map);
        if holders.is_empty() {
            return Ok(());
        }
        let mut path = pick.get(&holders).clone();
        path.push("fresh".to_owned());
        path.extend((0..deeper).map(|depth| format!("deep {depth}")));
        let leaf = (0..deeper).rev().fold(read(new), |value, depth| {
            let key: Arc<str> = format!("deep {depth}").into();
            let entries = vec![Entry { key, key_span: Span::default(), value }];
            Node::new(NodeData::Mapping(Arc::new(Mapping { entries })), Span::default())
        });
        let expected = change(&root, &path[..path.len() - deeper], &|holder, segment| match &mut holder.data {
            NodeData::Mapping(mapping) => Arc::make_mut(mapping).entries.push(Entry {
                key: segment.into(),
                key_span: Span::default(),
                value: leaf.clone(),
            }),
            _ => unreachable!(),
        });
        let edits = set(FILE, &document.text, &path, new);
        prop_assert!(edits.is_ok(), "{:?} {path:?} {new:?}\n{}", edits, document.text);
        check(&document, &edits.unwrap(), &expected, |_| false)?;
    }

    #[test]
    fn remove_takes_one_entry(value in value(), seed in any::<u64>(), pick in any::<prop::sample::Index>()) {
        let document = write_document(&value, seed);
        let root = read(&document.text);
        let Some(path) = some_path(&root, pick) else { return Ok(()) };
        let expected = change(&root, &path, &|holder, segment| match &mut holder.data {
            NodeData::Mapping(mapping) => Arc::make_mut(mapping).entries.retain(|it| *it.key != *segment),
            NodeData::Sequence(items) => drop(Arc::make_mut(items).remove(segment.parse::<usize>().unwrap())),
            _ => unreachable!(),
        });
        let edits = remove(FILE, &document.text, &path);
        prop_assert!(edits.is_ok(), "{:?} {path:?}\n{}", edits, document.text);
        check(&document, &edits.unwrap(), &expected, |owner| owner.starts_with(&path))?;
    }

    #[test]
    fn rename_changes_one_key(value in value(), seed in any::<u64>(), pick in any::<prop::sample::Index>(), key in "[ -~é]{0,5}") {
        let document = write_document(&value, seed);
        let root = read(&document.text);
        let mut found = Vec::new();
        paths(&root, &[], &mut found);
        found.retain(|it| it.last().unwrap().parse::<usize>().is_err());
        if found.is_empty() || key.len() == 1 {
            return Ok(());
        }
        let path = pick.get(&found).clone();
        let expected = change(&root, &path, &|holder, segment| match &mut holder.data {
            NodeData::Mapping(mapping) => {
                let entries = &mut Arc::make_mut(mapping).entries;
                entries.iter_mut().find(|it| *it.key == *segment).unwrap().key = key.as_str().into();
            }
            _ => unreachable!(),
        });
        let edits = rename_key(FILE, &document.text, &path, &key);
        prop_assert!(edits.is_ok(), "{:?} {path:?} {key:?}\n{}", edits, document.text);
        check(&document, &edits.unwrap(), &expected, |_| false)?;
    }

    #[test]
    fn insert_adds_one_item(value in value(), seed in any::<u64>(), pick in any::<prop::sample::Index>(), new in new_value()) {
        let document = write_document(&value, seed);
        let root = read(&document.text);
        let mut found = Vec::new();
        paths(&root, &[], &mut found);
        found.retain(|it| it.last().unwrap().parse::<usize>().is_ok());
        if found.is_empty() {
            return Ok(());
        }
        let path = pick.get(&found).clone();
        let expected = change(&root, &path, &|holder, segment| match &mut holder.data {
            NodeData::Sequence(items) => Arc::make_mut(items).insert(segment.parse().unwrap(), read(new)),
            _ => unreachable!(),
        });
        let edits = insert(FILE, &document.text, &path, new);
        prop_assert!(edits.is_ok(), "{:?} {path:?} {new:?}\n{}", edits, document.text);
        check(&document, &edits.unwrap(), &expected, |_| false)?;
    }

    #[test]
    fn edits_of_any_text_never_panic(text in "[ -~\n\té]{0,40}", at in "[a-z0-9/]{0,5}", value in "[ -~\n]{0,10}") {
        let path: Vec<String> = at.split('/').map(str::to_owned).collect();
        let edits = [
            set(FILE, &text, &path, &value),
            insert(FILE, &text, &path, &value),
            remove(FILE, &text, &path),
            rename_key(FILE, &text, &path, &value),
        ];
        for edits in edits.into_iter().flatten() {
            let _ = apply_edits(&text, &edits);
        }
    }
}

#[test]
fn the_writer_writes_what_it_says() {
    // The laws above are worth something only if documents have comments, blocks and brackets.
    let nested = Value::Map(vec![("a".to_owned(), Value::List(LEAVES.map(Value::Leaf).to_vec()))]);
    let texts: Vec<Written> = (0..50).map(|seed| write_document(&nested, seed * 7_919)).collect();
    assert!(texts.iter().any(|it| it.comments.len() > 2));
    assert!(texts.iter().any(|it| it.text.contains("- |")));
    assert!(texts.iter().any(|it| it.text.contains("[1, x y")));
    assert!(LEAVES[..INLINE_LEAVES].iter().all(|it| !it.contains('\n')));
    let style = Style::Literal;
    assert!(texts.iter().any(|it| {
        let root = read(&it.text);
        matches!(root.get("a").and_then(Node::as_sequence).map(|it| it[7].data.clone()),
            Some(NodeData::String(text, found)) if found == style && &*text == "text\n more\n")
    }));
}
