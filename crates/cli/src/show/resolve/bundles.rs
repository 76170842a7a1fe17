use workspace::view::{BundleView, BundlesView, words::count};

use crate::console::Paint;
use crate::show::width::clean;

/// The bundles, each with its channels and the APIs that it provides.
pub(crate) fn bundles(view: &BundlesView, paint: Paint) -> String {
    let mut out = paint.bold(&count(view.bundles.len(), "bundle")) + "\n";
    view.bundles.iter().for_each(|it| out.push_str(&one(it, paint)));
    out
}

fn one(bundle: &BundleView, paint: Paint) -> String {
    let mut marks = vec![bundle.catalog.clone()];
    marks.extend((!bundle.channels.is_empty()).then(|| bundle.channels.join(", ")));
    marks.extend((!bundle.provides.is_empty()).then(|| format!("provides {}", bundle.provides.join(", "))));
    marks.extend(bundle.deprecated.as_ref().map(|it| format!("deprecated: {it}")));
    let (package, version) = (clean(&bundle.package), clean(&bundle.version));
    format!("  {package}  {version}  {}\n", paint.dim(&clean(&marks.join(" · "))))
}
