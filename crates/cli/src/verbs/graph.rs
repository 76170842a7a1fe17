use super::Artifact;
use crate::answer::{Answer, Code, has_errors, json};
use crate::args::{Graph, GraphFormat, destination};
use crate::conceal::concealed;
use crate::console::{Console, Paint};
use crate::load::load;
use crate::show;
use workspace::view;

pub(crate) fn run(args: &Graph, console: Console) -> Answer {
    let out = destination(args.out.as_deref());
    let mut loaded = load(&args.inputs, out);
    let mut view = loaded.workspace.graph();
    if !loaded.problems.is_empty() {
        view.diagnostics = std::mem::take(&mut loaded.problems);
    }
    let paint = if out.is_some() { Paint { on: false } } else { console.out };
    let mut drawn = |format| loaded.workspace.graph_text(format);
    let text = match args.format {
        GraphFormat::Json => {
            view.diagnostics = concealed(&view.diagnostics, &loaded.texts).0;
            json(&view)
        }
        _ if view.nodes.is_empty() && has_errors(&view.diagnostics) => String::new(),
        GraphFormat::Text => show::graph::show(&view, paint),
        GraphFormat::Dot => drawn(view::GraphFormat::Dot),
        GraphFormat::Mermaid => drawn(view::GraphFormat::Mermaid),
        GraphFormat::Svg => drawn(view::GraphFormat::Svg),
    };
    if args.format == GraphFormat::Json && out.is_none() {
        return Answer { out: text, code: Code::of(&view.diagnostics), ..Answer::default() };
    }
    Artifact { text, to: out, diagnostics: view.diagnostics, texts: &loaded.texts, is_private: false }
        .answer(console)
}
