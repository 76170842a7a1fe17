//! Zip packages as files.

use std::{collections::BTreeSet, fmt};

use diag::order;

use syntax::package::{self, Package, PackageLimits};

use crate::{File, formats::is_named_as, view::Role};

/// The reason why a package gives no files. It is displayed as one sentence: the message, then the help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageProblem {
    /// The message; "it" is the package.
    pub message: String,
    /// Advice on how to solve the problem.
    pub help: String,
}

impl fmt::Display for PackageProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl std::error::Error for PackageProblem {}

/// The number of folders that are named before the rest is omitted.
const NAMED: usize = 3;

/// The YAML files of a package's root. One that contributes nothing is a mistake: most often a folder was packed, not
/// its content.
pub(crate) fn read(name: &str, bytes: &[u8]) -> Result<Vec<File>, PackageProblem> {
    let package = package::read(bytes, &PackageLimits::default()).map_err(|error| PackageProblem {
        message: error.to_string(),
        help: "a package holds YAML files at its root, none of them encrypted or huge".into(),
    })?;
    if package.files.is_empty() {
        let message = "it has no YAML file at its root".into();
        return Err(PackageProblem { message, help: where_else(&package) });
    }
    let files = package.files.into_iter();
    Ok(files.map(|it| File { name: it.name, text: it.text, package: Some(name.into()) }).collect())
}

/// The folder that macOS adds to packages for its own use.
const OF_MACOS: &str = "__MACOSX/";

/// The folders that have the YAML files instead, as advice.
fn where_else(package: &Package) -> String {
    let is_yaml = |name: &str| is_named_as(Role::Layer, name) && !name.starts_with("._");
    let folder =
        |name: &String| name.rsplit_once('/').filter(|(_, file)| is_yaml(file)).map(|it| it.0.to_owned());
    let others = package.ignored.iter().filter(|it| !it.starts_with(OF_MACOS));
    let folders: BTreeSet<String> = order::set(others.filter_map(folder));
    let named: Vec<String> = folders.iter().take(NAMED).map(|it| format!("`{it}/`")).collect();
    let rest = folders.len() - named.len();
    match &named[..] {
        [] => "pack the YAML files themselves".into(),
        [one] => format!("the YAML files are in {one}: pack the content of that folder, not the folder"),
        more if rest == 0 => {
            format!("the YAML files are in {}: pack the content of one of these folders", more.join(", "))
        }
        more => {
            let more = more.join(", ");
            format!(
                "the YAML files are in {more} and {rest} more: pack the content of one of these \
                     folders"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use syntax::package::{PackageFile, write};

    use super::*;

    fn check(names: &[&str], expected: Result<&[&str], &str>) {
        let files: Vec<PackageFile> =
            names.iter().map(|it| PackageFile { name: (*it).into(), text: "a: 1\n".into() }).collect();
        let found = read("app.zip", &write(&files)).map_err(|it| it.to_string());
        let found = found.map(|files| files.into_iter().map(|it| it.name).collect::<Vec<_>>());
        let expected =
            expected.map(|it| it.iter().map(|it| (*it).to_owned()).collect()).map_err(str::to_owned);
        assert_eq!(found, expected, "{names:?}");
    }

    #[test]
    fn a_package_without_files_says_where_they_are() {
        check(&["a.yaml", "sub/b.yaml"], Ok(&["a.yaml"]));
        check(&[], Err("it has no YAML file at its root; pack the YAML files themselves"));
        check(
            &["read.me", "sub/x.md"],
            Err("it has no YAML file at its root; pack the YAML files themselves"),
        );
        let one = "it has no YAML file at its root; the YAML files are in `shop/`: pack the content of \
                   that folder, not the folder";
        check(&["shop/a.yaml", "shop/b.YML", "x.md"], Err(one));
        check(&["shop/a.yaml", "shop/b.YML", "__MACOSX/shop/._a.yaml", "other/._a.yaml"], Err(one));
        let more = "it has no YAML file at its root; the YAML files are in `a/`, `a/b/`, `c/` and 1 more: \
                    pack the content of one of these folders";
        check(&["a/1.yaml", "a/b/2.yaml", "c/3.yml", "d/4.yaml"], Err(more));
    }
}
