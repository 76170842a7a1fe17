use state::codes::{LOCKED, SEALED};
use workspace::engine::EngineError;
use workspace::engine::codes::{HAS_LINEAGE, OTHER_ADAPTER, OTHER_LINEAGE, SEVERAL_LINEAGES};
use workspace::view::{DiagnosticView, LocationView, RelatedView, Severity};

/// The remedy for an error, in the words of this program if it has any.
fn help(error: &EngineError) -> Option<String> {
    Some(match error {
        it if it.is(SEALED) => {
            "set `PLANLOOM_STATE_PASSPHRASE` to the passphrase that it was encrypted with; \
                           unset it for a state that is not encrypted"
                .into()
        }
        it if it.is(LOCKED) => {
            "wait until it has finished, or stop it if it is a `watch`; if its holder no longer exists: \
             `planloom state unlock`"
                .into()
        }
        it if it.is(OTHER_ADAPTER) => {
            "nothing was done; give the adapter that created them (`--adapter`, for `process` its \
             `--process-folder`), or change the adapter: `apply --move-to`, with `--lost` if the previous \
             one no longer exists"
                .into()
        }
        it if it.is(OTHER_LINEAGE) => {
            "nothing was done; if the state that recorded them was lost, `apply --adopt` adopts them; if \
             it is elsewhere, name it with `--state`; if this is another deployment, give it another name \
             (`meta.name`)"
                .into()
        }
        it if it.is(SEVERAL_LINEAGES) => "nothing was recorded; name one of them: `--adopt=LINEAGE`".into(),
        it if it.is(HAS_LINEAGE) => {
            "nothing was recorded; to adopt the resources of another state, name a state that does not \
             exist yet"
                .into()
        }
        _ => error.help.to_string(),
    })
}

/// An error as a diagnostic: at the location in the descriptors that caused it, if there is one.
pub(crate) fn diagnostic(error: &EngineError) -> DiagnosticView {
    let mut places = error.blames.iter().filter_map(|blame| Some((blame, blame.place.as_ref()?)));
    let first = places.next();
    let related = places.map(|(blame, place)| RelatedView {
        message: blame.detail.clone(),
        location: LocationView {
            file: place.file.clone(),
            line: place.line,
            column: place.column,
            end_line: place.end_line,
            end_column: place.end_column,
        },
    });
    let place = first.map(|(_, place)| place);
    DiagnosticView {
        code: error.code.to_string(),
        severity: Severity::Error,
        message: error.message.clone(),
        file: place.map(|it| it.file.clone()),
        line: place.map(|it| it.line),
        column: place.map(|it| it.column),
        end_line: place.map(|it| it.end_line),
        end_column: place.map(|it| it.end_column),
        related: related.collect(),
        help: help(error).filter(|it| !it.is_empty()),
        fixes: Vec::new(),
    }
}
