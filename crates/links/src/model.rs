use std::sync::Arc;

use diag::Span;

use crate::Deployment;

/// Everything that can be linked with each other: one deployment or several.
#[derive(Clone, Debug, Default)]
pub struct LinkModel {
    /// The deployments, in the order they were given; names are unique.
    pub deployments: Vec<Deployment>,
    /// The contracts of link types; types without a contract are not listed.
    pub types: Vec<LinkType>,
}

impl LinkModel {
    /// The index of a deployment.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.deployments.iter().position(|it| &*it.name == name)
    }

    /// The contract of a type, where one is written.
    pub fn link_type(&self, name: &str) -> Option<&LinkType> {
        self.types.iter().find(|it| &*it.name.text == name)
    }
}

/// A contract: the properties that a type's links carry.
#[derive(Clone, Debug)]
pub struct LinkType {
    /// The type.
    pub name: Named,
    /// The properties, as written: dotted path, kind (`text`, `integer`, `number`, `boolean`, `list`, `map`, `any`) and
    /// whether it may be missing.
    pub properties: Vec<LinkProperty>,
}

/// One property of a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkProperty {
    /// Its dotted path.
    pub path: Named,
    /// `text`, `integer`, `number`, `boolean`, `list`, `map` or `any`.
    pub kind: Arc<str>,
    /// A provider may leave it out.
    pub optional: bool,
}

/// A name, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub text: Arc<str>,
    /// The byte.
    pub span: Span,
}

impl Named {
    /// A name that is written at `span`.
    pub fn new(text: impl Into<Arc<str>>, span: Span) -> Self {
        Self { text: text.into(), span }
    }
}
