//! The reasons for the classes of changes, and advice on dealing with them. Compatible and breaking by the lists of the guide
//! (L4748-4783).

use super::{ChangeClass, ChangeKind};

type Words = (&'static str, &'static str);

const NEW_VERSION: &str = "make it in a new version, and transform requests of the old one";
const NOTHING: &str = "nothing to do: it can be made in the same version";
const JUDGE: &str =
    "decide whether clients of the old version can be affected; if so, make it in a new version";

impl ChangeKind {
    /// The reason for this class.
    pub const fn reason(self, class: ChangeClass) -> &'static str {
        self.words(class).0
    }

    /// The advice on dealing with the change.
    pub const fn help(self, class: ChangeClass) -> &'static str {
        self.words(class).1
    }

    const fn words(self, class: ChangeClass) -> Words {
        match class {
            ChangeClass::FollowsNames => follows(self),
            ChangeClass::Compatible => compatible(self),
            ChangeClass::Unlisted => unlisted(self),
            ChangeClass::Breaking | ChangeClass::Unsupported => breaking(self),
        }
    }
}

const fn follows(kind: ChangeKind) -> Words {
    match kind {
        ChangeKind::HttpPaths => (
            "the paths contain names whose patterns changed",
            "nothing more to do than for the change of names; HTTP clients need the new paths",
        ),
        ChangeKind::PermissionChanged => (
            "the permission consists of collection and verb, and one of them changed",
            "give the new permission to the roles that have the old one",
        ),
        _ => (
            "it is named after a resource or a method that is named otherwise",
            "nothing more to do than for the change of names",
        ),
    }
}

const fn compatible(kind: ChangeKind) -> Words {
    use ChangeKind as K;
    match kind {
        K::PatternsAdded | K::ParentAdded => ("all old names stay valid", NOTHING),
        K::ScopeAttributeAdded | K::ScopeAttributeRemoved | K::ScopeAttributeChanged => {
            ("the attribute is part of names, and all old names stay valid", NOTHING)
        }
        K::FieldRemoved => (
            "fields are found by number, and the server ignores numbers that it does not know; JSON with the field is refused",
            "give its number to no other field: write `reserved` in the `.proto` file, and `number:` for the others",
        ),
        K::FieldRenamed => (
            "the guide calls it compatible, because fields are found by number; JSON has names: Planloom's API refuses the old one, and values stored under it are lost when they are next saved",
            "keep the number and, with JSON clients or stored JSON, make it in a new version",
        ),
        K::EnumValueRenamed => (
            "the guide calls it compatible, because values are found by number; JSON has names: Planloom's API refuses the old one, and does not take it for the new one in what is stored",
            "keep the number and, with JSON clients or stored JSON, make it in a new version",
        ),
        K::FieldCardinalityChanged => ("one value has the same form on the wire", NOTHING),
        K::ReferenceRemoved => ("what had to exist before need no longer exist", NOTHING),
        K::ValidationRelaxed | K::ViewChanged | K::OptOutRemoved => {
            ("all that clients of the old version could do they still can", NOTHING)
        }
        K::HttpPaths => ("all old routes stay", NOTHING),
        _ => ("it is new, and clients of the old version do not use it", NOTHING),
    }
}

const fn unlisted(kind: ChangeKind) -> Words {
    use ChangeKind as K;
    match kind {
        K::IdPatternChanged | K::CreationIdPatternChanged => (
            "the guide does not list it: ids that were valid may no longer be",
            "compare the two expressions; if ids that exist do not match the new one, make it in a new version",
        ),
        K::ValidationTightened => (
            "the guide does not list it: requests that were valid are refused",
            "accept the old values, or make it in a new version",
        ),
        K::DeleteBehaviorChanged | K::OnParentDeletedChanged => (
            "the guide does not list it: deletions do something else, and may delete more",
            "check what is deleted with the resource, and announce it to clients",
        ),
        K::AsyncDeletionChanged => (
            "the guide does not list it: deleted resources are visible for longer, or shorter",
            "check that clients accept resources that are being deleted",
        ),
        K::SearchableChanged => (
            "the guide does not list it: the Search method was added or removed; the affected methods are listed",
            "declare what is searched in the `.proto` file",
        ),
        K::SyncTypeChanged | K::PolicyHolderChanged => (
            "the guide does not list it: copies are kept in other regions",
            "synchronize the regions before reads depend on them",
        ),
        K::ImportDropped => (
            "the guide does not list it: what depends on the import is listed itself",
            "check that nothing in `.proto` files uses it",
        ),
        K::TransactionChanged | K::ReadOnlyChanged | K::RoutingChanged => (
            "the guide does not list it: requests are the same, and are executed otherwise",
            "check that the method keeps its guarantees",
        ),
        K::FieldMeaningChanged => {
            ("the guide does not list it: names that refer to nothing are accepted now", JUDGE)
        }
        K::HttpPaths => {
            ("the routes are the same in another order, and the body belongs to the first", JUDGE)
        }
        K::ViewChanged => ("the guide does not list it: answers have fewer fields", JUDGE),
        K::OptOutAdded => (
            "the guide does not list it: a standard feature is opted out of; the affected methods are listed",
            JUDGE,
        ),
        _ => ("the guide does not list it", JUDGE),
    }
}

const fn breaking(kind: ChangeKind) -> Words {
    use ChangeKind as K;
    match kind {
        K::FieldAdded => (
            "clients of the old version do not send it, and it must have a value",
            "make it optional, or accept the value that it has when it is not set",
        ),
        K::FirstParentAdded => {
            ("resources without parent need one now", "move them below a parent in the new version")
        }
        K::PatternsLost
        | K::OptionalParentDropped
        | K::ParentRemoved
        | K::ParentReplaced
        | K::ScopeAttributeAdded
        | K::ScopeAttributeRemoved
        | K::ScopeAttributeChanged
        | K::PluralChanged => (
            "names that were valid no longer are",
            "keep the old patterns besides the new ones, or transform names in a new version",
        ),
        K::ResourceRenamed | K::MethodRenamed => ("clients use the old name", NEW_VERSION),
        K::ResourcesMerged => (
            "Goten does not support merging resource types: transformers convert one object to one",
            "keep the types apart, or copy the resources yourself",
        ),
        K::ResourceSplit => (
            "Goten does not support splitting a resource type: transformers convert one object to one",
            "keep one type, or copy the resources yourself",
        ),
        K::ImportUpgraded | K::ImportDowngraded => (
            "names and messages of the imported service are those of another version",
            "upgrade it in a new version of this service only; transform references by its owner's transformers",
        ),
        K::ResourceRemoved | K::ApiRemoved | K::MethodRemoved | K::MessageRemoved | K::EnumRemoved => (
            "clients that use it have no replacement",
            "keep it, or name what replaces it under `versioning` in the old version",
        ),
        K::FieldRenumbered | K::EnumValueRenumbered => (
            "it is found by number, so values under the old number are lost",
            "keep the number, by writing `number:`, or convert values in a new version",
        ),
        K::FieldNumberReused => (
            "old values under this number are read as another field",
            "give the new field a number of its own: write `number:` for each field, so that they do not move",
        ),
        K::FieldTypeChanged | K::FieldCardinalityChanged | K::FieldMeaningChanged => (
            "old values cannot be read as the new type, and are not converted by themselves",
            "add a field instead, or write a transformer in a new version",
        ),
        K::ReferenceTargetChanged => (
            "old names are no names of the new kind",
            "add a field instead, or transform the reference in a new version",
        ),
        _ => ("requests or answers of the old version are no longer valid", NEW_VERSION),
    }
}
