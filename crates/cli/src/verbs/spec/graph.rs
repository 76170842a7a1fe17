//! The graph of resource types.

use services::Questions as _;
use workspace::view::{DiagnosticView, ServiceGraphFormat};

use super::{read, report_unread};
use crate::answer::{Answer, Code, has_errors, json};
use crate::args::{SpecGraph, SpecGraphFormat};
use crate::console::Console;
use crate::{show, verbs::Artifact};

pub(crate) fn run(args: &SpecGraph, console: Console) -> Answer {
    let mut loaded = read(&args.source);
    let mut view = loaded.workspace.service_graph();
    report_unread(&mut loaded, &mut view.diagnostics);
    let diagnostics: Vec<DiagnosticView> = view.diagnostics.iter().map(|it| it.diagnostic.clone()).collect();
    let mut text = |format| loaded.workspace.service_graph_text(format);
    let text = match args.format {
        SpecGraphFormat::Json => {
            return Answer { out: json(&view), code: Code::of(&diagnostics), ..Answer::default() };
        }
        _ if has_errors(&diagnostics) => String::new(),
        SpecGraphFormat::Text => show::spec_graph::show(&view, console.out),
        SpecGraphFormat::Dot => text(ServiceGraphFormat::Dot),
        SpecGraphFormat::Mermaid => text(ServiceGraphFormat::Mermaid),
    };
    Artifact { text, to: None, diagnostics, texts: &loaded.texts, is_private: false }.answer(console)
}
