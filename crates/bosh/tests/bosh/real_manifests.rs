//! Manifests and specs of real deployments, compared with the results of another program.

use std::{collections::BTreeMap, fs, path::PathBuf};

use links::{Consumer, ConsumerSpec, Deployment, Link, LinkModel, Outcome, Owner, Profile};
use planloom_bosh::ReadResult;
use serde_json::{Value, json};

use crate::files::Files;

/// A replacement for a link that the newer release of a job does not provide any more.
const STUB: &str = "
- type: replace
  path: /instance_groups/name=diego-cell/jobs/name=garden-cni/consumes?/cloud_controller_container_networking_info
  value: {instances: [{address: 10.0.0.9}], properties: {}}
";

const NATS_BLOCKED: &str = "
- type: replace
  path: /instance_groups/name=nats/jobs/name=nats-tls/provides/nats-tls
  value: nil
";

fn shared() -> Option<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared");
    let folder = std::env::var_os("PLANLOOM_SHARED").map_or_else(|| beside.into(), PathBuf::from);
    let folder = folder.join("data/bosh");
    folder.join("specs").is_dir().then_some(folder)
}

/// The manifest, the files of operations after it, and further operations.
fn scenario(name: &str) -> (&str, &[&str], &[&str]) {
    match name {
        "cf-base" => ("cf-deployment.yml", &[], &[]),
        "cf-base-stubbed" => ("cf-deployment.yml", &[], &[STUB]),
        "cf-nats-blocked" => ("cf-deployment.yml", &[], &[STUB, NATS_BLOCKED]),
        "concourse" => ("concourse-cluster.yml", &[], &[]),
        "nats-acceptance" => ("nats-acceptance.yml", &[], &[]),
        "postgres-bbr" => ("postgres.yml", &["postgres__use_bbr.yml"], &[]),
        "prometheus" => ("prometheus.yml", &[], &[]),
        "zookeeper" => ("zookeeper.yml", &[], &[]),
        _ => panic!("what is the scenario {name}?"),
    }
}

fn files(folder: &std::path::Path, name: &str) -> Files {
    let text = |path: PathBuf| fs::read_to_string(&path).unwrap_or_else(|it| panic!("{path:?}: {it}"));
    let (manifest, ops, further) = scenario(name);
    let mut files = vec![(manifest.to_owned(), text(folder.join("manifests").join(manifest)))];
    files.extend(ops.iter().map(|it| ((*it).to_owned(), text(folder.join("ops").join(it)))));
    files.extend(further.iter().enumerate().map(|(n, it)| (format!("{n}.yml"), (*it).to_owned())));
    let mut specs: Vec<PathBuf> =
        fs::read_dir(folder.join("specs")).unwrap().map(|it| it.unwrap().path()).collect();
    specs.sort();
    for spec in specs {
        files.push((spec.file_name().unwrap().to_string_lossy().into_owned(), text(spec)));
    }
    Files::new(files.iter().map(|(name, text)| (name.as_str(), text.as_str())))
}

#[test]
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn real_manifests_are_read_as_by_the_other_program() {
    let Some(folder) = shared() else {
        return eprintln!("skipped: there is no folder of real manifests");
    };
    let mut names: Vec<PathBuf> =
        fs::read_dir(folder.join("expected")).unwrap().map(|it| it.unwrap().path()).collect();
    names.sort();
    for path in names {
        let expected: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let files = files(&folder, &name);
        for profile in [Profile::Bosh, Profile::Strict] {
            compare(&name, &files.read(profile), &expected, profile);
        }
    }
}

fn compare(name: &str, read: &ReadResult, expected: &Value, profile: Profile) {
    let deployment = &read.site.deployments[0];
    assert_eq!(json!(&*deployment.name), expected["deployment"], "{name}");
    if profile == Profile::Bosh {
        let errors = read.diagnostics.iter().filter(|it| it.severity != diag::Severity::Hint);
        assert_eq!(errors.map(|it| &it.message).collect::<Vec<_>>(), Vec::<&String>::new(), "{name}");
    }
    let providers: Vec<Value> = deployment.providers.iter().map(|it| provider(deployment, it)).collect();
    same(name, &providers, expected["providers"].as_array().unwrap());
    let consumers: Vec<Value> = deployment.consumers.iter().map(|it| consumer(deployment, it)).collect();
    let links = expected["links"].as_array().unwrap();
    same(name, &consumers, &links.iter().map(without_result).collect::<Vec<_>>());
    let chosen = links::select(&read.site, profile);
    let results: Vec<Value> = chosen.iter().map(|it| result(&read.site, it)).collect();
    same(name, &results, &links.iter().map(only_result).collect::<Vec<_>>());
    let error = links::director::errors(&read.site, &chosen);
    assert_eq!(json!(error), expected.get("error").cloned().unwrap_or_default(), "{name}");
    let without: BTreeMap<&str, u32> = read.jobs_without_spec.iter().map(|(it, n)| (&**it, *n)).collect();
    assert_eq!(json!(without), expected["jobs_without_spec_file"], "{name}");
}

#[track_caller]
fn same(name: &str, found: &[Value], expected: &[Value]) {
    for (n, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found, expected, "{name}, the {n}th");
    }
    assert_eq!(found.len(), expected.len(), "{name}");
}

fn place(deployment: &Deployment, owner: &Owner) -> (String, String) {
    match owner {
        Owner::Job { group, job } => (deployment.groups[*group].name.to_string(), job.to_string()),
        other => panic!("{other:?}"),
    }
}

fn provider(deployment: &Deployment, it: &links::Provider) -> Value {
    let (group, job) = place(deployment, &it.owner);
    json!({
        "instance_group": group,
        "job": job,
        "original_name": &*it.name.text,
        "type": &*it.link_type.text,
        "name": &*it.public_name().text,
        "shared": it.shared,
        "consumable": it.is_consumable(),
    })
}

fn consumer(deployment: &Deployment, it: &Consumer) -> Value {
    let (group, job) = place(deployment, &it.owner);
    let explicit = match &it.spec {
        ConsumerSpec::Ask(request) => request.span.is_some(),
        ConsumerSpec::Blocked(_) | ConsumerSpec::Manual(_) => true,
        ConsumerSpec::Broken => panic!("{it:?}"),
    };
    json!({
        "instance_group": group,
        "job": job,
        "link": &*it.name.text,
        "type": &*it.link_type.text,
        "optional": it.optional,
        "explicit": explicit,
    })
}

fn without_result(link: &Value) -> Value {
    let keys = ["instance_group", "job", "link", "type", "optional", "explicit"];
    Value::Object(keys.iter().map(|key| ((*key).to_owned(), link[*key].clone())).collect())
}

/// The outcome of a link, and the name of its provider.
fn result(site: &LinkModel, link: &Link) -> Value {
    let Some(id) = link.provider() else {
        let outcome = if link.outcome == Outcome::NoneFound { "no-provider" } else { link.outcome.as_str() };
        return json!({ "result": outcome });
    };
    let deployment = &site.deployments[id.deployment];
    let provider = provider(deployment, &deployment.providers[id.provider]);
    let keys = ["instance_group", "job", "original_name", "name"];
    let provider = keys.iter().map(|key| ((*key).to_owned(), provider[*key].clone()));
    json!({ "result": "linked", "provider": Value::Object(provider.collect()) })
}

fn only_result(link: &Value) -> Value {
    match link.get("provider") {
        Some(provider) => json!({ "result": link["result"], "provider": provider }),
        None => json!({ "result": link["result"] }),
    }
}
