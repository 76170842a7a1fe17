//! The catalogs, read and indexed.

use std::{collections::BTreeMap, sync::Arc};

use catalog::{Catalog, CatalogText, Index};
use diag::{Diagnostic, Diagnostics, FileId, Severity};
use workspace::{
    capability::{Input, endings},
    view::Role,
};

use crate::answers::Answers;

/// The catalogs to choose from. It is reused while the texts of the catalogs and their places stay the same.
#[derive(Debug, Default)]
pub(crate) struct CatalogSet {
    texts: Vec<(FileId, Arc<str>, Arc<str>)>,
    priorities: BTreeMap<String, i64>,
    pub(crate) catalogs: Vec<Catalog>,
    pub(crate) index: Index,
    pub(crate) diagnostics: Arc<Diagnostics>,
    pub(crate) answers: Answers,
}

impl CatalogSet {
    /// The catalogs of these files; the previous set if nothing changed.
    pub(crate) fn of<'f>(
        before: Arc<Self>,
        files: impl Iterator<Item = Input<'f>>,
        priorities: &BTreeMap<String, i64>,
    ) -> Arc<Self> {
        let texts: Vec<_> = files.map(|it| (it.id, catalog_name(it), Arc::clone(it.text()))).collect();
        let is_same = same(&before.texts, &texts) && before.priorities == *priorities;
        if is_same { before } else { Arc::new(Self::read(texts, priorities.clone())) }
    }

    /// The diagnostics of the catalogs, as warnings. They are not the fault of who makes a request: the rest
    /// of the catalogs is usable.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = Diagnostic> {
        let as_warning =
            |it: &Diagnostic| Diagnostic { severity: it.severity.max(Severity::Warning), ..it.clone() };
        self.diagnostics.iter().map(as_warning)
    }

    fn read(texts: Vec<(FileId, Arc<str>, Arc<str>)>, priorities: BTreeMap<String, i64>) -> Self {
        let mut names: Vec<&Arc<str>> = Vec::new();
        for (_, name, _) in &texts {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let mut diagnostics = Diagnostics::new();
        let mut catalogs = Vec::new();
        for (n, name) in names.iter().enumerate() {
            let own = texts.iter().filter(|(_, it, _)| it == *name);
            let own: Vec<_> = own.map(|(file, _, text)| CatalogText { file: *file, text }).collect();
            let (mut catalog, mut found) = catalog::read(name, &own);
            // Of two catalogs that offer the same, the one that is given first is used.
            catalog.priority = priorities.get(name.as_ref() as &str).copied().unwrap_or(-(n as i64));
            diagnostics.append(&mut found);
            diagnostics.append(&mut catalog::validate(&catalog));
            catalogs.push(catalog);
        }
        let index = Index::new(&catalogs);
        Self {
            texts,
            priorities,
            catalogs,
            index,
            diagnostics: Arc::new(diagnostics),
            answers: Answers::default(),
        }
    }
}

fn same(before: &[(FileId, Arc<str>, Arc<str>)], now: &[(FileId, Arc<str>, Arc<str>)]) -> bool {
    let same = |one: &(FileId, Arc<str>, Arc<str>), other: &(FileId, Arc<str>, Arc<str>)| {
        one.0 == other.0 && one.1 == other.1 && (Arc::ptr_eq(&one.2, &other.2) || one.2 == other.2)
    };
    before.len() == now.len() && before.iter().zip(now).all(|(one, other)| same(one, other))
}

/// The name of a catalog: files that were given together have a common name, others that of the file without
/// its extension.
fn catalog_name(file: Input<'_>) -> Arc<str> {
    match file.package() {
        Some(name) => name.into(),
        None => {
            let name = file.name().rsplit('/').next().unwrap_or(file.name());
            let known = endings(Role::Catalog);
            known.iter().find_map(|it| name.strip_suffix(it)).unwrap_or(name).into()
        }
    }
}
