//! What one transaction may write.

use planloom_regions::{Write, check_writes};

/// Writes from rows `name holder owner`, where `-` is no holder.
fn check(own: &str, rows: &str) -> String {
    let write = |row: &'static str| {
        let [name, holder, owner] = row.split(' ').collect::<Vec<_>>()[..] else { panic!("{row}") };
        Write { name, holder: (holder != "-").then_some(holder), owner }
    };
    let rows: &'static str = rows.to_owned().leak();
    let writes: Vec<_> = rows.split(", ").filter(|it| !it.is_empty()).map(write).collect();
    check_writes(own, &writes).map_or_else(|it| it.to_string(), |it| it.unwrap_or("no holder").to_owned())
}

#[test]
fn one_holder_and_global_resources_may_be_written() {
    let rows = [
        ("", "no holder"),
        ("users/u - a", "no holder"),
        ("projects/p1 - a, projects/p2 - a", "no holder"),
        ("projects/p1/x/1 projects/p1 a, projects/p1/x/2 projects/p1 a", "projects/p1"),
        ("projects/p1/x/1 projects/p1 a, users/u - a, projects/p1 - a", "projects/p1"),
        (
            "projects/p2/x/1 projects/p2 a, projects/p1/x/1 projects/p1 a, users/u - a",
            "one transaction cannot write below several of `projects/p1`, `projects/p2`",
        ),
        (
            "projects/p1/x/1 projects/p1 a, services/s/x/1 services/s a",
            "one transaction cannot write below several of `projects/p1`, `services/s`",
        ),
    ];
    for (writes, expected) in rows {
        assert_eq!(check("a", writes), expected, "{writes}");
    }
}

#[test]
fn only_what_the_region_owns_may_be_written() {
    let rows = [
        ("projects/p1/x/1 projects/p1 b", "other regions own `projects/p1/x/1` (b)"),
        (
            "users/u - c, projects/p1/x/1 projects/p1 a, projects/p2/x/1 projects/p2 b",
            "other regions own `projects/p2/x/1` (b), `users/u` (c)",
        ),
    ];
    for (writes, expected) in rows {
        assert_eq!(check("a", writes), expected, "{writes}");
    }
}
