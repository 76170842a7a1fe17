use ::adapter::of_runtimes;
use protocol::{Description, Timeouts};

/// The fields of payloads of the runtime `process`, as a file of type definitions. It is merged with the
/// built-in definitions: it adds to the fields of `payload.params`.
pub const TYPES: &str = include_str!("../types/process.yaml");

/// The description of this adapter.
///
/// It supports the built-in kinds `network` and `service` unchanged. It has no resources of the kind
/// `payload`; that definition contains what is added to the built-in one.
pub fn describe() -> Description {
    Description {
        max_in_flight: 16,
        timeouts: Timeouts { create: 3900, update: 10, destroy: 330 },
        ..of_runtimes("process", env!("CARGO_PKG_VERSION"), &["process"], TYPES)
    }
}

#[cfg(test)]
mod tests {
    use diag::FileId;
    use syntax::Limits;
    use types::{OnChange, Shape, Types};

    use super::*;

    #[test]
    fn the_definitions_add_to_the_built_in_ones() {
        let builtin = Types::builtin();
        let payload = |types: &Types| types.kind("payload").unwrap().clone();
        let params = |types: &Types| {
            let payload = payload(types);
            let field = payload.fields.iter().find(|it| &*it.name == "params").unwrap();
            let Shape::Object { fields, open: true } = &field.shape else { panic!("{field:?}") };
            fields.clone()
        };
        // As it is sent over the network: JSON is YAML.
        let sent = serde_json::json!({"kinds": {"payload": describe().types["payload"]}}).to_string();
        for text in [TYPES, &sent] {
            let parsed = syntax::parse(FileId(1), text, &Limits::default());
            let (read, found) = types::read(&builtin, &parsed.document);
            assert!(found.is_empty() && parsed.diagnostics.is_empty(), "{found:#?}");
            let (old, new) = (params(&builtin), params(&read));
            let names =
                |fields: &[types::Field]| fields.iter().map(|it| it.name.to_string()).collect::<Vec<_>>();
            assert_eq!(names(&new)[..old.len()], names(&old));
            let added = ["command", "env", "secrets", "cwd", "readiness", "restart", "log", "stop", "limits"];
            assert_eq!(names(&new)[old.len()..], added);
            let field = |name: &str| new.iter().find(|it| &*it.name == name).unwrap();
            assert!(field("secrets").sensitive && !field("env").sensitive);
            assert_eq!(field("restart").on_change, OnChange::Update);
            assert_eq!(field("command").on_change, OnChange::Rebuild);
        }
    }
}
