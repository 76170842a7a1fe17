//! The conversions of old versions of services.

use std::path::Path;

use conversion::{Conversion, OldVersions};
use report::codes;
use spec::Service;
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
    let (mut conversions, mut problems) = (Vec::<Conversion>::new(), Vec::new());
    for file in files {
        let (conversion, found) = read_conversion(file.as_ref(), loaded).map_err(|it| vec![*it])?;
        problems.extend(found);
        if let Some(conversion) = conversion {
            problems.extend(unusable(&conversion, &conversions));
            conversions.push(conversion);
        }
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

/// The reason that a conversion cannot be used beside others.
fn unusable(conversion: &Conversion, others: &[Conversion]) -> Option<DiagnosticView> {
    let (old, new) = (conversion.old_version()?, conversion.new_version()?);
    let key = |it: &Service| (it.name.clone(), it.version.clone());
    let imported = [old, new].into_iter().find(|it| it.is_import);
    let is_twice = others.iter().filter_map(Conversion::old_version).any(|it| key(it) == key(old));
    let (message, help) = match imported {
        Some(it) => (
            format!(
                "{} of `{}` is only imported, and its conversion is for versions that are served",
                it.version, it.name
            ),
            "name the specifications of both versions with `--service`",
        ),
        None if is_twice => (
            format!("{} of `{}` is converted twice", old.version, old.name),
            "name one conversion for each old version",
        ),
        None => return None,
    };
    Some(problem(codes::SERVICE, None, message, help))
}

fn chained(from: &str, to: &str) -> DiagnosticView {
    let message = format!("{from} is converted to {to}, which is converted itself");
    problem(codes::SERVICE, None, message, "convert each old version to the one whose resources are stored")
}
