//! The places of files for those who read a report elsewhere: relative to the root of the checkout.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use workspace::view::{CheckoutView, LocationView};

use crate::input::STDIN;

/// A place in a file, or a whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: FileName,
    pub(crate) region: Option<Region>,
}

/// Lines and columns, from 1; the end is behind the last character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) end_line: u32,
    pub(crate) end_column: u32,
}

impl Region {
    pub(crate) const fn of(location: &LocationView) -> Self {
        let LocationView { file: _, line, column, end_line, end_column } = location;
        Self { line: *line, column: *column, end_line: *end_line, end_column: *end_column }
    }

    /// The last line that something of it is in.
    pub(crate) const fn last_line(&self) -> u32 {
        if self.end_column <= 1 && self.end_line > self.line { self.end_line - 1 } else { self.end_line }
    }
}

/// The name of a file in a report.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum FileName {
    /// Relative to the root of the checkout, or to the working directory if that is not known.
    Relative(String),
    /// An absolute path outside of the checkout.
    Absolute(String),
}

impl FileName {
    pub(crate) fn path(&self) -> &str {
        match self {
            Self::Relative(path) | Self::Absolute(path) => path,
        }
    }

    /// As a URI reference.
    pub(crate) fn uri(&self) -> String {
        match self {
            Self::Relative(path) => encoded(path),
            Self::Absolute(path) => format!("file:///{}", encoded(path.trim_start_matches('/'))),
        }
    }
}

/// The name of a file for readers elsewhere; `None` if it is not a file, such as standard input or a URL.
pub(crate) fn named(checkout: &CheckoutView, name: &str) -> Option<FileName> {
    if name.is_empty() || name == STDIN || name.contains("://") {
        return None;
    }
    let CheckoutView { root, directory } = checkout;
    let directory = if root.is_empty() { "" } else { directory };
    let path = if is_absolute(name) { name.to_owned() } else { format!("{directory}/{name}") };
    let path = normalized(&path, is_absolute(name) || !directory.is_empty());
    let root = if root.is_empty() { &checkout.directory } else { root };
    let within = path.strip_prefix(root.trim_end_matches('/')).and_then(|it| it.strip_prefix('/'));
    Some(match within.filter(|_| !root.is_empty()) {
        Some(path) => FileName::Relative(path.to_owned()),
        None if is_absolute(&path) => FileName::Absolute(path),
        None => FileName::Relative(path),
    })
}

/// True if it begins at the root of a file system, be it that of Windows.
fn is_absolute(path: &str) -> bool {
    let mut bytes = path.bytes();
    match (bytes.next(), bytes.next(), bytes.next()) {
        (Some(b'/'), ..) => true,
        (Some(drive), Some(b':'), Some(b'/')) => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

/// A path without `.` and without `..` as far as the text allows.
fn normalized(path: &str, is_rooted: bool) -> String {
    let mut steps: Vec<&str> = Vec::new();
    for step in path.split('/') {
        match (step, steps.last().copied()) {
            ("" | ".", _) => {}
            ("..", Some(last)) if last != ".." => drop(steps.pop()),
            ("..", None) if is_rooted => {}
            _ => steps.push(step),
        }
    }
    let path = steps.join("/");
    if is_rooted && path.as_bytes().get(1) != Some(&b':') { format!("/{path}") } else { path }
}

/// The characters that have another meaning in a URI reference than as a part of a path.
const OF_NO_PATH: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

fn encoded(path: &str) -> String {
    utf8_percent_encode(path, OF_NO_PATH).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(checkout: (&str, &str), name: &str, expected: Option<&str>) {
        let checkout = CheckoutView { root: checkout.0.into(), directory: checkout.1.into() };
        assert_eq!(named(&checkout, name).map(|it| it.uri()).as_deref(), expected, "{name}");
    }

    #[test]
    fn names_are_relative_to_the_checkout() {
        let plain = ("", "");
        check(plain, "app.yaml", Some("app.yaml"));
        check(plain, "./deploy//app.yaml", Some("deploy/app.yaml"));
        check(plain, "../app.yaml", Some("../app.yaml"));
        check(plain, "/tmp/app.yaml", Some("file:///tmp/app.yaml"));
        check(plain, "C:/src/app.yaml", Some("file:///C%3A/src/app.yaml"));
        check(plain, STDIN, None);
        check(plain, "https://ada:secret@states.example/shop", None);
        let inside = ("/src/shop", "/src/shop/deploy");
        check(inside, "app.yaml", Some("deploy/app.yaml"));
        check(inside, "../app.yaml", Some("app.yaml"));
        check(inside, "/src/shop/deploy/app.yaml", Some("deploy/app.yaml"));
        check(inside, "../../other/app.yaml", Some("file:///src/other/app.yaml"));
        check(inside, "/src/shopping/app.yaml", Some("file:///src/shopping/app.yaml"));
        check(("", "/src/shop"), "/src/shop/app.yaml", Some("app.yaml"));
        check(("", "/src/shop"), "app.yaml", Some("app.yaml"));
    }

    #[test]
    fn hostile_names_stay_names() {
        check(("", ""), "javascript:alert(1).yaml", Some("javascript%3Aalert%281%29.yaml"));
        check(("", ""), "a?b#c%d \"ä\n.yaml", Some("a%3Fb%23c%25d%20%22%C3%A4%0A.yaml"));
        check(("/r", "/r"), "../../../etc/passwd", Some("file:///etc/passwd"));
    }
}
