//! Laws of conversions, for any resources.

use std::cmp::Ordering;

use fields::{BySegment, MessageType};
use planloom_conversion::Direction;
use proptest::{collection, prelude::*};
use serde_json::{Value, json};

use crate::{
    secrets::{VAULT, converted, filter, mask, name, new_secret, normal, old_secret, order},
    server::{api, sent},
    vault::vault,
};

fn message(version: usize, check: impl FnOnce(MessageType<'_>)) {
    let (_, schemas) = VAULT.given();
    check(MessageType::new(schemas.get(version).unwrap(), "Secret").unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_the_old_version_stores_it_reads_again(old in old_secret()) {
        prop_assert_eq!(converted(Direction::ToOld, &converted(Direction::ToNew, &old)), old);
    }

    #[test]
    fn what_is_read_and_written_changes_nothing(new in new_secret()) {
        let mut written = converted(Direction::ToNew, &converted(Direction::ToOld, &new));
        VAULT.kind("Secret").unwrap().keep_unknown(&new, &mut written);
        prop_assert_eq!(normal(&written, 1), new);
    }

    #[test]
    fn an_update_is_the_same_in_both_versions(stored in new_secret(), sent in old_secret(), mask in mask()) {
        let secret = VAULT.kind("Secret").unwrap();
        let mut updated = stored.clone();
        secret.mask(Direction::ToNew, &mask).copy(&converted(Direction::ToNew, &sent), &mut updated);
        secret.keep_unknown(&stored, &mut updated);
        let mut expected = converted(Direction::ToOld, &stored);
        mask.copy(&sent, &mut expected);
        let shown = |it: &Value| without_empty(normal(it, 0));
        prop_assert_eq!(shown(&converted(Direction::ToOld, &updated)), shown(&expected), "{}", updated);
        // Nothing of the new version alone is changed where the old one has changed nothing.
        if stored.pointer("/spec/team").is_some() && !mask.covers(&"spec".parse().unwrap()) {
            prop_assert_eq!(updated.pointer("/spec/team"), stored.pointer("/spec/team"));
        }
        prop_assert_eq!(updated.pointer("/cipher/algorithm"), stored.pointer("/cipher/algorithm"));
    }

    #[test]
    fn a_filter_selects_the_same_resources(new in new_secret(), filter in filter()) {
        let converted_filter = VAULT.kind("Secret").unwrap().filter(&filter).unwrap();
        let (mut by_old, mut by_new) = (None, None);
        message(0, |of| by_old = filter.bind(Some(of), &BySegment).ok().map(|it| it.selects(&converted(Direction::ToOld, &new))));
        message(1, |of| by_new = converted_filter.bind(Some(of), &BySegment).ok().map(|it| it.selects(&new)));
        prop_assert!(by_old.is_some());
        prop_assert_eq!(by_old, by_new, "{} as {}", filter, converted_filter);
    }

    #[test]
    fn an_order_is_the_same(one in new_secret(), other in new_secret(), order in order()) {
        let converted_order = VAULT.kind("Secret").unwrap().order(&order).unwrap();
        let (mut by_old, mut by_new) = (Ordering::Equal, Ordering::Less);
        let old = |it: &Value| converted(Direction::ToOld, it);
        message(0, |of| by_old = order.bind(Some(of)).unwrap().compare(&old(&one), &old(&other)));
        message(1, |of| by_new = converted_order.bind(Some(of)).unwrap().compare(&one, &other));
        prop_assert_eq!(by_old, by_new, "{} as {}", order, converted_order);
    }

    #[test]
    fn names_come_back(name in name("")) {
        let secret = VAULT.kind("Secret").unwrap();
        let name = name.as_str().unwrap();
        let new = secret.name(Direction::ToNew, name).unwrap();
        prop_assert_eq!(secret.name(Direction::ToOld, &new), Some(name.to_owned()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 40, ..ProptestConfig::default() })]

    /// Pages through the old version are those of its own resources: filtered and ordered as if they were stored.
    #[test]
    fn a_list_is_that_of_the_old_version(
        secrets in collection::btree_map("[a-c]{1,2}", new_secret(), 0..7), filter in filter(), order in order(), size in 1..4,
    ) {
        let api = api(vault());
        let mut olds = Vec::new();
        sent(&api, "POST /v1/projects", &json!({"name": "projects/p"}), 200);
        sent(&api, "POST /v2/projects/p/regions/us/secrets", &json!({"name": "projects/p/regions/us/secrets/hidden"}), 200);
        for (id, mut secret) in secrets {
            let fields = secret.as_object_mut().unwrap();
            fields.shift_remove("copyOf");
            fields.insert("name".to_owned(), json!(format!("projects/p/regions/eu/secrets/{id}")));
            sent(&api, "POST /v2/projects/p/regions/eu/secrets", &secret, 200);
            olds.push(converted(Direction::ToOld, &secret));
        }
        message(0, |of| {
            let selector = filter.bind(Some(of), &BySegment).unwrap();
            olds.retain(|it| selector.selects(it));
            let sorter = order.bind(Some(of)).unwrap();
            olds.sort_by(|one, other| sorter.compare(one, other));
        });
        let (mut listed, mut token) = (Vec::new(), String::new());
        let encoded = |it: String| it.bytes().map(|it| format!("%{it:02X}")).collect::<String>();
        let query = format!("filter={}&orderBy={}&pageSize={size}", encoded(filter.to_string()), encoded(order.to_string()));
        loop {
            let page = sent(&api, &format!("GET /v1/projects/p/secrets?{query}&pageToken={token}"), &Value::Null, 200);
            listed.extend(page["secrets"].as_array().unwrap().iter().map(|it| normal(it, 0)));
            match page["nextPageToken"].as_str() {
                Some(next) => token = next.to_owned(),
                None => break,
            }
        }
        prop_assert_eq!(listed, olds);
    }
}

/// A value without messages that have no fields: the presence of such a message is not kept where its fields are elsewhere.
fn without_empty(mut value: Value) -> Value {
    if let Some(object) = value.as_object_mut() {
        let fields = std::mem::take(object).into_iter().map(|(name, it)| (name, without_empty(it)));
        *object = fields.filter(|(_, it)| it.as_object().is_none_or(|it| !it.is_empty())).collect();
    }
    value
}
