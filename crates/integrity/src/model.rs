use std::collections::BTreeMap;

use fields::schema::{DeleteBehavior, FieldClass};
use store::Kind;

use crate::{FieldPath, Problem};

/// Kinds of resources of one service or several, and how they depend on each other. Checked once, by [`Model::new`].
#[derive(Clone, Debug, Default)]
pub struct Model {
    kinds: BTreeMap<Kind, KindModel>,
    /// The kinds whose resources may depend on a kind, by kind.
    dependents: BTreeMap<Kind, Vec<Kind>>,
}

/// A kind of resources.
#[derive(Clone, Debug, PartialEq)]
pub struct KindModel {
    /// Its service as the namespace, and its name.
    pub kind: Kind,
    /// The kinds that contain it; a resource has at most one parent, which its name determines.
    pub parents: Vec<Kind>,
    /// The effect of the deletion of the parent; required if there are parents. Clearing is impossible.
    pub on_parent_deleted: Option<DeleteBehavior>,
    /// A deleted resource stays readable, as `DELETING`, until nothing refers to it.
    pub async_deletion: bool,
    /// The fields that hold names of resources that have to exist.
    pub references: Vec<Reference>,
    /// Nothing is guaranteed for it: its references are not checked, and it has no part in deletions (Goten's mixins).
    pub exempt: bool,
    /// The part of the resource that fields, with all that is in them, belong to; of several, the longest path counts.
    /// Others: `metadata` and `name` are meta, `status` and `state` are state, the rest is spec.
    pub classes: Vec<(FieldPath, FieldClass)>,
    /// The fields that are secrets, with all that is in them.
    pub sensitive: Vec<FieldPath>,
}

/// A field, or the elements of a list or map, that holds names of resources.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The path of the field.
    pub path: FieldPath,
    /// The kind that it refers to.
    pub target: Kind,
    /// The effect of the deletion of the target, as declared; see [`Model::effective`].
    pub on_target_deleted: DeleteBehavior,
}

impl KindModel {
    /// A kind without parents and references.
    pub fn new(kind: Kind) -> Self {
        Self {
            kind,
            parents: Vec::new(),
            on_parent_deleted: None,
            async_deletion: false,
            references: Vec::new(),
            exempt: false,
            classes: Vec::new(),
            sensitive: Vec::new(),
        }
    }

    /// Adds a parent, and the effect of its deletion.
    #[must_use]
    pub fn parent(mut self, parent: Kind, on_deleted: DeleteBehavior) -> Self {
        self.parents.push(parent);
        self.on_parent_deleted = Some(on_deleted);
        self
    }

    /// With one more reference.
    #[must_use]
    pub fn reference(mut self, path: FieldPath, target: Kind, on_deleted: DeleteBehavior) -> Self {
        self.references.push(Reference { path, target, on_target_deleted: on_deleted });
        self
    }

    /// Kept until nothing refers to it.
    #[must_use]
    pub fn async_deletion(mut self) -> Self {
        self.async_deletion = true;
        self
    }

    /// The part of a resource that a field belongs to. Names are in `snake_case` or `lowerCamelCase`; elements of lists and
    /// keys of maps are left out.
    pub fn class(&self, path: &[&str]) -> FieldClass {
        let declared =
            self.classes.iter().filter_map(|(declared, class)| Some((declared.begins(path)?, *class)));
        match (declared.max_by_key(|(length, _)| *length), path.first().copied()) {
            (Some((_, class)), _) => class,
            (None, Some("metadata" | "name")) => FieldClass::Meta,
            (None, Some("status" | "state")) => FieldClass::State,
            (None, _) => FieldClass::Spec,
        }
    }
}

impl Model {
    /// A model, and its problems. A kind that is given twice counts as given last.
    pub fn new(kinds: impl IntoIterator<Item = KindModel>) -> (Self, Vec<Problem>) {
        let kinds: BTreeMap<Kind, KindModel> = kinds.into_iter().map(|it| (it.kind.clone(), it)).collect();
        let mut dependents: BTreeMap<Kind, Vec<Kind>> = BTreeMap::new();
        for kind in kinds.values().filter(|kind| !kind.exempt) {
            for target in kind.parents.iter().chain(kind.references.iter().map(|it| &it.target)) {
                let of = dependents.entry(target.clone()).or_default();
                if of.last() != Some(&kind.kind) {
                    of.push(kind.kind.clone());
                }
            }
        }
        let model = Self { kinds, dependents };
        let problems = model.kinds.values().flat_map(|kind| model.check(kind)).collect();
        (model, problems)
    }

    /// A kind, if there is one of that name.
    pub fn kind(&self, kind: &Kind) -> Option<&KindModel> {
        self.kinds.get(kind)
    }

    /// All kinds, in order.
    pub fn kinds(&self) -> impl Iterator<Item = &KindModel> {
        self.kinds.values()
    }

    /// The kinds whose resources may be children of, or refer to, resources of this one, in order.
    pub fn dependents(&self, kind: &Kind) -> &[Kind] {
        self.dependents.get(kind).map_or(&[], Vec::as_slice)
    }

    /// True if references to and from a kind are guaranteed: it is in the model, and not exempt.
    pub fn is_constrained(&self, kind: &Kind) -> bool {
        self.kinds.get(kind).is_some_and(|kind| !kind.exempt)
    }

    /// The effect on a resource of the kind `from` when one of `to` is deleted: across services, what would happen in
    /// the same transaction happens afterwards.
    pub fn effective(declared: DeleteBehavior, from: &Kind, to: &Kind) -> DeleteBehavior {
        if from.namespace == to.namespace { declared } else { declared.across_services() }
    }

    fn check(&self, kind: &KindModel) -> Vec<Problem> {
        let unknown = |target: &&Kind| !self.kinds.contains_key(target);
        let parents = kind.parents.iter().filter(unknown).map(|it| Problem::unknown_parent(&kind.kind, it));
        let references = kind.references.iter().filter(|it| unknown(&&it.target));
        let targets = references.map(|it| Problem::unknown_target(&kind.kind, &it.path, &it.target));
        let behavior = match kind.on_parent_deleted {
            _ if kind.parents.is_empty() => None,
            None => Some(Problem::no_parent_behavior(&kind.kind)),
            Some(DeleteBehavior::Unset | DeleteBehavior::AsyncUnset) => {
                Some(Problem::parent_unset(&kind.kind))
            }
            Some(_) => None,
        };
        let cascades = kind.references.iter().filter(|_| kind.async_deletion);
        let cascades = cascades.filter(|it| it.on_target_deleted == DeleteBehavior::CascadeDelete);
        let cascades = cascades.map(|it| Problem::async_deletion_with_cascade(&kind.kind, &it.path));
        behavior.into_iter().chain(parents).chain(targets).chain(cascades).collect()
    }
}
