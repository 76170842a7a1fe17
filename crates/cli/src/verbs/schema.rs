use super::Artifact;
use crate::answer::{Answer, has_errors};
use crate::args::{Schema, destination};
use crate::console::Console;
use crate::load::load_types;

pub(crate) fn run(args: &Schema, console: Console) -> Answer {
    let out = destination(args.out.as_deref());
    let mut loaded = load_types(&args.kinds, out);
    let mut text = loaded.workspace.json_schema();
    text.push_str(if text.ends_with('\n') { "" } else { "\n" });
    let mut diagnostics = loaded.problems;
    if diagnostics.is_empty() && !loaded.texts.is_empty() {
        // Only what the definition files say is of interest: there are no descriptors.
        let names: Vec<&str> = loaded.texts.iter().map(|it| it.name.as_str()).collect();
        diagnostics = loaded.workspace.diagnostics().diagnostics;
        diagnostics.retain(|it| it.file.as_deref().is_some_and(|file| names.contains(&file)));
    }
    if has_errors(&diagnostics) {
        // A schema without the kinds that were requested would refuse what is right.
        text.clear();
    }
    Artifact { text, to: out, diagnostics, texts: &loaded.texts, is_private: false }.answer(console)
}
