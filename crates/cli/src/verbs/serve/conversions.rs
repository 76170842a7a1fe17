//! The conversions of old versions of services.

use std::path::Path;

use conversion::OldVersions;
use report::codes;
use workspace::view::DiagnosticView;

use crate::answer::has_errors;
use crate::conversions::read_conversion;
use crate::load::Loaded;
use crate::problem::problem;

/// The old versions that `--conversion` names, and warnings. The texts of the files are added to those that problems are in.
pub(super) fn read(
    files: &[impl AsRef<Path>],
    loaded: &mut Loaded,
) -> Result<(Option<OldVersions>, Vec<DiagnosticView>), Vec<DiagnosticView>> {
    let (mut conversions, mut problems) = (Vec::new(), Vec::new());
    for file in files {
        let (conversion, found) = read_conversion(file.as_ref(), loaded).map_err(|it| vec![*it])?;
        problems.extend(found);
        conversions.extend(conversion);
    }
    if has_errors(&problems) {
        return Err(problems);
    }
    if conversions.is_empty() {
        return Ok((None, problems));
    }
    let old_versions = OldVersions::new(conversions);
    match old_versions.chained() {
        None => Ok((Some(old_versions), problems)),
        Some((from, to)) => Err(vec![chained(from, to)]),
    }
}

fn chained(from: &str, to: &str) -> DiagnosticView {
    let message = format!("{from} is converted to {to}, which is converted itself");
    problem(codes::SERVICE, None, message, "convert each old version to the one whose resources are stored")
}
