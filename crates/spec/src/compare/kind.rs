use super::ChangeSubject;

/// The consequence of a change for clients of the old version, by the lists of Goten's guide on compatible changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeClass {
    /// Clients of the old version stop working: a new version is needed, in which old requests are transformed.
    Breaking,
    /// As breaking, and Goten has no transformation for it.
    Unsupported,
    /// The guide does not say whether it is compatible: its consequences have to be judged.
    Unlisted,
    /// It can be made in the same version.
    Compatible,
    /// It is the consequence of a change of names, which is listed itself.
    FollowsNames,
}

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// The service has another name.
    ServiceRenamed,
    /// The package of its messages has another name, apart from the version.
    PackageChanged,
    /// Another host serves it.
    HostChanged,
    /// Its HTTP paths begin otherwise, apart from the version.
    HttpPrefixChanged,
    /// Another service is imported.
    ImportAdded,
    /// A service is no longer imported.
    ImportDropped,
    /// A service is imported in a newer version.
    ImportUpgraded,
    /// A service is imported in an older version.
    ImportDowngraded,
    /// A kind is new.
    ResourceAdded,
    /// A kind is gone.
    ResourceRemoved,
    /// A kind is replaced by one of another name.
    ResourceRenamed,
    /// Several kinds are replaced by one.
    ResourcesMerged,
    /// A kind is replaced by another one and by itself.
    ResourceSplit,
    /// The plural is another one, and so the collection.
    PluralChanged,
    /// A kind at the root got parents.
    FirstParentAdded,
    /// A kind can have a further parent.
    ParentAdded,
    /// A kind that could be without parent needs one; the parents are the same.
    OptionalParentDropped,
    /// A parent is gone.
    ParentRemoved,
    /// A parent, or that there need not be one, is gone, and there is another one.
    ParentReplaced,
    /// All old patterns of names are valid, and more.
    PatternsAdded,
    /// Names that were valid no longer are.
    PatternsLost,
    /// Names can have an attribute such as the region.
    ScopeAttributeAdded,
    /// Names no longer have it.
    ScopeAttributeRemoved,
    /// It became optional or required.
    ScopeAttributeChanged,
    /// Ids match another regular expression.
    IdPatternChanged,
    /// Ids of new resources match another regular expression.
    CreationIdPatternChanged,
    /// Something of the standard is left out.
    OptOutAdded,
    /// Something of the standard is no longer left out.
    OptOutRemoved,
    /// A kind can be searched, or no longer.
    SearchableChanged,
    /// Copies are kept elsewhere.
    SyncTypeChanged,
    /// A kind holds the policy of regions, or no longer.
    PolicyHolderChanged,
    /// Something else happens to a resource when its parent is deleted.
    OnParentDeletedChanged,
    /// Deleted resources are kept until nothing refers to them, or no longer.
    AsyncDeletionChanged,
    /// A view has other fields.
    ViewChanged,
    /// A group of methods is new.
    ApiAdded,
    /// A group of methods is gone.
    ApiRemoved,
    /// A method is new.
    MethodAdded,
    /// A method is gone.
    MethodRemoved,
    /// A method is replaced by one of another name.
    MethodRenamed,
    /// The verb is another one.
    VerbChanged,
    /// The type of the request is another one.
    RequestTypeChanged,
    /// The type of the response is another one.
    ResponseTypeChanged,
    /// The client sends a stream, or no longer.
    ClientStreamingChanged,
    /// The server sends a stream, or no longer.
    ServerStreamingChanged,
    /// The method operates on another kind.
    OperatedResourceChanged,
    /// The method operates on a collection, or no longer.
    CollectionMethodChanged,
    /// The method operates on several resources, or no longer.
    PluralMethodChanged,
    /// Other fields of the request name resources.
    RequestPathsChanged,
    /// Other fields of the response have resources.
    ResponsePathsChanged,
    /// The method is executed in another transaction.
    TransactionChanged,
    /// The method only reads, or no longer.
    ReadOnlyChanged,
    /// Another region executes the method.
    RoutingChanged,
    /// Callers need another permission.
    PermissionChanged,
    /// The HTTP routes are others, apart from the version.
    HttpPaths,
    /// Another field is the body of the HTTP request.
    HttpBodyChanged,
    /// A message type is new.
    MessageAdded,
    /// A message type is gone.
    MessageRemoved,
    /// A field is new.
    FieldAdded,
    /// A field is gone.
    FieldRemoved,
    /// A field has another name and the same number and type.
    FieldRenamed,
    /// A field has another number.
    FieldRenumbered,
    /// The number of a field belongs to another one.
    FieldNumberReused,
    /// A field has another type.
    FieldTypeChanged,
    /// A field has one value, a list or a map, and had another of them.
    FieldCardinalityChanged,
    /// The text of a field means something else.
    FieldMeaningChanged,
    /// A field belongs to another group of which at most one is set.
    FieldOneofChanged,
    /// Values that were valid no longer are.
    ValidationTightened,
    /// More values are valid.
    ValidationRelaxed,
    /// An enumeration is new.
    EnumAdded,
    /// An enumeration is gone.
    EnumRemoved,
    /// A value of an enumeration is new.
    EnumValueAdded,
    /// A value of an enumeration is gone.
    EnumValueRemoved,
    /// A value has another name and the same number.
    EnumValueRenamed,
    /// A value has another number.
    EnumValueRenumbered,
    /// A resource has a further reference.
    ReferenceAdded,
    /// A reference is gone.
    ReferenceRemoved,
    /// A reference leads to another kind.
    ReferenceTargetChanged,
    /// Something else happens when the resource that is referred to is deleted.
    DeleteBehaviorChanged,
}

impl ChangeKind {
    /// The subject of the change.
    pub const fn subject(self) -> ChangeSubject {
        match self {
            Self::ServiceRenamed | Self::PackageChanged | Self::HostChanged | Self::HttpPrefixChanged => {
                ChangeSubject::Service
            }
            Self::ImportAdded | Self::ImportDropped | Self::ImportUpgraded | Self::ImportDowngraded => {
                ChangeSubject::Import
            }
            Self::ResourceAdded
            | Self::ResourceRemoved
            | Self::ResourceRenamed
            | Self::ResourcesMerged
            | Self::ResourceSplit
            | Self::PluralChanged
            | Self::FirstParentAdded
            | Self::ParentAdded
            | Self::OptionalParentDropped
            | Self::ParentRemoved
            | Self::ParentReplaced
            | Self::PatternsAdded
            | Self::PatternsLost
            | Self::ScopeAttributeAdded
            | Self::ScopeAttributeRemoved
            | Self::ScopeAttributeChanged
            | Self::IdPatternChanged
            | Self::CreationIdPatternChanged
            | Self::OptOutAdded
            | Self::OptOutRemoved
            | Self::SearchableChanged
            | Self::SyncTypeChanged
            | Self::PolicyHolderChanged
            | Self::OnParentDeletedChanged
            | Self::AsyncDeletionChanged
            | Self::ViewChanged => ChangeSubject::Resource,
            Self::ApiAdded
            | Self::ApiRemoved
            | Self::MethodAdded
            | Self::MethodRemoved
            | Self::MethodRenamed
            | Self::VerbChanged
            | Self::RequestTypeChanged
            | Self::ResponseTypeChanged
            | Self::ClientStreamingChanged
            | Self::ServerStreamingChanged
            | Self::OperatedResourceChanged
            | Self::CollectionMethodChanged
            | Self::PluralMethodChanged
            | Self::RequestPathsChanged
            | Self::ResponsePathsChanged
            | Self::TransactionChanged
            | Self::ReadOnlyChanged
            | Self::RoutingChanged
            | Self::PermissionChanged
            | Self::HttpPaths
            | Self::HttpBodyChanged => ChangeSubject::Method,
            Self::MessageAdded
            | Self::MessageRemoved
            | Self::FieldAdded
            | Self::FieldRemoved
            | Self::FieldRenamed
            | Self::FieldRenumbered
            | Self::FieldNumberReused
            | Self::FieldTypeChanged
            | Self::FieldCardinalityChanged
            | Self::FieldMeaningChanged
            | Self::FieldOneofChanged
            | Self::ValidationTightened
            | Self::ValidationRelaxed
            | Self::EnumAdded
            | Self::EnumRemoved
            | Self::EnumValueAdded
            | Self::EnumValueRemoved
            | Self::EnumValueRenamed
            | Self::EnumValueRenumbered => ChangeSubject::Message,
            Self::ReferenceAdded
            | Self::ReferenceRemoved
            | Self::ReferenceTargetChanged
            | Self::DeleteBehaviorChanged => ChangeSubject::Reference,
        }
    }
}
