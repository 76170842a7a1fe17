use super::Product;
use crate::answer::{Answer, Code, has_errors, json};
use crate::args::{Format, Links, destination};
use crate::console::{Console, Paint};
use crate::load::load_site;
use crate::show;

pub(crate) fn run(args: &Links, console: Console) -> Answer {
    let out = destination(args.out.as_deref());
    let mut loaded = load_site(&args.inputs, &args.bosh, out);
    let mut view = loaded.workspace.links();
    if !loaded.problems.is_empty() {
        view.diagnostics = std::mem::take(&mut loaded.problems);
    }
    let paint = if out.is_some() { Paint { on: false } } else { console.out };
    let text = match args.format {
        Format::Json => json(&view),
        Format::Text if view.links.is_empty() && has_errors(&view.diagnostics) => String::new(),
        Format::Text => show::links::show(&view, args.only, paint, console.room),
    };
    if args.format == Format::Json && out.is_none() {
        return Answer { out: text, code: Code::of(&view.diagnostics), ..Answer::default() };
    }
    Product { text, to: out, diagnostics: view.diagnostics, texts: &loaded.texts }.answer(console)
}
