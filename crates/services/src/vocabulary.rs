//! The enums of `spec` as those of views.

pub(crate) mod change;

use spec::skeleton;
use workspace::view::{DeleteBehavior, RegionScope, StandardMethod, SyncType, TransactionLevel};

pub(crate) const fn standard(method: spec::StandardMethod) -> StandardMethod {
    match method {
        spec::StandardMethod::Get => StandardMethod::Get,
        spec::StandardMethod::BatchGet => StandardMethod::BatchGet,
        spec::StandardMethod::List => StandardMethod::List,
        spec::StandardMethod::Watch => StandardMethod::Watch,
        spec::StandardMethod::WatchCollection => StandardMethod::WatchCollection,
        spec::StandardMethod::Create => StandardMethod::Create,
        spec::StandardMethod::Update => StandardMethod::Update,
        spec::StandardMethod::Delete => StandardMethod::Delete,
        spec::StandardMethod::Search => StandardMethod::Search,
    }
}

pub(crate) const fn transaction(transaction: skeleton::Transaction) -> TransactionLevel {
    match transaction {
        skeleton::Transaction::None => TransactionLevel::None,
        skeleton::Transaction::Snapshot => TransactionLevel::Snapshot,
        skeleton::Transaction::Manual => TransactionLevel::Manual,
    }
}

pub(crate) const fn sync_type(sync: skeleton::SyncType) -> SyncType {
    match sync {
        skeleton::SyncType::Default => SyncType::Default,
        skeleton::SyncType::AlwaysInScope => SyncType::AlwaysInScope,
        skeleton::SyncType::Never => SyncType::Never,
        skeleton::SyncType::AlwaysGlobally => SyncType::AlwaysGlobally,
    }
}

pub(crate) const fn region(region: spec::RegionScope) -> RegionScope {
    match region {
        spec::RegionScope::None => RegionScope::Global,
        spec::RegionScope::Required => RegionScope::Regional,
        spec::RegionScope::Optional => RegionScope::Optional,
    }
}

pub(crate) const fn behavior(behavior: fields::schema::DeleteBehavior) -> DeleteBehavior {
    use fields::schema::DeleteBehavior as Declared;
    match behavior {
        Declared::Block => DeleteBehavior::Block,
        Declared::Unset => DeleteBehavior::Unset,
        Declared::CascadeDelete => DeleteBehavior::CascadeDelete,
        Declared::AsyncUnset => DeleteBehavior::AsyncUnset,
        Declared::AsyncCascadeDelete => DeleteBehavior::AsyncCascadeDelete,
        Declared::AllowDangling => DeleteBehavior::AllowDangling,
    }
}
