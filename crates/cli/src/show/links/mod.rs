mod failed;
mod linked;
mod name;
mod rest;

use workspace::view::words::count;
use workspace::view::{LinkOutcome, LinksView};

use crate::args::Only;
use crate::console::Paint;

/// The links between providers and consumers: those that have to be fixed first, then each consumer below its group.
pub(crate) fn show(view: &LinksView, only: Only, paint: Paint, room: usize) -> String {
    let mut parts = vec![paint.bold(&summary(view)) + "\n"];
    parts.push(rest::changes(view, paint, room));
    parts.push(failed::show(view, paint, room));
    parts.push(rest::director(view, paint));
    if only == Only::All {
        parts.push(linked::show(view, paint, room));
        parts.push(rest::circles(view, paint, room));
    }
    parts.push(rest::latent(view, paint, room));
    parts.push(rest::without_spec(view, paint, room));
    parts.retain(|it| !it.is_empty());
    parts.join("\n")
}

/// `150 links: 137 linked, 12 absent, 1 ambiguous`.
fn summary(view: &LinksView) -> String {
    let number = |outcome| view.links.iter().filter(|it| it.outcome == outcome).count();
    let parts: Vec<String> = LinkOutcome::ALL
        .iter()
        .map(|outcome| (number(*outcome), outcome.word()))
        .filter(|(n, _)| *n > 0)
        .map(|(n, words)| format!("{n} {words}"))
        .collect();
    if view.links.is_empty() && view.providers.is_empty() {
        return "no links: nothing is provided or consumed".into();
    }
    let links = count(view.links.len(), "link");
    let providers = count(view.providers.len(), "provider");
    match parts.is_empty() {
        true => format!("{links}, {providers}"),
        false => format!("{links} ({}), {providers}", parts.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value as Json, json};

    use super::*;

    fn provider(group: &str, job: &str, name: &str) -> Json {
        json!({"deployment": "cf", "instance_group": group, "job": job, "address": null, "name": name, "alias": null})
    }

    fn link(group: &str, job: &str, name: &str, outcome: &str, sentence: &str) -> Json {
        json!({"deployment": "cf", "instance_group": group, "job": job, "consumer": null, "link": name,
            "type": name, "optional": outcome == "absent", "explicit": false, "outcome": outcome, "reason": null,
            "sentence": sentence, "provider": null, "provider_index": null, "considered": [],
            "considered_more": 0, "content": null, "error": null, "origin": null})
    }

    fn with(mut link: Json, fields: Json) -> Json {
        for (key, value) in fields.as_object().into_iter().flatten() {
            link[key] = value.clone();
        }
        link
    }

    /// Two deployments are not needed to see how a line is made; one is what most have.
    fn view() -> LinksView {
        let (sql, nats) = (provider("db", "mysql", "sql"), provider("nats", "nats", "nats"));
        let offered = |provider: &Json, links: Json| {
            with(
                provider.clone(),
                json!({"kind": "job", "type": provider["name"], "shared": false,
                "consumable": true, "properties": {}, "links": links, "origin": null}),
            )
        };
        let place = json!({"file": "cf.yml", "line": 40, "column": 3, "end_line": 40, "end_column": 9});
        let tried = |provider: &Json, index: usize, sentence: &str| json!({"provider": provider, "provider_index": index, "verdict": "matched", "sentence": sentence});
        let nats_b = with(nats.clone(), json!({"instance_group": "nats-b", "alias": "other"}));
        serde_json::from_value(json!({
            "format": "planloom.links/1", "profile": "bosh", "deployments": ["cf"],
            "providers": [offered(&sql, json!([0])), offered(&nats, json!([])), offered(&nats_b, json!([]))],
            "links": [
                with(link("api", "ccng", "sql", "linked", "it is the only one of its type"),
                    json!({"provider": sql, "provider_index": 0})),
                with(link("api", "ccng", "ca", "absent", "nobody provides one"), json!({"reason": "no_provider"})),
                with(link("router", "gorouter", "nats", "ambiguous", "two could be meant, and neither is named"),
                    json!({"considered": [tried(&nats, 1, "it is of the type"), tried(&nats_b, 2, "it is of the type")],
                        "considered_more": 3, "origin": place})),
            ],
            "latent": [{"deployment": "cf", "type": "nats", "providers": [1, 2]}],
            "circles": [["api", "db"]],
            "jobs_without_spec": {"bpm/bpm": 17, "capi/tps": 1},
            "error": "Failed to resolve links from deployment 'cf'. See errors below:\n  - Multiple providers",
            "diagnostics": []
        }))
        .expect("a view")
    }

    fn check(only: Only, room: usize, expected: &Expect) {
        expected.assert_eq(&show(&view(), only, Paint { on: false }, room));
    }

    #[test]
    fn problems_come_first_then_each_group() {
        check(
            Only::All,
            usize::MAX,
            &expect![[r#"
                3 links (1 linked, 1 absent, 1 ambiguous), 3 providers

                not linked
                  router/gorouter nats  ✗ ambiguous
                    cf.yml:40
                    two could be meant, and neither is named
                    ├─ nats/nats                  matched  it is of the type
                    ├─ nats-b/nats nats as other  matched  it is of the type
                    └─ and 3 more

                in the director's words
                  Failed to resolve links from deployment 'cf'. See errors below:
                    - Multiple providers

                api
                  ccng      sql   → db/mysql sql
                  ccng      ca    – absent: no provider

                router
                  gorouter  nats  ✗ ambiguous

                form a cycle of links, which is allowed
                  api, db

                provided more than once and not consumed: the next consumer has to name one
                  nats: nats/nats, nats-b/nats nats as other

                their links are not known, because their specs are missing
                  bpm/bpm ×17, capi/tps
            "#]],
        );
    }

    #[test]
    fn resolved_links_can_be_hidden() {
        check(
            Only::Problems,
            60,
            &expect![[r#"
                3 links (1 linked, 1 absent, 1 ambiguous), 3 providers

                not linked
                  router/gorouter nats  ✗ ambiguous
                    cf.yml:40
                    two could be meant, and neither is named
                    ├─ nats/nats                  matched  it is of the type
                    ├─ nats-b/nats nats as other  matched  it is of the type
                    └─ and 3 more

                in the director's words
                  Failed to resolve links from deployment 'cf'. See errors below:
                    - Multiple providers

                provided more than once and not consumed: the next consumer has to name one
                  nats: nats/nats, nats-b/nats nats as other

                their links are not known, because their specs are missing
                  bpm/bpm ×17, capi/tps
            "#]],
        );
    }

    #[test]
    fn no_links_print_nothing() {
        let text = show(&LinksView::default(), Only::All, Paint { on: false }, 80);
        assert_eq!(text, "no links: nothing is provided or consumed\n");
    }
}
