//! Transactions of callers in the same process.

use std::{fmt, rc::Rc, sync::Arc};

use fields::{Filter, schema::Schema};
use integrity::{IntegrityError, List, Session};
use names::ParentName;
use serde_json::Value;
use spec::{KindId, Services};

use crate::{
    Api, Problem, Violation,
    kinds::{NamePatterns, Served},
    methods::{not_found, refused},
    values,
};

/// Reads and writes that belong together: all that is read is of one state, and what is written is stored by the commit, all
/// of it or nothing. A commit is refused if anything that was read has changed, also if a list would have more resources now.
///
/// Values are checked as those of requests; callers need no permissions. After a write nothing can be read.
pub struct ApiTransaction {
    api: Rc<Api>,
    session: Session,
}

impl Api {
    /// Opens a transaction; with `read_only`, one that refuses writes.
    pub fn begin(self: &Rc<Self>, read_only: bool) -> ApiTransaction {
        let transactions = self.transactions();
        let session = if read_only { transactions.begin_read_only() } else { transactions.begin() };
        ApiTransaction { api: self.clone(), session }
    }
}

impl ApiTransaction {
    /// A resource.
    ///
    /// # Errors
    /// 404 if it does not exist, 400 if it is no name, 409 after a write.
    pub fn get(&mut self, kind: KindId, name: &str) -> Result<Value, Problem> {
        let key = key(&self.api, kind, name)?;
        let found = self.session.get(&key).map_err(refused_openly)?;
        let message = served(&self.api, kind)?.message();
        found.map(|it| values::current(message, &it)).ok_or_else(|| not_found(name))
    }

    /// The resources of a parent that a filter selects, in order of their names. Both may be empty, for all.
    ///
    /// # Errors
    /// 400 for their errors, 409 after a write.
    pub fn list(&mut self, kind: KindId, parent: &str, filter: &str) -> Result<Vec<Value>, Problem> {
        let selection = Selected::read(&self.api, kind, parent, filter)?;
        let served = served(&self.api, kind)?;
        let list = List::all(served.stored()).matching(move |it| selection.selects(it));
        let found = self.session.list(list).map_err(refused_openly)?;
        let message = served.message();
        Ok(found.into_iter().map(|(_, value)| values::current(message, &value)).collect())
    }

    /// Creates a resource with the name that it has.
    ///
    /// # Errors
    /// Everything that is wrong with it; 409 if the transaction only reads.
    pub fn create(&mut self, kind: KindId, resource: Value) -> Result<(), Problem> {
        let key = key(&self.api, kind, &name_of(&resource))?;
        let value = values::checked(&self.api, served(&self.api, kind)?, resource, None)?;
        self.api.check_unserved(kind, &Value::Null, &value)?;
        self.session.create(key, value).map_err(refused_openly)
    }

    /// Replaces a resource. Fields that only the server sets are kept.
    ///
    /// # Errors
    /// As [`create`](Self::create); at the commit 404 if it does not exist.
    pub fn update(&mut self, kind: KindId, resource: Value) -> Result<(), Problem> {
        let key = key(&self.api, kind, &name_of(&resource))?;
        let old = self.api.stored(&key);
        let value = values::checked(&self.api, served(&self.api, kind)?, resource, old.as_deref())?;
        self.api.check_unserved(kind, old.as_deref().unwrap_or(&Value::Null), &value)?;
        self.session.update(key, value).map_err(refused_openly)
    }

    /// Deletes a resource, with everything that this entails.
    ///
    /// # Errors
    /// 400 if it is no name, 409 if the transaction only reads; at the commit 404 if it does not exist.
    pub fn delete(&mut self, kind: KindId, name: &str) -> Result<(), Problem> {
        let key = key(&self.api, kind, name)?;
        self.session.delete(key).map_err(refused_openly)
    }

    /// Stores what was written.
    ///
    /// # Errors
    /// 409 if a resource that was read has changed; the problem of the writes otherwise. Then nothing was stored.
    pub fn commit(mut self) -> Result<(), Problem> {
        self.session.commit().map_err(|error| match error.is_aborted() {
            true => Problem::aborted("what the transaction has read was changed meanwhile; run it again"),
            false => refused_openly(error),
        })
    }
}

/// Callers in the same process see everything.
fn refused_openly(error: IntegrityError) -> Problem {
    refused(error, &|_| true)
}

/// The selection of a list, without borrowing, since it is read again at the commit.
struct Selected {
    services: Arc<Services>,
    schemas: Arc<Vec<Schema>>,
    kind: KindId,
    parent: Option<ParentName>,
    filter: Filter,
}

impl Selected {
    fn read(api: &Api, kind: KindId, parent: &str, filter: &str) -> Result<Self, Problem> {
        let served = served(api, kind)?;
        let wrong = |error: &fields::ParseError| Problem::parameter(Violation::of_text("filter", error));
        let filter = Filter::parse(filter).map_err(|error| wrong(&error))?;
        filter.bind(served.message(), &NamePatterns::of(served)).map_err(|error| wrong(&error))?;
        let parent = (!parent.is_empty()).then(|| served.kind.patterns.parse_parent(parent)).transpose();
        let parent = parent.map_err(|error| Problem::parameter(Violation::of_name("parent", &error)))?;
        let (services, schemas) = (api.services.clone(), api.schemas.clone());
        Ok(Self { services, schemas, kind, parent, filter })
    }

    fn selects(&self, value: &Value) -> bool {
        let Some(served) = Served::new(&self.services, &self.schemas, self.kind) else { return false };
        let name = name_of(value);
        // Other versions of the kind may have names that this one does not have.
        let is_within = match &self.parent {
            Some(parent) => served.is_within(parent, &name),
            None => served.kind.patterns.parse(&name).is_ok(),
        };
        is_within && served.selects(&self.filter, value)
    }
}

fn served(api: &Api, kind: KindId) -> Result<Served<'_>, Problem> {
    Served::new(&api.services, &api.schemas, kind).ok_or_else(|| Problem::internal("there is no such kind"))
}

fn key(api: &Api, kind: KindId, name: &str) -> Result<store::Key, Problem> {
    let served = served(api, kind)?;
    let name = served.kind.patterns.parse_concrete(name);
    let name = name.map_err(|error| Problem::parameter(Violation::of_name("name", &error)))?;
    Ok(served.stored().key(name.as_str()))
}

fn name_of(resource: &Value) -> String {
    resource.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

impl fmt::Debug for ApiTransaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ApiTransaction").field("session", &self.session).finish_non_exhaustive()
    }
}
