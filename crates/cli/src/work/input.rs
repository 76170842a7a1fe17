//! Reports the type of the input files before anything is done with them: a saved plan may have the name of a
//! descriptor.

use report::codes;
use std::path::PathBuf;

use serde_json::{Value as Json, json};
use workspace::engine::Planner as _;
use workspace::view::DiagnosticView;
use workspace::{Deployment, File};

use crate::args::Format;
use crate::console::write_out;
use crate::files::name;
use crate::problem::problem;
use crate::saved::{Saved, is_plan};
use crate::show::width::clean;

/// Reports that the file is a saved plan, with its deployment and date.
pub(crate) fn of_plan(saved: &Saved, files: &[PathBuf], format: Format) {
    let name = files.first().map(|it| name(it)).unwrap_or_default();
    let text = format!("`{}` is {}.\n", clean(&name), saved.description());
    tell(format, &text, &saved.event(&name));
}

/// Reports the deployment of the descriptors.
pub(crate) fn of_descriptors(deployment: &Deployment, files: &[PathBuf], format: Format) {
    if files.is_empty() {
        return;
    }
    let names: Vec<String> = files.iter().map(|it| name(it)).collect();
    let deployed = deployment.desired().deployment.as_deref().map(ToOwned::to_owned);
    let deployment =
        deployed.as_ref().map_or_else(|| "Unnamed deployment".into(), |it| format!("Deployment `{it}`"));
    let from = match &names[..] {
        [name] => format!("`{name}`"),
        names => format!("{} files", names.len()),
    };
    let event = json!({"type": "input", "input": "descriptors", "files": names, "deployment": deployed});
    tell(format, &format!("{} from {}.\n", clean(&deployment), clean(&from)), &event);
}

fn tell(format: Format, text: &str, event: &Json) {
    // A closed output does not change the result.
    drop(match format {
        Format::Text => write_out(text),
        Format::Json => write_out(&format!("{event}\n")),
    });
}

/// The problem that a saved plan is among the descriptors.
pub(crate) fn misplaced_plan(texts: &[File]) -> Option<DiagnosticView> {
    let found = texts.iter().find(|it| is_plan(&it.text))?;
    let message = format!("`{}` is a saved plan, not a descriptor", found.name);
    let help = "nothing was done; give only the file of the plan";
    Some(problem(codes::BAD_PLAN, Some(&found.name), message, help))
}
