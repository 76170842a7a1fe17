//! Published catalogs, if they are available.

use std::fs;

use diag::FileId;
use expect_test::expect;
use planloom_catalog::{Catalog, CatalogText, Profile, Request, Requirement, Resolution, read, resolve};
use resolve::Budget;

use crate::support::shared;

/// The catalogs of some files; if those are missing, reports it and returns `None`.
fn catalogs(names: &[&str]) -> Option<Vec<Catalog>> {
    let folder = shared("fbc")?;
    let mut found = Vec::new();
    for (at, name) in (0..).zip(names) {
        let text = fs::read_to_string(folder.join(name)).expect("a catalog");
        let (catalog, _) =
            read(name.trim_end_matches(".yaml"), &[CatalogText { file: FileId(at), text: &text }]);
        found.push(catalog);
    }
    Some(found)
}

fn require(profile: Profile, packages: &[&str]) -> Request {
    let requirement =
        |it: &&str| Requirement { name: (*it).into(), package: (*it).into(), ..Requirement::default() };
    Request { profile, requirements: packages.iter().map(requirement).collect(), ..Request::default() }
}

fn ids(catalogs: &[Catalog], request: &Request) -> String {
    match resolve(catalogs, request, &mut (), &Budget::default()).0 {
        Resolution::Solved(selected) => selected.iter().map(|it| format!("{}\n", it.id)).collect(),
        Resolution::Unsolvable { conflicts, .. } => {
            let facts = conflicts.iter().flat_map(|it| &it.facts).map(|it| format!("- {}\n", it.text));
            facts.collect()
        }
        Resolution::Stopped => "stopped\n".to_owned(),
    }
}

#[test]
fn one_operator_needs_another_of_another_file() {
    let names =
        ["cop-v4.21-rabbitmq-cluster-operator.yaml", "cop-v4.21-rabbitmq-messaging-topology-operator.yaml"];
    let Some(catalogs) = catalogs(&names) else { return };
    let topology = &["rabbitmq-messaging-topology-operator"][..];
    for profile in [Profile::Phase0, Profile::V0, Profile::V1] {
        let found = ids(&catalogs, &require(profile, topology));
        assert_eq!(found.lines().count(), 2, "{profile:?}: {found}");
    }
    expect![[r#"
        cop-v4.21-rabbitmq-cluster-operator:rabbitmq-cluster-operator:2.22.3:stable
        cop-v4.21-rabbitmq-messaging-topology-operator:rabbitmq-messaging-topology-operator:1.19.3:stable
    "#]]
    .assert_eq(&ids(&catalogs, &require(Profile::V1, topology)));
    expect![[r#"
        cop-v4.21-rabbitmq-messaging-topology-operator:rabbitmq-messaging-topology-operator:1.14.2:stable
    "#]]
    .assert_eq(&ids(&catalogs[1..], &require(Profile::V1, topology)));
}

#[test]
fn missing_dependencies_of_a_real_catalog() {
    let Some(catalogs) = catalogs(&["cop-v4.20-alloydb-omni-operator.yaml"]) else { return };
    expect![[r#"
        - package alloydb-omni-operator is required
        - alloydb-omni-operator 1.8.0, 1.7.1, 1.7.0, 1.6.3, 1.6.2 and 6 more need an API Certificate (cert-manager.io/v1)
    "#]].assert_eq(&ids(&catalogs, &require(Profile::V1, &["alloydb-omni-operator"])));
}
