use workspace::view::words::count;
use workspace::view::{UpgradeBundleView, UpgradesView};

use crate::console::Paint;
use crate::show::width::clean;

/// The versions of a package, latest first, each with what can become it.
pub(crate) fn upgrades(view: &UpgradesView, paint: Paint) -> String {
    let title = format!(
        "{}: {} in {}",
        clean(&view.package),
        count(view.bundles.len(), "version"),
        count(view.channels.len(), "channel")
    );
    let mut out = paint.bold(&title) + "\n";
    for channel in &view.channels {
        let head = channel.head.as_deref().map_or_else(|| "no single head".into(), |it| format!("head {it}"));
        let default = if channel.is_default { " (default)" } else { "" };
        let deprecated =
            channel.deprecated.as_deref().map(|it| format!(", deprecated: {it}")).unwrap_or_default();
        out.push_str(&format!(
            "  {}{default}: {}{}\n",
            clean(&channel.name),
            clean(&head),
            clean(&deprecated)
        ));
    }
    for (n, bundle) in view.bundles.iter().enumerate() {
        out.push_str(&format!("\n{}\n", one(bundle, paint)));
        for edge in view.edges.iter().filter(|it| it.to == n) {
            let Some(from) = view.bundles.get(edge.from) else { continue };
            let range = edge.range.as_deref().map(|it| format!(" {it}")).unwrap_or_default();
            let counts = if edge.counts { "" } else { " (does not count)" };
            let kind = edge.kind.label();
            out.push_str(&format!(
                "  ← {}  {}\n",
                clean(&from.version),
                paint.dim(&clean(&format!("{kind}{range}{counts}")))
            ));
        }
    }
    out
}

fn one(bundle: &UpgradeBundleView, paint: Paint) -> String {
    let mut marks = vec![bundle.channels.join(", ")];
    marks.extend(bundle.selected.then(|| "chosen".to_owned()));
    marks.extend(bundle.installed.then(|| "installed".to_owned()));
    marks.extend(bundle.skipped.then(|| "skipped".to_owned()));
    marks.extend(bundle.deprecated.as_ref().map(|it| format!("deprecated: {it}")));
    format!("{}  {}", paint.bold(&clean(&bundle.version)), paint.dim(&clean(&marks.join(" · "))))
}
