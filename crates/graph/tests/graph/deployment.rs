//! Small deployments written as text: `web: +db ~net @lan` is a service that names `db` in `depends_on`, takes a
//! value of `net` and lives in `lan`. One line a resource.

use diag::{FileId, Span};
use model::{Address, Data, Dependency, Desired, DesiredResource, EdgeKind, Origin, Pointer, Value};

/// The deployment that the lines describe. Each word has the span of its bytes.
pub(crate) fn desired(text: &str) -> Desired {
    let mut at = 0;
    let mut resources = Vec::new();
    for line in text.split_inclusive('\n') {
        resources.extend(resource(line, at).map(Into::into));
        at += line.len();
    }
    Desired { resources, ..Desired::default() }
}

fn resource(line: &str, start: usize) -> Option<DesiredResource> {
    let (name, needs) = line.trim_end().split_once(':')?;
    let span = |word: &str| {
        let at = (start + word.as_ptr() as usize - line.as_ptr() as usize) as u32;
        Span::new(FileId(0), at, at + word.len() as u32)
    };
    let value = Value::new(Data::Null, Origin::Written(span(name)));
    let dependencies = needs.split_whitespace().enumerate().map(|(idx, word)| Dependency {
        to: Address::new("services", &word[1..]),
        kind: match &word[..1] {
            "+" => EdgeKind::DependsOn,
            "~" => EdgeKind::Reference,
            _ => EdgeKind::Attachment,
        },
        path: Pointer::root().key("needs").index(idx),
        takes: None,
        span: span(word),
    });
    Some(DesiredResource {
        address: Address::new("services", name.trim()),
        kind: "service".into(),
        spec: value.clone(),
        templates: Default::default(),
        declared: span(name),
        dependencies: dependencies.collect(),
        links: Vec::new(),
        packages: Vec::new(),
    })
}

/// A deployment of `count` resources named by number, with these edges.
pub(crate) fn numbered(count: usize, edges: &[(usize, usize, EdgeKind)]) -> Desired {
    let lines = (0..count).map(|node| {
        let needs = edges.iter().filter(|(from, ..)| *from == node).map(|(_, to, kind)| match kind {
            EdgeKind::DependsOn => format!(" +{to}"),
            EdgeKind::Reference => format!(" ~{to}"),
            EdgeKind::Attachment => format!(" @{to}"),
            EdgeKind::Link => format!(" ={to}"),
            EdgeKind::Version => format!(" @{to}"),
        });
        format!("{node}:{}\n", needs.collect::<String>())
    });
    desired(&lines.collect::<String>())
}
