//! Links to show: a small site, and generated ones of any size.

use std::rc::Rc;

use serde_json::json;
use workspace::view::{
    CandidateView, LatentView, LinkEdgeView, LinkMapView, LinkNodeView, LinkOutcome, LinkProfile,
    LinkProviderView, LinkReason, LinkView, LinksView, LocationView, ProviderKind, ProviderView, Verdict,
};

use super::model::Model;

fn place(line: u32) -> Option<LocationView> {
    Some(LocationView { file: "cf.yml".into(), line, column: 3, end_line: line, end_column: 9 })
}

fn offered(group: &str, job: &str, name: &str) -> ProviderView {
    ProviderView {
        provider: LinkProviderView {
            deployment: "cf".into(),
            instance_group: Some(group.into()),
            job: Some(job.into()),
            name: name.into(),
            ..LinkProviderView::default()
        },
        kind: ProviderKind::Job,
        link_type: name.into(),
        consumable: true,
        properties: json!({"port": 1}),
        origin: place(1),
        ..ProviderView::default()
    }
}

/// A link to a provider, or one that failed or is absent.
fn requested(
    group: &str,
    job: &str,
    name: &str,
    outcome: LinkOutcome,
    to: Option<usize>,
    all: &[ProviderView],
) -> LinkView {
    let provider = to.and_then(|at| all.get(at)).map(|it| it.provider.clone());
    let considered = all.iter().enumerate().map(|(at, it)| CandidateView {
        provider: it.provider.clone(),
        provider_index: at,
        verdict: if Some(at) == to { Verdict::Matched } else { Verdict::WrongType },
        sentence: "it says so".into(),
    });
    LinkView {
        deployment: "cf".into(),
        instance_group: Some(group.into()),
        job: Some(job.into()),
        link: name.into(),
        link_type: name.into(),
        optional: outcome == LinkOutcome::Absent,
        outcome,
        reason: (outcome == LinkOutcome::Absent).then_some(LinkReason::NoProvider),
        sentence: format!("`{name}` is {outcome}"),
        provider,
        provider_index: to,
        considered: considered.take(4).collect(),
        considered_more: all.len().saturating_sub(4),
        content: to.map(|_| json!({"address": "10.0.0.1", "properties": {"password": "••••••"}})),
        origin: place(2),
        ..LinkView::default()
    }
}

/// Owners, lines between them, and places side by side.
fn map(view: &LinksView) -> LinkMapView {
    let mut nodes: Vec<LinkNodeView> = Vec::new();
    let mut node = |name: &str| {
        nodes.iter().position(|it| it.name == name).unwrap_or_else(|| {
            nodes.push(LinkNodeView {
                deployment: "cf".into(),
                name: name.into(),
                ..LinkNodeView::default()
            });
            nodes.len() - 1
        })
    };
    let group = |it: &Option<String>| it.clone().unwrap_or_default();
    let providers: Vec<usize> =
        view.providers.iter().map(|it| node(&group(&it.provider.instance_group))).collect();
    let consumers: Vec<usize> = view.links.iter().map(|it| node(&group(&it.instance_group))).collect();
    providers.iter().enumerate().for_each(|(at, owner)| nodes[*owner].providers.push(at));
    consumers.iter().enumerate().for_each(|(at, owner)| nodes[*owner].links.push(at));
    let mut edges: Vec<LinkEdgeView> = Vec::new();
    for (at, link) in view.links.iter().enumerate() {
        let Some(to) = link.provider_index.map(|it| providers[it]) else { continue };
        let from = consumers[at];
        match edges.iter_mut().find(|it| (it.from, it.to) == (from, to)) {
            Some(edge) => edge.links.push(at),
            None => edges.push(LinkEdgeView { from, to, links: vec![at] }),
        }
    }
    let boxes = (0..nodes.len()).map(|at| [at as f32 * 240.0, 0.0, 200.0, 44.0]).collect();
    let routes = edges.iter().map(|it| {
        let x = |at: usize| at as f32 * 240.0;
        if it.from == it.to { Vec::new() } else { vec![[x(it.from), 22.0], [x(it.to) + 200.0, 22.0]] }
    });
    LinkMapView { routes: routes.collect(), boxes, nodes, edges, size: [4_000.0, 44.0] }
}

fn model(mut providers: Vec<ProviderView>, links: Vec<LinkView>) -> Model {
    for (at, link) in links.iter().enumerate() {
        if let Some(provider) = link.provider_index {
            providers[provider].links.push(at);
        }
    }
    let view = LinksView {
        format: "planloom.links/1".into(),
        profile: LinkProfile::Strict,
        deployments: vec!["cf".into()],
        latent: vec![LatentView {
            deployment: "cf".into(),
            link_type: "spare".into(),
            providers: vec![0, 1],
        }],
        providers,
        links,
        ..LinksView::default()
    };
    let map = map(&view);
    Model::new(&Rc::new(view), &Rc::new(map))
}

/// `router → web → db`, `db → db`, one that is ambiguous and one that is absent.
pub(super) fn small() -> Model {
    let all =
        vec![offered("db", "mysql", "sql"), offered("web", "app", "http"), offered("old", "nats", "nats")];
    let links = vec![
        requested("web", "app", "sql", LinkOutcome::Linked, Some(0), &all),
        requested("router", "proxy", "http", LinkOutcome::Linked, Some(1), &all),
        requested("web", "app", "nats", LinkOutcome::Ambiguous, None, &all),
        requested("db", "backup", "sql", LinkOutcome::Linked, Some(0), &all),
        requested("router", "proxy", "ca", LinkOutcome::Absent, None, &all),
    ];
    model(all, links)
}

/// Many groups, each with as many providers as fit, and consumers spread over them; each twelfth has none.
pub(super) fn generated(groups: usize, links: usize) -> Model {
    let group = |at: usize| format!("group-{}", at % groups);
    let all: Vec<ProviderView> =
        (0..57).map(|at| offered(&group(at), "job", &format!("type-{at}"))).collect();
    let links = (0..links).map(|at| {
        // Half of all go to the first group.
        let to = if at % 2 == 0 { at % 4 * 17 } else { (at * at + 3 * at) % all.len() };
        let (outcome, to) =
            if at % 12 == 5 { (LinkOutcome::Absent, None) } else { (LinkOutcome::Linked, Some(to)) };
        requested(&group(at * 7), &format!("job-{at}"), &format!("type-{at}"), outcome, to, &all)
    });
    let links = links.collect();
    model(all, links)
}
