use std::collections::BTreeSet;

use super::*;

fn path(text: &str) -> FieldPath {
    FieldPath::parse(text).unwrap()
}

fn group(name: &str, order_by: &str, scopes: &[&str]) -> SortingGroup {
    let scopes = scopes.iter().map(|it| (*it).into()).collect();
    SortingGroup {
        name: name.into(),
        order_by: path(order_by),
        scopes,
        max_filter_fields: 0,
        adapters: vec![DatabaseAdapter::Mongo],
    }
}

fn filter(of: &str, required: bool, groups: &[&str]) -> IndexFilter {
    let sorting_groups = groups.iter().map(|it| (*it).into()).collect();
    IndexFilter { path: path(of), required, sorting_groups, reference_patterns: vec![], adapters: vec![] }
}

fn single(of: &str) -> SingleFieldSpec {
    SingleFieldSpec {
        path: path(of),
        wildcard: false,
        reference_patterns: vec![],
        adapters: vec![DatabaseAdapter::Mongo],
    }
}

fn lines(plan: &IndexPlan) -> Vec<String> {
    plan.composite.iter().map(ToString::to_string).collect()
}

/// The example of the guide, with its twelve composite indices and one of a single field.
#[test]
fn indices_of_the_guide() {
    let spec = IndexSpec {
        sorting_groups: vec![
            group("byDisplayName", "display_name", &["projects/{project}/devices/-"]),
            group(
                "bySerialNumber",
                "info.serial_number",
                &["projects/-/devices/-", "projects/{project}/devices/-"],
            ),
        ],
        filters: vec![
            filter("info.model", true, &["bySerialNumber"]),
            filter("info.maintainer_group", false, &[]),
        ],
        single: vec![single("machine_type")],
    };
    let plan = plan_indices(&spec, &["projects/{project}/devices/{device}"]);
    let expected = "\
filter (name.projectId) orderBy (display_name ASC, name.deviceId ASC)
filter (name.projectId) orderBy (display_name DESC, name.deviceId DESC)
filter (name.projectId, info.maintainer_group) orderBy (display_name ASC, name.deviceId ASC)
filter (name.projectId, info.maintainer_group) orderBy (display_name DESC, name.deviceId DESC)
filter (info.model) orderBy (info.serial_number ASC, name.projectId ASC, name.deviceId ASC)
filter (info.model) orderBy (info.serial_number DESC, name.projectId DESC, name.deviceId DESC)
filter (name.projectId, info.model) orderBy (info.serial_number ASC, name.deviceId ASC)
filter (name.projectId, info.model) orderBy (info.serial_number DESC, name.deviceId DESC)
filter (info.model, info.maintainer_group) orderBy (info.serial_number ASC, name.projectId ASC, name.deviceId ASC)
filter (info.model, info.maintainer_group) orderBy (info.serial_number DESC, name.projectId DESC, name.deviceId DESC)
filter (name.projectId, info.model, info.maintainer_group) orderBy (info.serial_number ASC, name.deviceId ASC)
filter (name.projectId, info.model, info.maintainer_group) orderBy (info.serial_number DESC, name.deviceId DESC)";
    assert_eq!(lines(&plan).join("\n"), expected);
    assert_eq!(plan.single.iter().map(|it| it.path.to_string()).collect::<Vec<_>>(), ["machine_type"]);
    assert_eq!(
        (plan.count(DatabaseAdapter::Mongo), plan.count(DatabaseAdapter::Firestore), plan.problems.len()),
        (13, 0, 0)
    );
}

/// The example in the comment of `IndicesSpec`.
#[test]
fn indices_of_the_annotation() {
    let spec = IndexSpec {
        sorting_groups: vec![group(
            "byName",
            "name",
            &[
                "projects/{project}/regions/{region}/zones/-/devices/-",
                "projects/{project}/regions/{region}/zones/{zone}/devices/-",
            ],
        )],
        filters: vec![filter("status.serial", false, &[])],
        single: vec![single("spec.enabled"), single("spec.group")],
    };
    let plan = plan_indices(&spec, &["projects/{project}/regions/{region}/zones/{zone}/devices/{device}"]);
    let one = "filter (name.projectId, name.regionId) orderBy (name.zoneId ASC, name.deviceId ASC)";
    let with_zone = "filter (name.projectId, name.regionId, name.zoneId) orderBy (name.deviceId ASC)";
    let each = [one, with_zone].map(|it| [it.to_owned(), it.replace("ASC", "DESC")]).concat();
    let filtered = each.iter().map(|it| it.replace(") orderBy", ", status.serial) orderBy"));
    let expected: BTreeSet<String> = each.iter().cloned().chain(filtered).collect();
    assert_eq!(lines(&plan).into_iter().collect::<BTreeSet<_>>(), expected);
    assert_eq!((plan.composite.len(), plan.single.len()), (8, 2));
}

#[test]
fn limits_defaults_and_mistakes() {
    let patterns = ["devices/{device}", "projects/{project}/devices/{device}"];
    let filters = |n: usize| (0..n).map(|it| filter(&format!("f{it}"), false, &[])).collect::<Vec<_>>();
    let of = |n: usize, max_filter_fields: usize| {
        let group = SortingGroup { max_filter_fields, adapters: vec![], ..group("g", "a", &[]) };
        plan_indices(
            &IndexSpec { sorting_groups: vec![group], filters: filters(n), single: vec![] },
            &patterns,
        )
    };
    for (n, most, count, codes) in [
        (0, 0, 4, vec![]),
        (4, 0, 64, vec![]),
        (4, 2, 44, vec![]),
        (4, 9, 64, vec![]),
        (5, 0, 128, vec!["fields/index-limit"]),
        (6, 0, 256, vec!["fields/index-limit", "fields/index-limit"]),
        (9, 0, 2048, vec!["fields/index-listed", "fields/index-limit", "fields/index-limit"]),
        (70, 0, u64::MAX, vec!["fields/index-listed", "fields/index-limit", "fields/index-limit"]),
        (70, 1, 284, vec!["fields/index-limit", "fields/index-limit"]),
    ] {
        let plan = of(n, most);
        assert_eq!(plan.count(DatabaseAdapter::Mongo), count, "{n} {most}");
        let listed = plan.composite.iter().filter(|it| it.adapter == DatabaseAdapter::Mongo).count() as u64;
        assert_eq!(listed, count.min(1024));
        assert_eq!(lines(&plan).len(), 2 * usize::try_from(listed).unwrap());
        let distinct: BTreeSet<String> = lines(&plan).into_iter().collect();
        assert_eq!(distinct.len() as u64, listed);
        let mut found: Vec<_> = plan.problems.iter().map(|it| it.code.as_str()).collect();
        found.dedup_by(|left, right| left == right && *left == "fields/index-listed");
        assert_eq!(found, codes, "{n} {most}");
    }
    let wrong = IndexSpec {
        sorting_groups: vec![group("g", "a", &["regions/-/devices/-"])],
        filters: vec![filter("f", false, &["h"])],
        single: vec![SingleFieldSpec { wildcard: true, adapters: vec![], ..single("x") }],
    };
    let plan = plan_indices(&wrong, &patterns);
    let found: Vec<_> = plan.problems.iter().map(|it| (it.code.as_str(), &*it.pointer)).collect();
    assert_eq!(
        found,
        [
            ("fields/index-group", "/composite/filters/0/restrictedSortingGroups"),
            ("fields/index-scope", "/composite/sortingGroups/0/scopes/0"),
            ("fields/index-wildcard", "/single/0/isWildcard"),
        ]
    );
    let two = of(5, 0);
    let pointers: Vec<_> = check_database([("A", &two), ("B", &of(1, 0)), ("C", &two)])
        .into_iter()
        .map(|it| it.pointer)
        .collect();
    assert_eq!(pointers, ["/A", "/C", ""]);
}
