use std::sync::LazyLock;

use diag::{Diagnostics, FileId};
use syntax::Limits;

use crate::Types;

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

/// The maps that forms can be written as.
pub(crate) fn forms() -> Types {
    load(&[FORMS]).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Field, golem::map_forms};

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
        let [(_, port), (_, command)] = map_forms();
        assert_eq!((port.fields().len(), port.is_open()), (3, false));
        assert!(command.is_open() && !command.fields().is_empty());
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
        for (name, shape) in map_forms() {
            check(name, shape.fields());
        }
    }
}
