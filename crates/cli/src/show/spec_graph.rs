//! The graph of resource types: each below its parents, with the fields that refer to others.

use std::collections::BTreeSet;

use workspace::view::{
    DeleteBehavior, KindNodeView, ParentEdgeView, ReferenceEdgeView, ServiceGraphView, ServiceNodeView,
    words::count,
};

use super::width::{clean, pad, width};
use crate::console::Paint;

/// The longest text behind which the effect of a deletion is aligned.
const COLUMN: usize = 66;

/// The services that were requested; those that they import are in the JSON.
pub(crate) fn show(view: &ServiceGraphView, paint: Paint) -> String {
    let services = view.services.iter().filter(|it| !it.is_import);
    let trees = services.map(|service| {
        let mut tree = Tree { view, service, shown: BTreeSet::new(), lines: Vec::new() };
        tree.forest();
        title(view, service, paint) + "\n" + &aligned(&tree.lines, paint)
    });
    trees.collect::<Vec<_>>().join("\n")
}

fn title(view: &ServiceGraphView, service: &ServiceNodeView, paint: Paint) -> String {
    let kinds: BTreeSet<&str> =
        view.kinds.iter().filter(|it| it.service == service.id).map(|it| &*it.id).collect();
    let references = view.references.iter().filter(|it| kinds.contains(&*it.from)).count();
    let name = paint.bold(&format!("{} {}", clean(&service.name), clean(&service.version)));
    let mut text =
        format!("{name}: {}, {}\n", count(kinds.len(), "resource type"), count(references, "reference"));
    for edge in view.imports.iter().filter(|it| it.from == service.id) {
        if let Some(to) = view.services.iter().find(|it| it.id == edge.to) {
            text += &format!("imports {} {}\n", clean(&to.name), clean(&to.version));
        }
    }
    text
}

/// A line of the tree, and the effect of a deletion behind it.
struct Line {
    tree: String,
    text: String,
    deletion: String,
}

/// The tree of one service.
struct Tree<'a> {
    view: &'a ServiceGraphView,
    service: &'a ServiceNodeView,
    /// The types that are described already; elsewhere only their names are shown.
    shown: BTreeSet<&'a str>,
    lines: Vec<Line>,
}

impl<'a> Tree<'a> {
    /// First the types that may be without parent, then the parents in other services.
    fn forest(&mut self) {
        let view = self.view;
        for kind in view.kinds.iter().filter(|it| it.service == self.service.id && it.is_root) {
            self.lines.push(Line {
                tree: String::new(),
                text: self.described(kind),
                deletion: String::new(),
            });
            self.below(kind, "");
        }
        for kind in view.kinds.iter().filter(|it| it.service != self.service.id) {
            if self.children(kind).next().is_some() {
                let text = self.name(&kind.id);
                self.lines.push(Line { tree: String::new(), text, deletion: String::new() });
                self.below(kind, "");
            }
        }
    }

    /// The references of a type and its children, once.
    fn below(&mut self, kind: &'a KindNodeView, tree: &str) {
        if !self.shown.insert(&kind.id) {
            return;
        }
        let children: Vec<(&ParentEdgeView, &KindNodeView)> = self.children(kind).collect();
        let bar = if children.is_empty() { "  " } else { "│ " };
        if kind.service == self.service.id {
            for reference in self.view.references.iter().filter(|it| it.from == kind.id) {
                let text = format!("{} → {}", clean(&reference.field), self.name(&reference.to));
                let deletion = on_target_deleted(reference);
                self.lines.push(Line { tree: format!("{tree}{bar} "), text, deletion });
            }
        }
        for (n, (edge, child)) in children.iter().enumerate() {
            let is_last = n + 1 == children.len();
            let branch = if is_last { "└─ " } else { "├─ " };
            let (text, deletion) = (self.described(child), on_parent_deleted(edge));
            self.lines.push(Line { tree: format!("{tree}{branch}"), text, deletion });
            self.below(child, &format!("{tree}{}", if is_last { "   " } else { "│  " }));
        }
    }

    fn described(&self, kind: &KindNodeView) -> String {
        let again = if self.shown.contains(&*kind.id) { ", see above" } else { "" };
        format!("{}{again}", clean(&kind.name))
    }

    fn children(
        &self,
        kind: &'a KindNodeView,
    ) -> impl Iterator<Item = (&'a ParentEdgeView, &'a KindNodeView)> {
        let (view, service) = (self.view, self.service);
        let edges = view.parents.iter().filter(|it| it.to == kind.id);
        let child = |edge: &'a ParentEdgeView| Some((edge, view.kinds.iter().find(|it| it.id == edge.from)?));
        edges.filter_map(child).filter(|(_, it)| it.service == service.id)
    }

    /// A type, with its service where that is another one.
    fn name(&self, id: &str) -> String {
        let Some(kind) = self.view.kinds.iter().find(|it| it.id == id) else { return clean(id) };
        match self.view.services.iter().find(|it| it.id == kind.service) {
            Some(service) if service.id != self.service.id => {
                format!("{}/{}", clean(&service.name), clean(&kind.name))
            }
            _ => clean(&kind.name),
        }
    }
}

fn on_parent_deleted(edge: &ParentEdgeView) -> String {
    let default = if edge.is_default { " (default)" } else { "" };
    behavior(edge.behavior, edge.effective_behavior, edge.is_stuck) + default
}

fn on_target_deleted(edge: &ReferenceEdgeView) -> String {
    behavior(edge.behavior, edge.effective_behavior, edge.is_stuck)
}

fn behavior(declared: DeleteBehavior, effective: DeleteBehavior, is_stuck: bool) -> String {
    let later = if declared == effective { "" } else { ", done later" };
    let stuck = if is_stuck { ", can get stuck" } else { "" };
    format!("{declared}{later}{stuck}")
}

fn aligned(lines: &[Line], paint: Paint) -> String {
    let length = |it: &Line| width(&it.tree) + width(&it.text);
    let usual =
        lines.iter().filter(|it| !it.deletion.is_empty()).map(length).filter(|length| *length <= COLUMN);
    let column = usual.max().unwrap_or(0);
    let shown = |it: &Line| {
        let text = if it.deletion.is_empty() {
            it.text.clone()
        } else {
            pad(&it.text, column.saturating_sub(width(&it.tree))) + "  "
        };
        format!("{}{text}{}\n", paint.dim(&it.tree), paint.dim(&it.deletion))
    };
    lines.iter().map(shown).collect()
}
