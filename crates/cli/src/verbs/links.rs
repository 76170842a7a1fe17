use report::codes;
use std::path::Path;

use linking::Questions as _;
use serde_json::Value as Json;
use workspace::File;
use workspace::view::{DiagnosticView, EarlierLinks, LinksView};

use super::Artifact;
use crate::answer::{Answer, Code, has_errors, json};
use crate::args::{Format, Links, destination};
use crate::conceal::concealed;
use crate::console::{Console, Paint};
use crate::files::{name, overwritten, read_text};
use crate::load::{Loaded, load_site};
use crate::problem::problem;
use crate::show;

pub(crate) fn run(args: &Links, console: Console) -> Answer {
    let out = destination(args.out.as_deref());
    let mut loaded = load_site(&args.inputs, &args.bosh, out);
    loaded.problems.extend(overwritten(out, args.since.iter().chain(&args.template)));
    if let (Some(owner), Some(template)) = (&args.preview, &args.template) {
        return preview(args, loaded, owner, template, console);
    }
    let mut view = links(&mut loaded, args.since.as_deref());
    if args.format == Format::Json {
        view.diagnostics = concealed(&view.diagnostics, &loaded.texts).0;
    }
    let paint = if out.is_some() { Paint { on: false } } else { console.out };
    let text = match args.format {
        Format::Json => json(&view),
        Format::Text if view.links.is_empty() && has_errors(&view.diagnostics) => String::new(),
        Format::Text => show::links::show(&view, args.only, paint, console.room),
    };
    answer(args, text, view.diagnostics, &loaded.texts, console)
}

/// The answer: JSON on standard output holds its diagnostics; in other formats they are written beside the text.
fn answer(
    args: &Links,
    text: String,
    diagnostics: Vec<DiagnosticView>,
    texts: &[File],
    console: Console,
) -> Answer {
    let out = destination(args.out.as_deref());
    if args.format == Format::Json && out.is_none() {
        return Answer { out: text, code: Code::of(&diagnostics), ..Answer::default() };
    }
    Artifact { text, to: out, diagnostics, texts, is_private: true }.answer(console)
}

fn links(loaded: &mut Loaded, since: Option<&Path>) -> LinksView {
    let before = since.and_then(|path| match earlier(loaded, path) {
        Ok(before) => Some(before),
        Err(problem) => {
            loaded.problems.push(*problem);
            None
        }
    });
    let mut view = match before {
        Some(before) => loaded.workspace.links_since(&before),
        None => loaded.workspace.links(),
    };
    if !loaded.problems.is_empty() {
        view.diagnostics = std::mem::take(&mut loaded.problems);
    }
    view
}

/// An earlier answer of this command.
fn earlier(loaded: &mut Loaded, path: &Path) -> Result<EarlierLinks, Box<DiagnosticView>> {
    let text = read_text(&mut loaded.stdin, path)?;
    let name = name(path);
    let refused = |why: String| {
        let message = format!("`{name}` holds no links that can be compared: {why}");
        let help = "give what `planloom links --format json` wrote";
        Box::new(problem(codes::NOT_LINKS, Some(&name), message, help))
    };
    let json: Json =
        serde_json::from_str(&text).map_err(|error| refused(format!("it is not JSON: {error}")))?;
    match json["format"].as_str() {
        Some("planloom.links/1") => {
            serde_json::from_value(json).map_err(|error| refused(format!("it is incomplete: {error}")))
        }
        Some(other) => Err(refused(format!("its format is `{other}`"))),
        None => Err(refused("it has no `format`".into())),
    }
}

/// A template filled in, instead of links.
fn preview(args: &Links, mut loaded: Loaded, owner: &str, template: &Path, console: Console) -> Answer {
    let text = match read_text(&mut loaded.stdin, template) {
        Ok(text) => text,
        Err(problem) => {
            loaded.problems.push(*problem);
            String::new()
        }
    };
    let name = name(template);
    let mut view = loaded.workspace.preview_template(owner, &name, &text);
    if !loaded.problems.is_empty() {
        (view.text, view.diagnostics) = (None, std::mem::take(&mut loaded.problems));
    }
    loaded.texts.push(File { name, text, package: None });
    let shown = match args.format {
        Format::Json => json(&view),
        Format::Text => view.text.clone().unwrap_or_default(),
    };
    answer(args, shown, view.diagnostics, &loaded.texts, console)
}
