use crate::{Field, Shape, TypeDefinition, Types};

/// A place in a descriptor as the type definitions see it. What merging, completion and hover ask about.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// The root of a descriptor.
    Root(&'a Types),
    /// The map of things of one kind (`services`).
    Collection(&'a TypeDefinition),
    /// One thing (`services.web`), or a singleton (`meta`).
    Object(&'a TypeDefinition),
    /// A field of an object.
    Field(&'a Field),
    /// Something inside a field: an item of a list, a value of a map.
    Inside(&'a Shape),
    /// Nothing is known of it.
    Unknown,
}

impl Types {
    /// The definition of a kind.
    pub fn kind(&self, kind: &str) -> Option<&TypeDefinition> {
        self.kinds.iter().find(|it| &*it.kind == kind)
    }

    /// The definition whose things are declared under a root key; other spellings count.
    pub fn collection(&self, key: &str) -> Option<&TypeDefinition> {
        let spelled = |it: &&TypeDefinition| it.spellings.iter().any(|spelling| &*spelling.path == key);
        self.kinds.iter().find(|it| &*it.collection == key).or_else(|| self.kinds.iter().find(spelled))
    }
}

impl TypeDefinition {
    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|it| &*it.name == name)
    }
}

impl<'a> Place<'a> {
    /// The place under a key (canonical spelling).
    #[must_use]
    pub fn key(self, key: &str) -> Place<'a> {
        let _ = key;
        todo!()
    }

    /// The place of a list's items.
    #[must_use]
    pub fn item(self) -> Place<'a> {
        todo!()
    }

    /// How layers merge here.
    pub fn merge_rule(self) -> &'a crate::MergeRule {
        todo!()
    }

    /// What stands here, for people; empty when nothing is known.
    pub fn doc(self) -> &'a str {
        todo!()
    }
}
