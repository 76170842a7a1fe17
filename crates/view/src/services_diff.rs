//! Changes between two versions of a service.

use serde::{Deserialize, Serialize};

use crate::{LocationView, SpecificationDiagnostic, closed_set::closed_set};

closed_set! {
    /// The effect of a change of a service on clients of the old version.
    ServiceChangeClass {
        /// They stop working.
        Breaking = "breaking",
        /// They stop working, and Goten cannot transform their requests.
        Unsupported = "unsupported",
        /// Goten's guide does not say.
        Unlisted = "unlisted",
        /// They keep working.
        Compatible = "compatible",
        /// It is the consequence of a change of names, which is listed itself.
        FollowsNames = "follows_names",
    }
}

closed_set! {
    /// The kind of a change between two versions of a service.
    ServiceChangeKind {
        /// The service has another name.
        ServiceRenamed = "service_renamed",
        /// The package of its messages has another name, apart from the version.
        PackageChanged = "package_changed",
        /// Another host serves it.
        HostChanged = "host_changed",
        /// Its HTTP paths begin otherwise, apart from the version.
        HttpPrefixChanged = "http_prefix_changed",
        /// Another service is imported.
        ImportAdded = "import_added",
        /// A service is no longer imported.
        ImportDropped = "import_dropped",
        /// A service is imported in a newer version.
        ImportUpgraded = "import_upgraded",
        /// A service is imported in an older version.
        ImportDowngraded = "import_downgraded",
        /// A kind is new.
        ResourceAdded = "resource_added",
        /// A kind is gone.
        ResourceRemoved = "resource_removed",
        /// A kind is replaced by one of another name.
        ResourceRenamed = "resource_renamed",
        /// Several kinds are replaced by one.
        ResourcesMerged = "resources_merged",
        /// A kind is replaced by another one and by itself.
        ResourceSplit = "resource_split",
        /// The plural is another one, and so the collection.
        PluralChanged = "plural_changed",
        /// A kind at the root got parents.
        FirstParentAdded = "first_parent_added",
        /// A kind can have a further parent.
        ParentAdded = "parent_added",
        /// A kind that could be without parent needs one; the parents are the same.
        OptionalParentDropped = "optional_parent_dropped",
        /// A parent is gone.
        ParentRemoved = "parent_removed",
        /// A parent, or that there need not be one, is gone, and there is another one.
        ParentReplaced = "parent_replaced",
        /// All old patterns of names are valid, and more.
        PatternsAdded = "patterns_added",
        /// Names that were valid no longer are.
        PatternsLost = "patterns_lost",
        /// Names can have an attribute such as the region.
        ScopeAttributeAdded = "scope_attribute_added",
        /// Names no longer have it.
        ScopeAttributeRemoved = "scope_attribute_removed",
        /// It became optional or required.
        ScopeAttributeChanged = "scope_attribute_changed",
        /// Ids match another regular expression.
        IdPatternChanged = "id_pattern_changed",
        /// Ids of new resources match another regular expression.
        CreationIdPatternChanged = "creation_id_pattern_changed",
        /// Something of the standard is left out.
        OptOutAdded = "opt_out_added",
        /// Something of the standard is no longer left out.
        OptOutRemoved = "opt_out_removed",
        /// A kind can be searched, or no longer.
        SearchableChanged = "searchable_changed",
        /// Copies are kept elsewhere.
        SyncTypeChanged = "sync_type_changed",
        /// A kind holds the policy of regions, or no longer.
        PolicyHolderChanged = "policy_holder_changed",
        /// Something else happens to a resource when its parent is deleted.
        OnParentDeletedChanged = "on_parent_deleted_changed",
        /// Deleted resources are kept until nothing refers to them, or no longer.
        AsyncDeletionChanged = "async_deletion_changed",
        /// A view has other fields.
        ViewChanged = "view_changed",
        /// A group of methods is new.
        ApiAdded = "api_added",
        /// A group of methods is gone.
        ApiRemoved = "api_removed",
        /// A method is new.
        MethodAdded = "method_added",
        /// A method is gone.
        MethodRemoved = "method_removed",
        /// A method is replaced by one of another name.
        MethodRenamed = "method_renamed",
        /// The verb is another one.
        VerbChanged = "verb_changed",
        /// The type of the request is another one.
        RequestTypeChanged = "request_type_changed",
        /// The type of the response is another one.
        ResponseTypeChanged = "response_type_changed",
        /// The client sends a stream, or no longer.
        ClientStreamingChanged = "client_streaming_changed",
        /// The server sends a stream, or no longer.
        ServerStreamingChanged = "server_streaming_changed",
        /// The method operates on another kind.
        OperatedResourceChanged = "operated_resource_changed",
        /// The method operates on a collection, or no longer.
        CollectionMethodChanged = "collection_method_changed",
        /// The method operates on several resources, or no longer.
        PluralMethodChanged = "plural_method_changed",
        /// Other fields of the request name resources.
        RequestPathsChanged = "request_paths_changed",
        /// Other fields of the response have resources.
        ResponsePathsChanged = "response_paths_changed",
        /// The method is executed in another transaction.
        TransactionChanged = "transaction_changed",
        /// The method only reads, or no longer.
        ReadOnlyChanged = "read_only_changed",
        /// Another region executes the method.
        RoutingChanged = "routing_changed",
        /// Callers need another permission.
        PermissionChanged = "permission_changed",
        /// The HTTP routes are others, apart from the version.
        HttpPaths = "http_paths",
        /// Another field is the body of the HTTP request.
        HttpBodyChanged = "http_body_changed",
        /// A message type is new.
        MessageAdded = "message_added",
        /// A message type is gone.
        MessageRemoved = "message_removed",
        /// A field is new.
        FieldAdded = "field_added",
        /// A field is gone.
        FieldRemoved = "field_removed",
        /// A field has another name and the same number and type.
        FieldRenamed = "field_renamed",
        /// A field has another number.
        FieldRenumbered = "field_renumbered",
        /// The number of a field belongs to another one.
        FieldNumberReused = "field_number_reused",
        /// A field has another type.
        FieldTypeChanged = "field_type_changed",
        /// A field has one value, a list or a map, and had another of them.
        FieldCardinalityChanged = "field_cardinality_changed",
        /// The text of a field means something else.
        FieldMeaningChanged = "field_meaning_changed",
        /// A field belongs to another group of which at most one is set.
        FieldOneofChanged = "field_oneof_changed",
        /// Values that were valid no longer are.
        ValidationTightened = "validation_tightened",
        /// More values are valid.
        ValidationRelaxed = "validation_relaxed",
        /// An enumeration is new.
        EnumAdded = "enum_added",
        /// An enumeration is gone.
        EnumRemoved = "enum_removed",
        /// A value of an enumeration is new.
        EnumValueAdded = "enum_value_added",
        /// A value of an enumeration is gone.
        EnumValueRemoved = "enum_value_removed",
        /// A value has another name and the same number.
        EnumValueRenamed = "enum_value_renamed",
        /// A value has another number.
        EnumValueRenumbered = "enum_value_renumbered",
        /// A resource has a further reference.
        ReferenceAdded = "reference_added",
        /// A reference is gone.
        ReferenceRemoved = "reference_removed",
        /// A reference leads to another kind.
        ReferenceTargetChanged = "reference_target_changed",
        /// Something else happens when the resource that is referred to is deleted.
        DeleteBehaviorChanged = "delete_behavior_changed",
    }
}

/// The answer of `spec diff`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceDifference"))]
pub struct ServiceDiffView {
    /// `planloom.spec-diff/1`
    pub format: String,
    /// The service, as the old version names it.
    pub service: String,
    /// The old version.
    pub old: String,
    /// The new version.
    pub new: String,
    /// The changes, by subject and by item; none if a specification has errors.
    pub changes: Vec<ServiceChangeView>,
    /// The errors of both sides, and a diagnostic if the old version names another successor. `spec check` reports the other
    /// problems of a specification.
    pub diagnostics: Vec<SpecificationDiagnostic>,
}

/// A change between two versions of a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceChange"))]
pub struct ServiceChangeView {
    /// The effect on clients of the old version.
    pub class: ServiceChangeClass,
    /// The kind of the change.
    pub change: ServiceChangeKind,
    /// The changed item: `Pod`, `PodService/SearchPods`, `Pod.description = 6`.
    pub item: String,
    /// The old value; empty where there was none.
    pub old: String,
    /// The new value; empty where there is none.
    pub new: String,
    /// The reason why it has this class.
    pub reason: String,
    /// The recommended action.
    pub help: String,
    /// The place in the old version; null where it was not there.
    pub old_location: Option<LocationView>,
    /// The place in the new version; null where it is no longer there.
    pub new_location: Option<LocationView>,
}

impl ServiceDiffView {
    /// True if clients of the old version stop working.
    pub fn is_breaking(&self) -> bool {
        self.changes.iter().any(|it| it.class.is_breaking())
    }
}
