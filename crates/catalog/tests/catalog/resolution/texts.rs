//! Laws for any text.

use diag::{FileId, apply_edits};
use planloom_catalog::{
    Resolution,
    active_resolution::{read, write_status},
};
use proptest::prelude::*;

const PARTS: [&str; 30] = [
    "kind: ActiveResolution\n",
    "apiVersion: deppy.io/v1alpha1\n",
    "metadata: {name: x}\n",
    "spec:\n",
    "  constraints:\n",
    "  - required(\"a\", \">= 1.0.0\", \"b\")\n",
    "  - 'required(''a'')'\n",
    "  - \"required(\\\"a\\\")\"\n",
    "  - required: {name: a, versionRange: \"",
    "  - installed: {name: a, version: 1.0.0}\n",
    "  - runtime(\"openshift\", \"4.21\")\n",
    "    channel: x\n",
    "  sources: [a]\n",
    "  profile: v1\n",
    "---\n",
    "--- # ü\n",
    "status:\n",
    "  conditions:\n",
    "  - type: Resolved\n",
    "  selection: []\n",
    "status: {selection: &a [], x: *a}\n",
    "# ü\n",
    "(",
    ")",
    "\"",
    ",",
    "\r\n",
    "\u{feff}",
    "ü",
    "\n",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(0..PARTS.len(), 0..16)
        .prop_map(|parts| parts.into_iter().map(|it| PARTS[it]).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn places_lie_in_the_text(text in text()) {
        let (all, found) = read(FileId(0), &text);
        let of = all.iter().flat_map(|it| &it.request.requirements);
        let places = of.flat_map(|it| [it.origin.whole, it.origin.package, it.origin.range, it.origin.channel]);
        let spans = places.flatten().chain(found.iter().filter_map(|it| it.span)).chain(all.iter().map(|it| it.origin));
        for span in spans {
            prop_assert!(text.get(span.start as usize..span.end as usize).is_some(), "{:?}", span);
        }
    }

    #[test]
    fn a_document_that_ends_with_an_empty_status(more in text()) {
        let text = format!("kind: ActiveResolution\nstatus:\n--- # {more}");
        let edits = write_status(FileId(0), &text, 0, &Resolution::Stopped);
        let rest = format!("\n--- # {more}");
        prop_assert!(apply_edits(&text, &edits).ends_with(&rest));
    }

    #[test]
    fn a_status_leaves_the_rest_as_it_was(text in text()) {
        let (all, found) = read(FileId(0), &text);
        for it in &all {
            let edits = write_status(FileId(0), &text, it.document, &Resolution::Stopped);
            let written = apply_edits(&text, &edits);
            let (again, after) = read(FileId(0), &written);
            prop_assert_eq!(again.len(), all.len());
            for (a, b) in again.iter().zip(&all) {
                prop_assert_eq!(a.request.requirements.len(), b.request.requirements.len());
                prop_assert_eq!(a.request.installed.len(), b.request.installed.len());
            }
            prop_assert!(after.len() <= found.len(), "{:?}", after);
            prop_assert_eq!(write_status(FileId(0), &written, it.document, &Resolution::Stopped), vec![]);
        }
    }
}
