//! Real specifications, read from the folder `shared` beside the checkout; skipped, visibly, where that is absent.

use std::{collections::BTreeMap, fs, path::PathBuf};

use fields::schema::DeleteBehavior;
use planloom_integrity::{KindModel, Model, stuck_deletions};
use serde_json::Value;
use store::Kind;

fn specifications() -> Option<Vec<Value>> {
    let shared = std::env::var("PLANLOOM_SHARED")
        .map_or_else(|_| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared"), PathBuf::from);
    let files = fs::read_dir(shared.join("data/goten/expected")).ok()?;
    let texts = files.filter_map(|file| fs::read_to_string(file.ok()?.path()).ok());
    Some(texts.filter_map(|text| serde_json::from_str(&text).ok()).collect())
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str)
}

fn kinds(specification: &Value) -> Vec<KindModel> {
    let service = specification["name"].as_str().unwrap();
    let kind = |text: &str| match text.split_once('/') {
        Some((of, name)) => Kind::new(of, name),
        None => Kind::new(service, text),
    };
    let behavior = |value: &Value| value.as_str().and_then(DeleteBehavior::named);
    let of = |resource: &Value| {
        let mut model = KindModel::new(kind(resource["name"].as_str().unwrap()));
        model.parents = texts(&resource["parents"]).filter(|it| !it.is_empty()).map(kind).collect();
        model.on_parent_deleted = behavior(&resource["on_parent_deleted_behavior"]);
        model.async_deletion = resource["async_deletion"].as_bool().unwrap();
        resource["references"].as_array().unwrap().iter().fold(model, |model, it| {
            let (path, target) = (it["path"].as_str().unwrap(), it["resource"].as_str().unwrap());
            model.reference(
                path.parse().unwrap(),
                kind(target),
                behavior(&it["target_delete_behavior"]).unwrap(),
            )
        })
    };
    specification["resources"].as_array().into_iter().flatten().map(of).collect()
}

/// The newest version of each service, and kinds of other services that these depend on, of which nothing is known.
fn current(specifications: &[Value]) -> Model {
    let mut newest: BTreeMap<&str, &Value> = BTreeMap::new();
    for it in specifications.iter().filter(|it| it["resources"].is_array()) {
        let has_next = it["next_version"].as_str().is_some_and(|next| !next.is_empty());
        let name = it["name"].as_str().unwrap();
        if !has_next || !newest.contains_key(name) {
            newest.insert(name, it);
        }
    }
    let mut all: BTreeMap<Kind, KindModel> = BTreeMap::new();
    let known: Vec<KindModel> = newest.values().flat_map(|it| kinds(it)).collect();
    for model in &known {
        let others = model.parents.iter().chain(model.references.iter().map(|it| &it.target));
        for kind in others {
            all.entry(kind.clone()).or_insert_with(|| KindModel::new(kind.clone()));
        }
    }
    all.extend(known.into_iter().map(|model| (model.kind.clone(), model)));
    let (model, problems) = Model::new(all.into_values());
    assert_eq!(problems, [], "real specifications are valid models");
    model
}

#[test]
fn the_stuck_deletions_of_real_specifications_are_found() {
    let Some(specifications) = specifications() else {
        return eprint_skipped();
    };
    let model = current(&specifications);
    let found: Vec<String> = stuck_deletions(&model)
        .iter()
        .map(|it| format!("{} > {} < {} of {}", it.root, it.stuck, it.field, it.blocker))
        .collect();
    assert_eq!(
        found,
        [
            "ai.edgelq.com/SearchDb > ai.edgelq.com/SearchIndex < rag_config.search_indices of ai.edgelq.com/CapabilityTemplate",
            "iam.edgelq.com/Organization > limits.edgelq.com/LimitPool < sources of limits.edgelq.com/Limit",
            "meta.goten.com/Service > limits.edgelq.com/LimitPool < sources of limits.edgelq.com/Limit",
            "meta.goten.com/Service > meta.goten.com/Resource < resource of limits.edgelq.com/Limit",
            "meta.goten.com/Service > meta.goten.com/Resource < resource of limits.edgelq.com/RetentionPolicy",
        ]
    );
}

#[expect(clippy::print_stderr, reason = "a skipped test has to be seen")]
fn eprint_skipped() {
    eprintln!("skipped: there is no folder shared/data/goten/expected");
}
