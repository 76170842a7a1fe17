//! The graph of kinds in the languages of Graphviz and Mermaid.

use graph::{Dot, Mermaid, dot, mermaid};
use workspace::view::{
    KindNodeView, ParentEdgeView, ReferenceEdgeView, ServiceGraphFormat, ServiceGraphView, ServiceNodeView,
};

/// The text that is added to an edge that can block a deletion for ever.
const STUCK: &str = "can get stuck";

/// The graph in one of them.
pub(crate) fn text(view: &ServiceGraphView, format: ServiceGraphFormat) -> String {
    match format {
        ServiceGraphFormat::Dot => to_dot(view),
        ServiceGraphFormat::Mermaid => to_mermaid(view),
    }
}

/// Parents are bold, references solid, imports dashed; what can block a deletion for ever is red.
fn to_dot(view: &ServiceGraphView) -> String {
    let mut drawing = Dot::new("services", "RL");
    drawing.statement("node [shape=box]");
    for it in importing(view) {
        drawing.node(&it.id, &[("shape", "folder"), ("label", &dot::quoted_lines(&[&it.name, &it.version]))]);
    }
    for it in &view.kinds {
        drawing.node(&it.id, &[("label", &dot::quoted_lines(&[&it.name, &it.service]))]);
    }
    for it in &view.parents {
        let label = dot::quoted_lines(&lines(&parent_label(it), it.is_stuck));
        let mut attributes = vec![("style", "bold"), ("label", &*label)];
        attributes.extend(it.is_stuck.then_some(("color", "red")));
        drawing.edge(&it.from, &it.to, &attributes);
    }
    for it in &view.references {
        let label = dot::quoted_lines(&lines(&reference_label(it), it.is_stuck));
        let mut attributes = vec![("style", "solid"), ("label", &*label)];
        attributes.extend(it.is_stuck.then_some(("color", "red")));
        drawing.edge(&it.from, &it.to, &attributes);
    }
    for it in &view.imports {
        drawing.edge(&it.from, &it.to, &[("style", "dashed")]);
    }
    drawing.finish()
}

/// Parents have thick arrows, imports dotted ones.
fn to_mermaid(view: &ServiceGraphView) -> String {
    let mut chart = Mermaid::new("RL");
    let services: Vec<&ServiceNodeView> = importing(view).collect();
    for (n, it) in services.iter().enumerate() {
        let label = format!("{} {}", it.name, it.version);
        chart.node(&format!("s{n}"), mermaid::Outline::Rounded, &label);
    }
    for (n, it) in view.kinds.iter().enumerate() {
        chart.node(&format!("k{n}"), mermaid::Outline::Box, &kind_label(view, it));
    }
    let kind = |id: &str| position("k", view.kinds.iter().map(|it| &*it.id), id);
    for it in &view.parents {
        let label = mermaid::label(&lines(&parent_label(it), it.is_stuck).join(", "));
        chart.edge(&kind(&it.from), &format!("==>{label}"), &kind(&it.to));
    }
    for it in &view.references {
        let label = mermaid::label(&lines(&reference_label(it), it.is_stuck).join(", "));
        chart.edge(&kind(&it.from), &format!("-->{label}"), &kind(&it.to));
    }
    let service = |id: &str| position("s", services.iter().map(|it| &*it.id), id);
    for it in &view.imports {
        chart.edge(&service(&it.from), "-.->|imports|", &service(&it.to));
    }
    chart.finish()
}

/// The services that import or are imported; of others, nothing would be said but their name.
fn importing(view: &ServiceGraphView) -> impl Iterator<Item = &ServiceNodeView> {
    let is_in = |id: &str| view.imports.iter().any(|it| it.from == id || it.to == id);
    view.services.iter().filter(move |it| is_in(&it.id))
}

/// The name, with the service where there are several.
fn kind_label(view: &ServiceGraphView, kind: &KindNodeView) -> String {
    if view.services.len() > 1 { format!("{} ({})", kind.name, kind.service) } else { kind.name.clone() }
}

fn position<'a>(letter: &str, mut ids: impl Iterator<Item = &'a str>, id: &str) -> String {
    format!("{letter}{}", ids.position(|it| it == id).unwrap_or_default())
}

fn parent_label(edge: &ParentEdgeView) -> Vec<&str> {
    let optional = edge.is_optional.then_some("optional parent");
    vec![optional.unwrap_or("parent"), edge.effective_behavior.as_str()]
}

fn reference_label(edge: &ReferenceEdgeView) -> Vec<&str> {
    vec![&edge.field, edge.effective_behavior.as_str()]
}

fn lines<'a>(label: &[&'a str], is_stuck: bool) -> Vec<&'a str> {
    label.iter().copied().chain(is_stuck.then_some(STUCK)).collect()
}
