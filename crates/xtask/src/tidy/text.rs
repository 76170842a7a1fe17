//! Text that no tracked file may hold.

/// Folders of one machine.
const MACHINE: [&str; 3] = [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

/// Hosts that packages came from; what a lockfile says must hold for every mirror.
const HOSTS: [&str; 4] = [
    concat!("registry.npm", "js.org"),
    concat!("registry.yarn", "pkg.com"),
    concat!("static.crates", ".io"),
    concat!("index.crates", ".io"),
];

/// Marks of unfinished work.
const UNFINISHED: [&str; 4] =
    [concat!("to", "do!("), concat!("FIX", "ME"), concat!("TO", "DO"), concat!("XX", "X")];

/// The violations in a file, a sentence each.
pub(super) fn problems(name: &str, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut say = |what: &str, found: &str| problems.push(format!("{name}:{number}: {what}: {found}"));
        MACHINE.iter().filter(|path| begins(line, path)).for_each(|path| say("a path of one machine", path));
        HOSTS
            .iter()
            .filter(|host| line.contains(**host))
            .for_each(|host| say("a package registry's host", host));
        if is_code(name) {
            UNFINISHED.iter().filter(|mark| line.contains(**mark)).for_each(|mark| say("unfinished", mark));
        }
    }
    if name.ends_with("package-lock.json") && text.contains("\"resolved\": \"http") {
        problems.push(format!(
            "{name}: names the registry; set omit-lockfile-registry-resolved and make it again"
        ));
    }
    problems
}

/// True if a path begins in the line, and is not part of another: the repository has a folder `src/work` of its own.
fn begins(line: &str, path: &str) -> bool {
    let is_alone = |at: usize| !line[..at].ends_with(|it: char| it.is_alphanumeric() || "._-".contains(it));
    line.match_indices(path).any(|(at, _)| is_alone(at))
}

fn is_code(name: &str) -> bool {
    [".rs", ".js", ".mjs", ".cjs", ".ts", ".css", ".html", ".toml"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leftovers_are_found_where_they_are() {
        let unfinished = format!("fn f() {{\n    {}\n}}\n", UNFINISHED[0]);
        assert_eq!(problems("a.rs", &unfinished).len(), 1);
        assert!(problems("a.rs", &unfinished)[0].starts_with("a.rs:2: unfinished"));
        assert_eq!(problems("a.md", &unfinished).len(), 0);
        assert_eq!(problems("a.md", &format!("see {}x", MACHINE[0])).len(), 1);
        assert_eq!(problems("a.md", &format!("see crates/a/src{}x", MACHINE[0])).len(), 0);
        assert_eq!(
            problems("x/package-lock.json", "{\n  \"resolved\": \"https://example.org/a.tgz\"\n}\n").len(),
            1
        );
        assert_eq!(problems("x/package-lock.json", "{}\n").len(), 0);
    }
}
