use std::sync::LazyLock;

use diag::{Diagnostics, FileId};
use syntax::Limits;

use crate::{Field, Shape, Types};

/// The files of the built-in kinds, in the order in which their collections are shown.
const FILES: [(&str, &str); 5] = [
    ("meta.yaml", include_str!("../builtin/meta.yaml")),
    ("payload.yaml", include_str!("../builtin/payload.yaml")),
    ("network.yaml", include_str!("../builtin/network.yaml")),
    ("service.yaml", include_str!("../builtin/service.yaml")),
    ("link_type.yaml", include_str!("../builtin/link_type.yaml")),
];

/// The fields of the shapes `port` and `commands` as maps.
const FORMS: (&str, &str) = ("forms.yaml", include_str!("../builtin/forms.yaml"));

impl Types {
    /// The built-in kinds: meta, payload, network, service.
    pub fn builtin() -> Self {
        static BUILTIN: LazyLock<Types> = LazyLock::new(|| load(&FILES).0);
        BUILTIN.clone()
    }

    /// The built-in definition files, name and text, as people can read and copy them.
    pub fn builtin_files() -> impl Iterator<Item = (&'static str, &'static str)> {
        FILES.into_iter()
    }
}

/// Reads definition files on top of each other. Their file ids count down from the last one there can be, so that no
/// span of a definition is ever taken for one of a descriptor.
fn load(files: &[(&str, &str)]) -> (Types, Diagnostics) {
    let mut types = Types::default();
    let mut found = Diagnostics::new();
    for (idx, (_, text)) in files.iter().enumerate() {
        let parsed = syntax::parse(FileId(u32::MAX - idx as u32), text, &Limits::default());
        let (next, diagnostics) = crate::read(&types, &parsed.document);
        types = next;
        found.extend(parsed.diagnostics);
        found.extend(diagnostics);
    }
    (types, found)
}

/// The fields of a port in its map form.
pub(crate) fn port_fields() -> &'static [Field] {
    static PORT: LazyLock<Vec<Field>> = LazyLock::new(|| form("port").0);
    &PORT
}

/// A start command in its map form.
pub(crate) fn command_shape() -> &'static Shape {
    static COMMAND: LazyLock<Shape> = LazyLock::new(|| {
        let (fields, open) = form("command");
        Shape::Object { fields, open }
    });
    &COMMAND
}

fn form(kind: &str) -> (Vec<Field>, bool) {
    let types = load(&[FORMS]).0;
    types.kind(kind).map(|it| (it.fields.clone(), it.open)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_builtin_reads_without_diagnostics() {
        for file in FILES.iter().chain([&FORMS]) {
            assert!(file.1.contains("kinds:"), "{} declares kinds", file.0);
        }
        let (types, diagnostics) = load(&FILES);
        assert!(diagnostics.is_empty(), "{diagnostics:#?}");
        assert_eq!(
            types.kinds.iter().map(|it| &*it.kind).collect::<Vec<_>>(),
            ["meta", "payload", "network", "service", "link_type"]
        );
        assert_eq!(types.root.len(), 3);
        assert!(load(&[FORMS]).1.is_empty());
        assert_eq!(port_fields().len(), 3);
        assert!(matches!(command_shape(), Shape::Object { fields, open: true } if !fields.is_empty()));
    }

    #[test]
    fn everything_is_documented() {
        fn check(owner: &str, fields: &[Field]) {
            for field in fields {
                let path = format!("{owner}/{}", field.name);
                assert!(
                    field.doc.len() > 10 && field.doc.ends_with('.'),
                    "{path} has a sentence: {:?}",
                    field.doc
                );
                check(&path, field.shape.fields());
            }
        }
        let types = Types::builtin();
        check("root", &types.root);
        for kind in &types.kinds {
            assert!(kind.doc.ends_with('.'), "{}", kind.kind);
            check(&kind.kind, &kind.fields);
        }
        check("port", port_fields());
        check("command", command_shape().fields());
    }
}
