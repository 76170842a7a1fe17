//! Versions to show: a queue and its console.

use workspace::view::{
    CatalogView, ChannelView, ConflictView, ConstraintKind, FactView, LocationView, Outcome, RequirementView,
    ResolutionView, SelectedView, UpgradeBundleView, UpgradeEdgeView, UpgradeKind, UpgradesView,
};

fn place(line: u32) -> Option<LocationView> {
    Some(LocationView { file: "app.yaml".into(), line, column: 3, end_line: line, end_column: 9 })
}

fn asks(name: &str, package: &str, chosen: Option<&str>) -> RequirementView {
    RequirementView {
        name: format!("payloads.{name}"),
        package: package.into(),
        version: Some("^2.0.0".into()),
        chosen: chosen.map(str::to_owned),
        origin: place(3),
        version_origin: place(4),
        ..RequirementView::default()
    }
}

fn catalog() -> CatalogView {
    CatalogView {
        name: "main".into(),
        bundles: 9,
        packages: ["cache", "console", "queue"].map(str::to_owned).into(),
        ..CatalogView::default()
    }
}

pub(super) fn solved() -> ResolutionView {
    let id = "main:queue:2.1.0:stable";
    ResolutionView {
        outcome: Outcome::Solved,
        sentence: "1 package was chosen".into(),
        requirements: vec![asks("queue", "queue", Some(id))],
        selection: vec![SelectedView {
            id: id.into(),
            catalog: "main".into(),
            package: "queue".into(),
            version: "2.1.0".into(),
            channel: "stable".into(),
            wanted_by: vec!["payloads.queue".into()],
            ..SelectedView::default()
        }],
        catalogs: vec![catalog()],
        ..ResolutionView::default()
    }
}

pub(super) fn unsolvable() -> ResolutionView {
    let fact = |text: &str| FactView {
        constraint: text.into(),
        subject: "payloads.queue".into(),
        kind: ConstraintKind::Dependency,
        origin: place(3),
    };
    let facts = vec![
        fact("`payloads.queue` requires `queue` ^2.0.0"),
        fact("`console` 1.0.0 requires `queue` <2.0.0"),
    ];
    ResolutionView {
        outcome: Outcome::Unsolvable,
        requirements: vec![asks("queue", "queue", None), asks("console", "console", None)],
        conflict: facts.clone(),
        conflicts: vec![ConflictView { summary: "they want other queues".into(), facts }],
        catalogs: vec![catalog()],
        ..ResolutionView::default()
    }
}

/// Five versions in a row: 1.0.0 installed, 1.1.0 skipped, 2.0.0 deprecated, 2.1.0 chosen.
pub(super) fn upgrades() -> UpgradesView {
    let bundle = |version: &str, channels: &[&str]| UpgradeBundleView {
        bundle: format!("queue.v{version}"),
        version: version.into(),
        channels: channels.iter().map(|it| (*it).to_owned()).collect(),
        origin: place(9),
        ..UpgradeBundleView::default()
    };
    let edge = |from: usize, to: usize, kind: UpgradeKind, range: Option<&str>| UpgradeEdgeView {
        from,
        to,
        kind,
        range: range.map(str::to_owned),
        channels: vec!["stable".into()],
        counts: range.is_none(),
        origin: place(20),
    };
    let boxes: Vec<[f32; 4]> = (0..5).map(|at| [(4 - at) as f32 * 200.0, 0.0, 160.0, 48.0]).collect();
    let edges = vec![
        edge(1, 0, UpgradeKind::Replaces, None),
        edge(4, 0, UpgradeKind::SkipRange, Some(">=1.0.0 <2.0.0")),
        edge(3, 0, UpgradeKind::SkipRange, Some(">=1.0.0 <2.0.0")),
        edge(2, 1, UpgradeKind::Replaces, None),
        edge(3, 1, UpgradeKind::Skips, None),
        edge(4, 2, UpgradeKind::Replaces, None),
    ];
    // Lines are given from either end.
    let route = |it: &UpgradeEdgeView| vec![[boxes[it.to][0], 24.0], [boxes[it.from][0] + 160.0, 24.0]];
    UpgradesView {
        catalog: "main".into(),
        package: "queue".into(),
        channels: ["stable", "candidate"]
            .map(|name| ChannelView {
                name: name.into(),
                is_default: name == "stable",
                ..ChannelView::default()
            })
            .into(),
        bundles: vec![
            bundle("2.2.0", &["stable", "candidate"]),
            UpgradeBundleView { selected: true, ..bundle("2.1.0", &["stable"]) },
            UpgradeBundleView {
                deprecated: Some("it loses messages".into()),
                ..bundle("2.0.0", &["stable"])
            },
            UpgradeBundleView { skipped: true, ..bundle("1.1.0", &["stable"]) },
            UpgradeBundleView { installed: true, ..bundle("1.0.0", &["stable"]) },
        ],
        routes: edges.iter().map(route).collect(),
        edges,
        boxes,
        size: [960.0, 48.0],
        ..UpgradesView::default()
    }
}
