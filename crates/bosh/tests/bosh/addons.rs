//! Groups that addons are added to, and providers of their jobs.

use expect_test::{Expect, expect};
use links::{Owner, Profile};
use planloom_bosh::ReadResult;

use crate::{files::Files, jobs::SPECS};

const MANIFEST: &str = "\
name: d
stemcells:
- {alias: jammy, os: ubuntu-jammy, version: latest}
- {alias: windows, name: bosh-aws-xen-hvm-windows2019-go_agent, version: latest}
instance_groups:
- {name: a, instances: 1, stemcell: jammy, azs: [z1], networks: [{name: n}], jobs: [{name: store, release: r}]}
- {name: b, instances: 1, stemcell: windows, azs: [z2], networks: [{name: m}], jobs: [{name: cache, release: r}]}
- {name: c, instances: 1, stemcell: jammy, lifecycle: errand, networks: [{name: n}], jobs: [{name: agent, release: q}]}
";

fn read(manifest: &str, runtime: &str, profile: Profile) -> ReadResult {
    let runtime = (!runtime.is_empty()).then_some(("runtime.yml", runtime));
    Files::new(SPECS.into_iter().chain([("d.yml", manifest)]).chain(runtime).collect::<Vec<_>>())
        .read(profile)
}

fn agents(read: &ReadResult) -> String {
    let deployment = &read.site.deployments[0];
    let of = |it: &links::Provider| match &it.owner {
        Owner::Job { group, .. } if &*it.name.text == "agent" => {
            Some(deployment.groups[*group].name.to_string())
        }
        _ => None,
    };
    deployment.providers.iter().filter_map(of).collect::<Vec<_>>().join(" ")
}

/// The groups that get the addon's job, by the manifest's addon and by a runtime config's.
#[track_caller]
fn check(rules: &str, of_manifest: &str, of_runtime: &str) {
    let addons = format!("addons: [{{name: x, {rules} jobs: [{{name: agent, release: r}}]}}]\n");
    // The group `c` has a job of that name, for which there is no spec.
    let found = agents(&read(&(MANIFEST.to_owned() + &addons), "", Profile::Bosh));
    assert_eq!(found, of_manifest, "{rules}");
    assert_eq!(agents(&read(MANIFEST, &addons, Profile::Bosh)), of_runtime, "{rules}");
}

#[test]
fn rules_choose_groups() {
    check("", "a b", "a b");
    check("include: {stemcell: [{os: ubuntu-jammy}]},", "a", "a");
    check("include: {stemcell: [{os: windows2019}]},", "b", "b");
    check("include: {jobs: [{name: store, release: r}, {name: cache, release: other}]},", "a", "a");
    check("include: {networks: [m]},", "b", "b");
    check("include: {azs: [z2, z3]},", "b", "b");
    check("include: {instance_groups: [b]},", "b", "b");
    check("include: {lifecycle: errand},", "", "");
    check("include: {lifecycle: service, networks: [n]},", "a", "a");
    check("include: {deployments: [other]},", "a b", "");
    check("include: {deployments: [d]},", "a b", "a b");
    check("include: {teams: [t]},", "a b", "");
    check("exclude: {},", "a b", "a b");
    check("exclude: {networks: [n]},", "b", "b");
    check("exclude: {deployments: [d]},", "a b", "");
    check("include: {networks: [n, m]}, exclude: {jobs: [{name: store, release: r}]},", "b", "b");
}

#[track_caller]
fn check_reported(addons: &str, runtime: &str, expected: Expect) {
    let mut reported = String::new();
    for profile in [Profile::Bosh, Profile::Strict] {
        let read = read(&(MANIFEST.to_owned() + addons), runtime, profile);
        for it in &read.diagnostics {
            reported += &format!("{}: {}: {}\n", profile.as_str(), it.severity.as_str(), it.message);
        }
    }
    expected.assert_eq(&reported);
}

#[test]
fn addons_are_checked() {
    check_reported(
        "addons: [{name: x, jobs: [{name: agent, release: r}]}]",
        "",
        expect![[r#"
        bosh: error: Colocated job 'agent' is already added to the instance group 'c'
        strict: error: the instance group `c` has the job `agent` twice
    "#]],
    );
    check_reported(
        "addons: [{name: x, include: {deployments: [d]}, jobs: []}]",
        "",
        expect![[r#"
        bosh: error: Deployment filter is not allowed for deployment level addons.
        strict: error: an addon of a manifest applies to its own deployment only
    "#]],
    );
    check_reported(
        "addons: [{name: x, include: {jobs: [{name: j}], stemcell: [{}]}, jobs: []}]",
        "",
        expect![[r#"
            bosh: error: a job of a rule needs a name and a release
            bosh: error: a stemcell of a rule needs an operating system
            strict: error: a job of a rule needs a name and a release
            strict: error: a stemcell of a rule needs an operating system
        "#]],
    );
    check_reported(
        "addons: [{name: x, include: [a], jobs: [{name: probe}]}]",
        "",
        expect![[r#"
        bosh: error: `include` is a map, not a list
        bosh: error: the addon's job `probe` has no `release`
        strict: error: `include` is a map, not a list
        strict: error: the addon's job `probe` has no `release`
    "#]],
    );
}

#[test]
fn an_addons_properties_are_those_of_its_jobs() {
    let store = |of_job: &str| {
        let addons = format!(
            "addons: [{{name: x, properties: {{port: 1}}, include: {{networks: [m]}}, \
             jobs: [{{name: store, release: r{of_job}}}]}}]"
        );
        let read = read(&(MANIFEST.to_owned() + &addons), "", Profile::Bosh);
        let provider = read.site.deployments[0].providers.last().cloned().unwrap();
        let port = links::expose(&provider.exposure, Profile::Bosh).properties.get("port").cloned();
        port.and_then(|it| it.to_text()).unwrap_or_default()
    };
    assert_eq!(store(""), "1");
    assert_eq!(store(", properties: {port: 2}"), "2");
    assert_eq!(store(", properties: {}"), "6400");
}

#[test]
fn custom_providers_of_addons_count_where_all_that_is_said_counts() {
    let addons = "addons: [{name: x, include: {networks: [m]}, jobs: [{name: bare, release: r, \
                  custom_provider_definitions: [{name: k, type: kv}]}]}]";
    let manifest = MANIFEST.to_owned() + addons;
    let custom = |profile| {
        let read = read(&manifest, "", profile);
        read.site.deployments[0].providers.iter().any(|it| &*it.name.text == "k")
    };
    assert_eq!((custom(Profile::Bosh), custom(Profile::Strict)), (false, true));
    check_reported(
        addons,
        "",
        expect![[r#"
        bosh: warning: `custom_provider_definitions` has no effect on a job of an addon
    "#]],
    );
}
