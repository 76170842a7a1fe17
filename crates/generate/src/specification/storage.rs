//! Indices and caches of resources.

use fields::index::DatabaseAdapter;
use serde_json::{Value, json};

use super::{choice, flag, list, object, text, texts};

pub(super) fn indices() -> Value {
    let group = object(
        "An order of lists.",
        &["name", "orderBy"],
        &[
            ("name", text("The name, by which filters are restricted to it.")),
            ("orderBy", text("The path of the field; `name` is added as the second one.")),
            ("scopes", texts("The names by which such lists are filtered: `projects/{project}/devices/-`.")),
            ("maxFilterFields", count("The most filters that are not required in one index; 0 is no limit.")),
            ("dbAdapters", adapters()),
        ],
    );
    let filter = object(
        "A field by which ordered lists are filtered.",
        &["fieldPath"],
        &[
            ("fieldPath", text("The path of the field.")),
            ("required", flag("It is in every index of its groups, instead of in every second one.")),
            ("restrictedSortingGroups", texts("The sorting groups that it is for; all if there are none.")),
            ("referencePatterns", texts("For names: the patterns that filters have.")),
            ("dbAdapters", adapters()),
        ],
    );
    let single = object(
        "A field with an index of its own.",
        &["fieldPath"],
        &[
            ("fieldPath", text("The path of the field.")),
            ("isWildcard", flag("All fields below it too; MongoDB only.")),
            ("referencePatterns", texts("For names: the patterns that filters have.")),
            ("dbAdapters", adapters()),
        ],
    );
    let composite = object(
        "Orders and filters, of which each combination has an index.",
        &[],
        &[("sortingGroups", list("The orders.", group)), ("filters", list("The filters.", filter))],
    );
    let single = list("The fields with an index of their own.", single);
    object("The indices of databases.", &[], &[("composite", composite), ("single", single)])
}

pub(super) fn cache() -> Value {
    let patterns = object(
        "The patterns of a field with names.",
        &["fieldPath"],
        &[
            ("fieldPath", text("The path of the field.")),
            (
                "patterns",
                texts("Patterns of which a name in a filter has to be at least as specific as one."),
            ),
        ],
    );
    object(
        "Which lists are cached.",
        &[],
        &[
            ("disableCachingByName", flag("Resources are not cached by their names.")),
            (
                "queries",
                list(
                    "Sets of fields: a list is cached if its filter compares all fields of one with `=` or `IN`.",
                    texts("Paths of fields."),
                ),
            ),
            ("queryReferencePatterns", list("How specific names in filters have to be.", patterns)),
        ],
    )
}

fn adapters() -> Value {
    let adapter = choice("A database.", DatabaseAdapter::ALL.map(DatabaseAdapter::as_str));
    list("The databases that it is for; all if there are none.", adapter)
}

fn count(description: &str) -> Value {
    json!({"description": description, "type": "integer", "minimum": 0})
}
