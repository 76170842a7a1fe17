use std::{collections::BTreeMap, fmt, sync::Arc};

use serde_json::Value;
use store::{Key, Kind, Query, Resource};

use crate::{Context, Plugin, ResourceChange, Veto, codes};

/// The scope of a limit: the resources of one kind in one project and region.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LimitScope {
    /// The project; empty where resources are in none.
    pub project: Arc<str>,
    /// The region; `None` for resources that are in all.
    pub region: Option<Arc<str>>,
    /// The kind.
    pub kind: Kind,
}

/// The scope in which a resource counts; `None` if it does not count at all.
#[derive(Clone)]
enum Allocator {
    /// It depends on the key alone, so that values need not be read.
    Key(Arc<ScopeOfKey>),
    Value(Arc<ScopeOfValue>),
}

type ScopeOfKey = dyn Fn(&Key) -> Option<LimitScope> + Send + Sync;
type ScopeOfValue = dyn Fn(&Key, &Value) -> Option<LimitScope> + Send + Sync;

/// The limit on the number of resources in a scope; `None` is any number.
type Limits = Arc<dyn Fn(&LimitScope) -> Option<u64> + Send + Sync>;

/// Refuses to create more resources than a limit allows. Updates and deletions always pass, also above the limit.
///
/// It counts the stored resources, so the cost of a commit that creates grows with the number of resources of that kind.
#[derive(Clone)]
pub struct LimitsPlugin {
    allocator: Allocator,
    limits: Limits,
}

impl LimitsPlugin {
    /// With the scope of each resource, and the limit of each scope.
    pub fn new(
        allocator: impl Fn(&Key, &Value) -> Option<LimitScope> + Send + Sync + 'static,
        limits: impl Fn(&LimitScope) -> Option<u64> + Send + Sync + 'static,
    ) -> Self {
        Self { allocator: Allocator::Value(Arc::new(allocator)), limits: Arc::new(limits) }
    }

    /// With scopes that depend on the keys of resources alone: counting is then much faster.
    pub fn by_key(
        allocator: impl Fn(&Key) -> Option<LimitScope> + Send + Sync + 'static,
        limits: impl Fn(&LimitScope) -> Option<u64> + Send + Sync + 'static,
    ) -> Self {
        Self { allocator: Allocator::Key(Arc::new(allocator)), limits: Arc::new(limits) }
    }

    fn scope(&self, key: &Key, value: &dyn Fn() -> Value) -> Option<LimitScope> {
        match &self.allocator {
            Allocator::Key(of) => of(key),
            Allocator::Value(of) => of(key, &value()),
        }
    }

    /// The growth of the number of resources by a transaction, by scope.
    fn growth(&self, changes: &[ResourceChange]) -> BTreeMap<LimitScope, i64> {
        let mut growth = BTreeMap::new();
        for change in changes {
            for (value, by) in [(&change.old, -1), (&change.new, 1)] {
                let scope = value.as_ref().and_then(|it| self.scope(&change.key, &|| (**it).clone()));
                scope.into_iter().for_each(|scope| *growth.entry(scope).or_default() += by);
            }
        }
        growth
    }

    fn count(&self, context: &Context<'_>, scope: &LimitScope) -> u64 {
        let is_in = |resource: &&Arc<Resource>| {
            self.scope(resource.key(), &|| resource.spec.value()).as_ref() == Some(scope)
        };
        let all = context.store.list(&scope.kind, &Query::all());
        all.iter().filter(|it| it.metadata.origin.is_none()).filter(is_in).count() as u64
    }
}

impl Plugin for LimitsPlugin {
    fn name(&self) -> &str {
        "limits"
    }

    fn before_commit(&self, context: &Context<'_>, changes: &[ResourceChange]) -> Result<(), Veto> {
        for (scope, growth) in self.growth(changes).into_iter().filter(|(_, growth)| *growth > 0) {
            let Some(limit) = (self.limits)(&scope) else { continue };
            if self.count(context, &scope).saturating_add_signed(growth) > limit {
                let LimitScope { project, kind, .. } = &scope;
                let region =
                    scope.region.as_ref().map(|region| format!(" in region `{region}`")).unwrap_or_default();
                let reason = match &**project {
                    "" => format!("there may be {limit} resources of `{kind}`{region}"),
                    _ => format!("project `{project}` may have {limit} resources of `{kind}`{region}"),
                };
                return Err(Veto { code: codes::RESOURCE_EXHAUSTED.as_str(), reason });
            }
        }
        Ok(())
    }
}

impl fmt::Debug for LimitsPlugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LimitsPlugin")
    }
}
