//! Laws of links.

use std::collections::BTreeMap;

use linking::Questions as _;
use planloom_tests::{example::Inputs, fix::fixed, outputs::Outputs, outputs::json};
use proptest::{prelude::*, test_runner::RngAlgorithm, test_runner::TestRng};
use serde_json::Value as Json;
use workspace::File;

use super::{
    config, list,
    manifests::{Manifest, Provide, SPECS},
    text,
};

fn inputs(manifest: String, profile: &str) -> Inputs {
    let file = File { name: "d.yml".into(), text: manifest, package: None };
    Inputs {
        files: vec![file],
        releases: Manifest::releases(),
        profile: workspace::view::LinkProfile::named(profile),
        ..Inputs::default()
    }
}

fn links(inputs: &Inputs) -> Json {
    Outputs::of(inputs).links.map_or(Json::Null, |it| json(&it))
}

/// By group and link: the outcome and whose it is.
fn outcomes(links: &Json) -> BTreeMap<(String, String), (String, Option<String>)> {
    let of = |it: &Json| {
        let key = (text(&it["instance_group"]).to_owned(), text(&it["link"]).to_owned());
        let provider = &it["provider"];
        let who = provider.is_object();
        let who = who.then(|| format!("{}/{}", text(&provider["instance_group"]), text(&provider["name"])));
        (key, (text(&it["outcome"]).to_owned(), who))
    };
    list(&links["links"]).iter().map(of).collect()
}

proptest! {
    #![proptest_config(config())]

    /// As the rules say, worked out by other means.
    #[test]
    fn selection_is_what_the_rules_say(site in Manifest::any()) {
        for profile in ["bosh", "strict"] {
            let found = outcomes(&links(&inputs(site.manifest(), profile)));
            for (key, (outcome, providers)) in site.expected() {
                let (is, who) = &found[&key];
                prop_assert_eq!(is, outcome, "{:?} {:?}", key, site);
                if outcome == "linked" {
                    prop_assert_eq!(who.as_ref(), providers.first());
                }
            }
        }
    }

    /// The order of the manifest decides nothing.
    #[test]
    fn order_does_not_count(site in Manifest::any(), seed in any::<[u8; 32]>()) {
        let mut shuffled = site.clone();
        let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        for n in (1..shuffled.jobs.len()).rev() {
            shuffled.jobs.swap(n, (random.next_u32() as usize) % (n + 1));
        }
        let (one, other) = (inputs(site.manifest(), "bosh"), inputs(shuffled.manifest(), "bosh"));
        prop_assert_eq!(outcomes(&links(&one)), outcomes(&links(&other)));
    }

    /// A provider that is found by type is found under any name.
    #[test]
    fn an_implicit_match_survives_renaming(site in Manifest::any(), which in any::<prop::sample::Index>()) {
        let mut renamed = site.clone();
        let at = which.index(renamed.jobs.len());
        renamed.jobs[at].provides.iter_mut().for_each(|it| {
            if !matches!(it, Some(Provide::Nil)) {
                *it = Some(Provide::As("renamed"));
            }
        });
        let said: BTreeMap<_, _> = site
            .jobs
            .iter()
            .flat_map(|job| {
                let names = SPECS[job.spec].2.iter().zip(&job.consumes);
                names.map(move |((name, ..), said)| ((format!("g{}", job.group), (*name).to_owned()), said.is_some()))
            })
            .collect();
        let after = outcomes(&links(&inputs(renamed.manifest(), "bosh")));
        for (key, before) in outcomes(&links(&inputs(site.manifest(), "bosh"))) {
            if !said[&key] {
                prop_assert_eq!(&before, &after[&key], "{:?}", key);
            }
        }
    }

    /// A provider that no consumer can use changes no outcome.
    #[test]
    fn an_unrelated_provider_changes_nothing(site in Manifest::any()) {
        let plain = inputs(site.manifest(), "bosh");
        let mut more = plain.clone();
        let spec = "name: other\nprovides: [{name: kv, type: unrelated}]\n";
        more.releases.push(File { name: "r__other.yml".into(), text: spec.into(), package: None });
        let extra = r#""instance_groups": [{"name": "extra", "instances": 1, "networks": [{"name": "net"}],
            "jobs": [{"name": "other", "release": "r"}]},"#;
        more.files[0].text = more.files[0].text.replacen("\"instance_groups\": [", extra, 1);
        prop_assert_eq!(outcomes(&links(&plain)), outcomes(&links(&more)));
    }

    /// A fix takes away the error that it is offered for.
    #[test]
    fn fixes_fix(site in Manifest::any()) {
        for profile in ["bosh", "strict"] {
            let before = inputs(site.manifest(), profile);
            let found = links(&before);
            for diagnostic in list(&found["diagnostics"]).iter().filter(|it| it["severity"] == "error") {
                for fix in list(&diagnostic["fixes"]) {
                    let after = Inputs { files: fixed(&before.files, fix), ..before.clone() };
                    let same = |links: &Json| {
                        let all = list(&links["diagnostics"]).iter();
                        all.filter(|it| same_error(it, diagnostic)).count()
                    };
                    prop_assert!(same(&links(&after)) < same(&found), "{} of {}", fix, diagnostic);
                }
            }
        }
    }

    /// Text of any sort is no reason to stop.
    #[test]
    fn noise_does_not_panic(manifest in any::<String>(), spec in any::<String>()) {
        let mut noise = inputs(format!("name: d\ninstance_groups: [{manifest}]\n"), "strict");
        noise.releases[0].text = spec;
        links(&noise);
    }
}

/// The words name the link; the place may move with the edit.
fn same_error(a: &Json, b: &Json) -> bool {
    ["code", "message"].iter().all(|key| a[key] == b[key])
}

/// A thousand groups with twenty links each (case G6).
#[test]
fn many_links_are_resolved() {
    let names = |count: usize, text: fn(usize) -> String| (0..count).map(text).collect::<Vec<_>>().join(", ");
    let provider =
        format!("name: many\nprovides: [{}]\n", names(20, |n| format!("{{name: l{n}, type: t{n}}}")));
    let consumer =
        format!("name: user\nconsumes: [{}]\n", names(20, |n| format!("{{name: l{n}, type: t{n}}}")));
    let group = |n: usize| {
        let provides = names(20, |m| format!("l{m}: {{as: NAME}}")).replace("NAME", &format!("n{n}"));
        let consumes = names(20, |m| format!("l{m}: {{from: NAME}}")).replace("NAME", &format!("n{n}"));
        format!(
            "- name: g{n}\n  instances: 1\n  networks: [{{name: net}}]\n  jobs:\n  \
             - {{name: many, release: r, provides: {{{provides}}}}}\n  \
             - {{name: user, release: r, consumes: {{{consumes}}}}}\n"
        )
    };
    let manifest = format!("name: d\ninstance_groups:\n{}", (0..1000).map(group).collect::<String>());
    let mut workspace = capabilities::workspace();
    let file = |name: &str, text: String| File { name: name.into(), text, package: None };
    workspace.set_releases(vec![file("r__many.yml", provider), file("r__user.yml", consumer)]);
    workspace.set_files(vec![file("d.yml", manifest)]);
    let view = workspace.links();
    assert_eq!(view.links.len(), 20_000);
    for link in &view.links {
        let provider = link.provider.as_ref().expect("it has one");
        assert_eq!(provider.instance_group, link.instance_group);
        assert_eq!(provider.name, link.link);
    }
}
