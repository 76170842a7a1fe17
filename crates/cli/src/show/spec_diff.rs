//! The changes between two versions of a service, the breaking ones first.

use workspace::view::{ServiceChangeClass, ServiceChangeView, ServiceDiffView, words::count};

use crate::console::{Console, Paint, colour};
use crate::show::width::wrap;

pub(crate) fn show(view: &ServiceDiffView, console: Console) -> String {
    let versions =
        if view.old == view.new { view.old.clone() } else { format!("{} → {}", view.old, view.new) };
    let title = console.out.bold(&format!("{} {versions}", view.service));
    let mut text = format!("{title}: {}\n", summary(view));
    for class in ServiceChangeClass::BY_RISK {
        let changes: Vec<_> = view.changes.iter().filter(|it| it.class == class).collect();
        if !changes.is_empty() {
            text += &format!("\n{}\n", console.out.bold(class.heading()));
            changes.into_iter().for_each(|it| text += &change(it, console));
        }
    }
    text
}

fn summary(view: &ServiceDiffView) -> String {
    let number = |class| view.changes.iter().filter(|it| it.class == class).count();
    let counted = ServiceChangeClass::BY_RISK.into_iter().map(|it| (number(it), it));
    let counted = counted.filter(|(number, _)| *number > 0);
    let parts: Vec<String> = counted.map(|(number, class)| format!("{number} {}", class.label())).collect();
    if parts.is_empty() {
        return "no changes".to_owned();
    }
    format!("{} ({})", count(view.changes.len(), "change"), parts.join(", "))
}

/// One line for the change; below it why it has its class, except where it follows from others, and what to do, except where
/// it is compatible.
fn change(change: &ServiceChangeView, console: Console) -> String {
    let (class, paint) = (change.class, console.out);
    let symbol = paint.strong(colour(class.tone()), class.symbol());
    let mut text = format!("  {symbol} {}: {}\n", change.item, change.change.label());
    text += &values(change, paint);
    let room = console.width.saturating_sub(6).max(40);
    let lines = explanation(change).into_iter().flat_map(|it| wrap(&it, room));
    lines.for_each(|it| text += &format!("      {}\n", paint.dim(&it)));
    text
}

fn explanation(change: &ServiceChangeView) -> Vec<String> {
    match change.class {
        ServiceChangeClass::FollowsNames => Vec::new(),
        ServiceChangeClass::Compatible => vec![change.reason.clone()],
        ServiceChangeClass::Breaking | ServiceChangeClass::Unsupported | ServiceChangeClass::Unlisted => {
            vec![change.reason.clone(), format!("help: {}", change.help)]
        }
    }
}

fn values(change: &ServiceChangeView, paint: Paint) -> String {
    let line = |sign: &str, value: &str| match value {
        "" => String::new(),
        value => format!("      {} {value}\n", paint.dim(sign)),
    };
    line("-", &change.old) + &line("+", &change.new)
}
