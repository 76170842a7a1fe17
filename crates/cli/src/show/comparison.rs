//! The differences between two sides, as text.

use serde_json::Value as Json;
use workspace::view::{
    ChangeOriginView, ComparisonView, EdgeDifferenceView, ResourceDifferenceView, ValueDifferenceView,
};

use crate::console::{Console, Paint, colour, printable};
use crate::show::value::HIDDEN;
use crate::show::width::wrap;

/// The sentence, then resources with their values, dependencies, and other values.
pub(crate) fn show(found: &ComparisonView, [before, after]: [String; 2], console: Console) -> String {
    let sentence = found.sentence(&printable(&before), &printable(&after));
    let mut text =
        wrap(&sentence, console.width).iter().map(|it| console.out.bold(it) + "\n").collect::<String>();
    if !found.resources.is_empty() {
        text.push('\n');
    }
    found.resources.iter().for_each(|it| text += &resource(it, console.out));
    if !found.edges.is_empty() {
        text += &format!("\n{}\n", console.out.bold("dependencies"));
    }
    found.edges.iter().for_each(|it| text += &edge(it, console.out));
    if !found.document.is_empty() {
        text += &format!("\n{}\n", console.out.bold("other values"));
    }
    found.document.iter().for_each(|it| text += &value(it, "  ", console.out));
    text
}

fn resource(of: &ResourceDifferenceView, paint: Paint) -> String {
    let symbol = match of.change {
        Some(change) => paint.strong(colour(change.tone()), change.symbol()),
        None => "=".to_owned(),
    };
    let effect = of.action.map(|it| format!(": {}", it.as_str())).unwrap_or_default();
    let reason = of.reason.as_ref().map(|it| format!(", {}", printable(it))).unwrap_or_default();
    let values: String = of.values.iter().map(|it| value(it, "    ", paint)).collect();
    format!("{symbol} {}{effect}{}\n{values}", paint.bold(&printable(&of.address)), paint.dim(&reason))
}

fn edge(of: &EdgeDifferenceView, paint: Paint) -> String {
    let symbol = paint.strong(colour(of.change.tone()), of.change.symbol());
    let at = format!("{}:{}", of.origin.file, of.origin.line);
    format!("{symbol} {} needs {}  {}\n", printable(&of.from), printable(&of.to), paint.dim(&printable(&at)))
}

/// The place of a value, and the value of each side that has one.
fn value(of: &ValueDifferenceView, indent: &str, paint: Paint) -> String {
    let side = |sign: &str, value: &Json, origin: &Option<ChangeOriginView>| {
        let shown = match value {
            _ if of.sensitive => HIDDEN.to_owned(),
            Json::Null => return String::new(),
            value => printable(&value.to_string()),
        };
        let place = origin.as_ref().map(|it| format!(" ({}:{})", it.location.file, it.location.line));
        format!("{indent}  {sign} {shown}{}\n", paint.dim(&printable(&place.unwrap_or_default())))
    };
    let tag = if of.forces_rebuild { "  forces rebuild" } else { "" };
    let (before, after) = (side("-", &of.before, &of.before_origin), side("+", &of.after, &of.after_origin));
    format!("{indent}{}{tag}\n{before}{after}", printable(&of.path))
}
