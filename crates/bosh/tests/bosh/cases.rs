//! Outcomes of links in manifests, by the names of the behavioural cases.

use links::{Consumer, Deployment, LinkModel, Outcome, Owner, Profile, ProviderId};

use crate::jobs;

fn owner(deployment: &Deployment, owner: &Owner) -> String {
    match owner {
        Owner::Job { group, job } => format!("{}.{job}", deployment.groups[*group].name),
        Owner::Disk { group } => deployment.groups[*group].name.to_string(),
        Owner::Variable { name } => format!("variable {name}"),
        Owner::Service { .. } => unreachable!("manifests have no services"),
    }
}

fn provider(site: &LinkModel, id: ProviderId) -> String {
    let deployment = &site.deployments[id.deployment];
    let it = &deployment.providers[id.provider];
    let other = if id.deployment == 0 { String::new() } else { format!("{}:", deployment.name) };
    format!("{other}{} {}", owner(deployment, &it.owner), it.public_name().text)
}

fn consumer(deployment: &Deployment, it: &Consumer) -> String {
    format!("{} {}", owner(deployment, &it.owner), it.name.text)
}

/// The outcomes of one manifest's links by profile, as `consumer -> provider`.
fn outcomes(manifest: &str, others: &[(&str, &str)], profile: Profile) -> Vec<String> {
    let (_, read) = jobs::read(manifest, others, profile);
    let site = &read.site;
    let links = links::select(site, profile);
    let shown = links.iter().filter(|it| it.deployment == 0).map(|link| {
        let outcome = match &link.outcome {
            Outcome::Linked(id) => provider(site, *id),
            Outcome::Ambiguous(ids) => {
                ids.iter().map(|it| provider(site, *it)).collect::<Vec<_>>().join(" | ")
            }
            other => other.as_str().to_owned(),
        };
        format!(
            "{} -> {outcome}",
            consumer(&site.deployments[0], &site.deployments[0].consumers[link.consumer])
        )
    });
    shown.collect()
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    for profile in [Profile::Bosh, Profile::Strict] {
        assert_eq!(outcomes(&jobs::manifest(text, ""), &[], profile), expected, "{profile:?} {text}");
    }
}

#[test]
fn implicit_links() {
    check("s: store\na: api", &["a.api backend -> s.store kv"]);
    check("a: api\ns: store", &["a.api backend -> s.store kv"]);
    check("a: api", &["a.api backend -> none_found"]);
    check("s: store\nc: cache\na: api", &["a.api backend -> s.store kv | c.cache kv-cache"]);
    check(
        "s: store {provides: {kv: {as: x}}}\nc: cache\na: api",
        &["a.api backend -> s.store x | c.cache kv-cache"],
    );
    check("s: store\nc: cache {provides: {kv-cache: nil}}\na: api", &["a.api backend -> s.store kv"]);
    check("t: twin\na: api", &["a.api backend -> t.twin kv-a | t.twin kv-b"]);
    check("s: store\nw: web", &["w.web main -> s.store kv", "w.web spare -> s.store kv"]);
    check(
        "s: store\nc: cache\nw: web {consumes: {main: {from: kv}}}",
        &["w.web main -> s.store kv", "w.web spare -> s.store kv | c.cache kv-cache"],
    );
    check("w: web", &["w.web main -> none_found", "w.web spare -> absent"]);
    check("p: peer", &["p.peer mesh -> p.peer mesh"]);
    let both = "p.peer mesh | q.peer mesh";
    check("p: peer\nq: peer", &[&format!("p.peer mesh -> {both}"), &format!("q.peer mesh -> {both}")]);
}

#[test]
fn explicit_links() {
    let api = |said: &str| format!("a: api {{consumes: {{backend: {said}}}}}");
    let check = |providers: &str, said: &str, expected: &str| {
        check(&format!("{providers}\n{}", api(said)), &[&format!("a.api backend -> {expected}")]);
    };
    check("s: store {provides: {kv: {as: x}}}", "{from: kv}", "none_found");
    check("s: store {provides: {kv: {as: x}}}", "{from: x}", "s.store x");
    check("s: store", "{network: net}", "none_found");
    check("q: queue", "{from: kv}", "none_found");
    check("q: queue\ns: store", "{from: kv}", "s.store kv");
    let both = "s: store {provides: {kv: {as: x}}}\nt: store {provides: {kv: {as: x}}}";
    check(both, "{from: x}", "s.store x | t.store x");
    let crossed = "t: twin {provides: {kv-a: {as: kv-b}, kv-b: {as: kv-a}}}";
    check(crossed, "{from: kv-a}", "t.twin kv-a");
    check("s: store {provides: {kv: {as: backend}}}", "{}", "s.store backend");
    check("s: store", "{}", "none_found");
    check("s: store", "{from: kv, deployment: d}", "s.store kv");
    check("s: store", "{from: kv, deployment: zzz}", "refused");
    check("s: store", "{from: kv, network: net}", "s.store kv");
    check("s: store", "{from: kv, network: nope}", "refused");
    check("s: store", "nil", "blocked");
    check("s: store {provides: {kv: nil}}", "{from: kv}", "none_found");
    check("s: store", "{instances: [{address: h}], properties: {port: 1}}", "manual");
    check("s: store", "{address: h}", "manual");
    check("s: store", "{properties: {port: 1}}", "refused");
}

#[test]
fn a_dotted_name_is_its_last_part_to_the_director_alone() {
    let manifest = jobs::manifest("s: store\na: api {consumes: {backend: {from: other.kv}}}", "");
    assert_eq!(outcomes(&manifest, &[], Profile::Bosh), ["a.api backend -> s.store kv"]);
    assert_eq!(outcomes(&manifest, &[], Profile::Strict), ["a.api backend -> refused"]);
}

#[test]
fn links_that_one_can_do_without() {
    check(
        "s: store\nw: web {consumes: {spare: nil}}",
        &["w.web main -> s.store kv", "w.web spare -> absent"],
    );
    check("s: store {provides: {kv: nil}}\nw: web", &["w.web main -> none_found", "w.web spare -> absent"]);
    check(
        "s: store\nw: web {consumes: {spare: {from: nope}}}",
        &["w.web main -> s.store kv", "w.web spare -> none_found"],
    );
}

#[test]
fn links_of_other_deployments() {
    let check = |provides: &str, said: &str, bosh: &str, strict: &str| {
        let other = jobs::manifest(&format!("s: store {{provides: {{kv: {provides}}}}}"), "");
        let other = other.replacen("name: d", "name: e", 1);
        let manifest = jobs::manifest(&format!("a: api {{consumes: {{backend: {said}}}}}"), "");
        for (profile, expected) in [(Profile::Bosh, bosh), (Profile::Strict, strict)] {
            let files = [("d.yml", manifest.as_str()), ("e.yml", other.as_str())];
            let files = jobs::SPECS.into_iter().chain(files);
            let read = crate::files::Files::new(files.collect::<Vec<_>>()).read(profile);
            let link = &links::select(&read.site, profile)[0];
            let found = match &link.outcome {
                Outcome::Linked(id) => provider(&read.site, *id),
                other => other.as_str().to_owned(),
            };
            assert_eq!(found, expected, "{profile:?} {provides} {said}");
        }
    };
    check("{as: k, shared: true}", "{from: k, deployment: e}", "e:s.store k", "e:s.store k");
    check("{as: k}", "{from: k, deployment: e}", "none_found", "refused");
    check("{shared: true}", "{from: nope, deployment: e}", "none_found", "none_found");
    check("{shared: true}", "{}", "none_found", "none_found");
}

#[test]
fn custom_providers_addons_and_disks() {
    let custom = |listed: &str| {
        let definition = format!("[{{name: k, type: kv, properties: [{listed}]}}]");
        format!("b: bare {{custom_provider_definitions: {definition}}}\na: api")
    };
    check(&custom("port"), &["a.api backend -> b.bare k"]);
    check(&custom("nope"), &["a.api backend -> none_found"]);
    check(
        "b: bare {custom_provider_definitions: [{name: k, type: kv}], provides: {k: {as: z}}}\n\
         a: api {consumes: {backend: {from: z}}}",
        &["a.api backend -> b.bare z"],
    );

    let addon = |rules: &str| format!("addons: [{{name: x, {rules}jobs: [{{name: agent, release: r}}]}}]");
    let with_addon = |jobs: &str, rules: &str| {
        outcomes(&jobs::manifest(jobs, &addon(rules)), &[], Profile::Strict).join("; ")
    };
    assert_eq!(with_addon("x: probe\ny: bare", ""), "x.probe agent -> x.agent agent | y.agent agent");
    assert_eq!(
        with_addon("x: probe {consumes: {agent: {scope: instance}}}\ny: bare", ""),
        "x.probe agent -> x.agent agent"
    );
    let rules = "include: {jobs: [{name: bare, release: r}]}, ";
    assert_eq!(with_addon("x: probe\ny: bare", rules), "x.probe agent -> y.agent agent");

    let spec = ("r__mounts.yml", "name: mounts\nconsumes: [{name: data2, type: disk}]");
    let manifest = jobs::manifest("s: mounts {consumes: {data2: {from: data}}}", "")
        .replace("  jobs:", "  persistent_disks: [{name: data, type: big}]\n  jobs:");
    assert_eq!(outcomes(&manifest, &[spec], Profile::Bosh), ["s.mounts data2 -> s data"]);
}

#[test]
fn certificates_take_addresses() {
    let variables =
        "variables: [{name: v, type: certificate, consumes: {alternative_name: {from: kv, link_type: kv}}}]";
    let manifest = jobs::manifest("s: store", variables);
    assert_eq!(outcomes(&manifest, &[], Profile::Bosh), ["variable v alternative_name -> s.store kv"]);
}
