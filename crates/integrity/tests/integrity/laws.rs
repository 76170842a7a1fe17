//! Laws over random models and resources: previews, and the content that remains in the end.

use std::collections::{BTreeMap, BTreeSet};

use fields::schema::DeleteBehavior;
use planloom_integrity::{
    DeletionPreview, Flags, InstanceMap, Instances, KindModel, Level, Link, Model, Outcome, PreviewBlocker,
    PreviewEffects, PreviewStep, Rules, Transactions, Via, Work, outcome,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use store::{Key, Kind};

use crate::{oracle::Oracle, support::*};

/// Numbers that a case is built from; after the last there are zeros, so shorter is simpler.
struct Choices(std::vec::IntoIter<u16>);

impl Choices {
    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.0.next().unwrap_or_default()) % limit.max(1)
    }

    fn behavior(&mut self) -> DeleteBehavior {
        DeleteBehavior::ALL[self.below(6)]
    }
}

/// A model of two to five kinds of two services, and up to twelve resources.
struct Case {
    rules: Rules,
    resources: Vec<(Key, Value)>,
    roots: Vec<Vec<Key>>,
}

fn kinds(of: &mut Choices) -> Vec<KindModel> {
    let count = 2 + of.below(4);
    let names: Vec<Kind> =
        (0..count).map(|at| Kind::new(if of.below(4) == 3 { "b" } else { "a" }, format!("K{at}"))).collect();
    let mut kinds = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let mut model = KindModel::new(name.clone());
        if at > 0 && of.below(2) == 1 {
            let behaviors = [
                DeleteBehavior::AsyncCascadeDelete,
                DeleteBehavior::CascadeDelete,
                DeleteBehavior::Block,
                DeleteBehavior::AllowDangling,
            ];
            model = model.parent(names[of.below(at)].clone(), behaviors[of.below(4)]);
        }
        for field in 0..1 + of.below(2) {
            let path = format!("f{field}{}", if field == 1 { "[]" } else { "" });
            model = model.reference(path.parse().unwrap(), names[of.below(count)].clone(), of.behavior());
        }
        // What the guide forbids is left out.
        let cascades =
            model.references.iter().any(|it| it.on_target_deleted == DeleteBehavior::CascadeDelete);
        model.async_deletion = !cascades && of.below(3) == 2;
        kinds.push(model);
    }
    kinds
}

fn resources(kinds: &[KindModel], of: &mut Choices) -> Vec<(Key, Value)> {
    let mut keys: Vec<Key> = Vec::new();
    for at in 0..3 + of.below(10) {
        let kind = &kinds[of.below(kinds.len())];
        let parents: Vec<&Key> = keys.iter().filter(|key| kind.parents.contains(&key.kind)).collect();
        let prefix = match (kind.parents.is_empty(), parents.is_empty()) {
            (true, _) => String::new(),
            (false, true) => continue,
            (false, false) => format!("{}/", parents[of.below(parents.len())].id),
        };
        keys.push(kind.kind.key(format!("{prefix}c/{at}")));
    }
    let values = keys.iter().map(|key| {
        let kind = kinds.iter().find(|it| it.kind == key.kind).unwrap();
        let mut value = json!({});
        for (field, reference) in kind.references.iter().enumerate() {
            let targets: Vec<&Key> = keys.iter().filter(|it| it.kind == reference.target).collect();
            let mut pick = || {
                if targets.is_empty() {
                    None
                } else {
                    targets.get(of.below(targets.len() * 3 / 2 + 1)).map(|it| it.id.to_string())
                }
            };
            value[format!("f{field}")] = match field {
                1 => json!([pick(), pick()].into_iter().flatten().collect::<Vec<_>>()),
                _ => json!(pick().unwrap_or_default()),
            };
        }
        if of.below(4) == 3 {
            let owners: Vec<Value> = (0..1 + of.below(2))
                .map(|_| &keys[of.below(keys.len())])
                .map(|owner| json!({"kind": owner.kind.to_string(), "name": owner.id}))
                .collect();
            value["metadata"] = json!({ "ownerReferences": owners });
        }
        (key.clone(), value)
    });
    values.collect()
}

fn case(choices: Vec<u16>) -> Case {
    let of = &mut Choices(choices.into_iter());
    let kinds = kinds(of);
    let resources = resources(&kinds, of);
    let mut roots = || {
        let count = 1 + of.below(2);
        let picked = (0..count).filter_map(|_| resources.get(of.below(resources.len())));
        picked.map(|(key, _)| key.clone()).collect::<BTreeSet<_>>().into_iter().collect()
    };
    let roots = vec![roots(), roots()];
    let (model, _) = Model::new(kinds);
    Case { rules: Rules::new(model.clone(), Segments(model)), resources, roots }
}

fn opened(case: &Case) -> Transactions {
    let f = with(case.rules.clone(), plugins(), Flags::default());
    let saved: Result = f.t.run(Level::Snapshot, |session| {
        case.resources.iter().try_for_each(|(key, value)| session.create(key.clone(), value.clone()))
    });
    saved.unwrap();
    f.t
}

fn execute(t: &Transactions, roots: &[Key]) -> Result {
    t.run(Level::Snapshot, |session| roots.iter().try_for_each(|root| session.delete(root.clone())))
}

fn lines(map: &InstanceMap) -> Vec<String> {
    map.iter().map(|(key, value)| format!("{}: {}", key.kind.namespace, line(key, value))).collect()
}

/// Executes a deletion whose preview is given, and all that follows, and compares.
fn compare(t: &Transactions, preview: &DeletionPreview, roots: &[Key]) {
    let before = t.instances();
    let result = execute(t, roots);
    assert_eq!(result.is_ok(), preview.is_possible(), "{result:?}");
    if let Err(error) = result {
        if let planloom_integrity::IntegrityError::Blocked { blockers } = error {
            assert_eq!(blockers.iter().map(PreviewBlocker::from).collect::<Vec<_>>(), preview.blocked_by);
        }
        assert_eq!(lines(&t.instances()), lines(&before));
        return;
    }
    for expected in &preview.waves {
        let wave = t.wave().unwrap();
        let found: Vec<PreviewStep> =
            wave.iter().map(|(work, deletion)| PreviewStep::of(work, deletion)).collect();
        assert_eq!(&found, expected);
    }
    assert_eq!(t.wave().unwrap(), []);
    let after = t.instances();
    let left: Vec<&str> = preview.still_deleting.iter().map(|it| it.name.as_str()).collect();
    let deleting: Vec<Key> =
        after.iter().map(|(key, _)| key.clone()).filter(|key| after.is_deleting(key)).collect();
    assert_eq!(deleting.iter().map(|key| &*key.id).collect::<Vec<_>>(), left);
    let stuck: Vec<Work> = t.pending();
    assert_eq!(
        stuck.iter().map(|it| it.key().id.to_string()).collect::<Vec<_>>(),
        preview.stuck.iter().map(|it| it.resource.name.clone()).collect::<Vec<_>>()
    );
    assert!(stuck.iter().all(|it| matches!(outcome(t.rules(), &after, it), Outcome::Blocked(_))));
}

/// The transaction of a deletion again, with loops over everything and nothing of the code that is tested but the links.
fn naive(map: &InstanceMap, roots: &[Key]) -> (BTreeSet<Key>, bool) {
    let links: Vec<Link> = map
        .iter()
        .flat_map(|(key, value)| map.rules().links(key, value))
        .filter(|link| map.is_active(&link.referrer))
        .collect();
    let mut deleted: BTreeSet<Key> = roots.iter().filter(|key| map.is_active(key)).cloned().collect();
    loop {
        let more = links
            .iter()
            .filter(|it| it.behavior == DeleteBehavior::CascadeDelete && deleted.contains(&it.target));
        let more: BTreeSet<Key> =
            more.map(|it| it.referrer.clone()).filter(|key| !deleted.contains(key)).collect();
        if more.is_empty() {
            break;
        }
        deleted.extend(more);
    }
    let blocked = links.iter().any(|it| {
        it.behavior == DeleteBehavior::Block
            && deleted.contains(&it.target)
            && !deleted.contains(&it.referrer)
    });
    (deleted, blocked)
}

fn agrees_with_naive(map: &InstanceMap, preview: &DeletionPreview, roots: &[Key]) {
    let (deleted, blocked) = naive(map, roots);
    assert_eq!(!preview.blocked_by.is_empty(), blocked);
    if preview.is_possible() {
        let PreviewEffects { removed, deleting, .. } = &preview.transaction;
        let mut found: Vec<&str> = removed.iter().chain(deleting).map(|it| it.name.as_str()).collect();
        found.sort_unstable();
        let mut expected: Vec<&str> = deleted.iter().map(|key| &*key.id).collect();
        expected.sort_unstable();
        assert_eq!(found, expected);
        // What refers to a resource is removed before it, unless they refer to each other in a circle.
        let place: BTreeMap<&str, usize> =
            removed.iter().enumerate().map(|(at, it)| (it.name.as_str(), at)).collect();
        for (key, value) in map.iter() {
            for link in map.rules().links(key, value) {
                if let (Some(from), Some(to)) = (place.get(&*link.referrer.id), place.get(&*link.target.id)) {
                    assert!(from <= to || reaches(map, &link.target, &link.referrer), "{link:?}");
                }
            }
        }
    }
}

fn reaches(map: &InstanceMap, from: &Key, to: &Key) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![from.clone()]);
    while let Some(key) = open.pop() {
        if key == *to {
            return true;
        }
        if seen.insert(key.clone()) {
            open.extend(map.dependencies(&key).into_iter().map(|link| link.target));
        }
    }
    false
}

/// Every reference of an active resource leads to something, unless that is allowed or its own deletion is blocked.
fn nothing_is_broken(t: &Transactions) {
    let map = t.instances();
    let stuck: BTreeSet<Key> = t.pending().into_iter().map(|work| work.key().clone()).collect();
    for (key, _) in map.iter().filter(|(key, _)| map.is_active(key)) {
        for link in map.dependencies(key) {
            let fine = map.value(&link.target).is_some() || link.behavior == DeleteBehavior::AllowDangling;
            let deletes =
                link.behavior == DeleteBehavior::AsyncCascadeDelete || matches!(link.via, Via::Owner { .. });
            assert!(fine || (stuck.contains(key) && deletes), "{link:?}");
        }
    }
}

/// The content that remains, without the fields of resources that are being deleted: these are not changed any more, so they
/// still have the references that would have been cleared if that had come first.
fn settled(t: &Transactions) -> Vec<String> {
    let map = t.instances();
    let line = |key: &Key, value: &Value| match map.is_active(key) {
        true => line(key, value),
        false => format!("{key} is being deleted"),
    };
    map.iter().map(|(key, value)| line(key, value)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: ProptestConfig::default().cases.max(10_000),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn a_preview_is_what_happens(choices in prop::collection::vec(any::<u16>(), 0..120), drained: bool) {
        let case = case(choices);
        let t = opened(&case);
        let mut oracle = Oracle::new(&t.instances());
        for roots in &case.roots {
            let map = t.instances();
            if roots.iter().all(|root| map.value(root).is_some()) {
                oracle.delete(roots, false);
            }
            let preview = DeletionPreview::of(&map, roots);
            agrees_with_naive(&map, &preview, roots);
            if !drained && roots == &case.roots[0] {
                // The second deletion starts in the middle of the first.
                let _ = execute(&t, roots);
                continue;
            }
            compare(&t, &preview, roots);
            if preview.is_possible() {
                oracle.drain();
            }
        }
        drain(&t);
        nothing_is_broken(&t);
        oracle.drain();
        let map = t.instances();
        let (active, deleting): (BTreeSet<Key>, BTreeSet<Key>) =
            map.iter().map(|(key, _)| key.clone()).partition(|key| map.is_active(key));
        prop_assert_eq!((active, deleting), (oracle.active, oracle.deleting));
    }

    #[test]
    fn the_order_of_asynchronous_work_does_not_matter(choices in prop::collection::vec(any::<u16>(), 0..120), pick: u16) {
        let case = case(choices);
        let (one, two) = (opened(&case), opened(&case));
        for t in [&one, &two] {
            case.roots.iter().for_each(|roots| drop(execute(t, roots)));
        }
        drain(&one);
        loop {
            let work = two.pending();
            let at = usize::from(pick) % work.len().max(1);
            let order = work.iter().skip(at).chain(work.iter().take(at));
            let done = order.map(|it| two.perform(it).unwrap()).any(|it| matches!(it, Outcome::Done(_)));
            if !done {
                break;
            }
        }
        prop_assert_eq!(settled(&one), settled(&two));
        // Of several owners that are gone, the one whose reference is left to a resource that is blocked may be any.
        let keys = |t: &Transactions| t.pending().iter().map(|work| work.key().clone()).collect::<Vec<_>>();
        prop_assert_eq!(keys(&one), keys(&two));
    }
}

#[test]
fn the_random_cases_are_of_every_sort() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut number = 1_u64;
    let mut next = || {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 40) as u16
    };
    for _ in 0..2_000 {
        let case = case((0..120).map(|_| next()).collect());
        let map = InstanceMap::of(case.rules.clone(), case.resources.iter().cloned());
        let preview = DeletionPreview::of(&map, &case.roots[0]);
        let steps = || preview.waves.iter().flatten();
        for (sort, is) in [
            ("blocked", !preview.blocked_by.is_empty()),
            (
                "cascade",
                preview.transaction.removed.len() + preview.transaction.deleting.len() > case.roots[0].len(),
            ),
            ("cleared", !preview.transaction.cleared.is_empty()),
            ("kept", !preview.transaction.deleting.is_empty()),
            ("waves", preview.waves.len() > 1),
            ("cleared later", steps().any(|step| !step.effects.cleared.is_empty())),
            ("several at once later", steps().any(|step| step.effects.removed.len() > 1)),
            ("stuck", !preview.stuck.is_empty()),
            ("still deleting", !preview.still_deleting.is_empty()),
        ] {
            *counts.entry(sort).or_default() += usize::from(is);
        }
    }
    assert!(counts.values().all(|count| *count >= 10), "{counts:?}");
}
