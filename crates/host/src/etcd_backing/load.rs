use serde_json::Value as Json;
use state::etcd::wire::{Keys, Pair, RangeOptions, pairs, range};
use store::{Counters, Resource};

use super::{EtcdBacking, counters};
use crate::resource_text;

/// Resources in one answer, unless they are long.
const PAGE: u32 = 1000;
/// The number of times that it is read again from the start, because another process wrote or old revisions were removed.
const TRIES: usize = 5;

impl EtcdBacking {
    /// Takes the right to write, and passes all resources to `each`.
    pub(super) fn read_all(&mut self, each: &mut dyn FnMut(Resource)) -> Result<Counters, String> {
        for _ in 0..TRIES {
            let found = self.counters_pair()?;
            let written = found.as_ref().map(|it| counters::read(&it.key, &it.value)).transpose()?;
            let before = found.map_or(0, |it| it.modified);
            if before == 0 {
                self.check_unused()?;
            }
            let after = written.unwrap_or_default();
            let value = self.writes.value(after);
            let taken = self.transact(&[], &value, before).map_err(|it| it.why)?;
            let revision = match taken.one(0) {
                _ if taken.happened => taken.revision,
                Some(pair) if pair.value == value => pair.modified,
                _ => continue,
            };
            let Some(pairs) = self.resources(revision)? else { continue };
            (self.counters, self.known) = (after, revision);
            self.unsettled.clear();
            for pair in pairs {
                each(self.resource(&pair)?);
            }
            return Ok(after);
        }
        Err(format!("{}: other processes write to it; end them, or use another prefix", self.place))
    }

    pub(super) fn counters_pair(&self) -> Result<Option<Pair>, String> {
        let key = Keys::One(self.names.counters().to_owned());
        let answer = self.gateway.post("/kv/range", range(&key, RangeOptions::default()));
        Ok(pairs(&answer.map_err(|it| it.why)?).map_err(|why| why.to_string())?.pop())
    }

    /// Without counters, there are no resources.
    fn check_unused(&self) -> Result<(), String> {
        let one = RangeOptions { limit: 1, keys_only: true, ..RangeOptions::default() };
        let answer = self.gateway.post("/kv/range", range(&Keys::under(self.names.resources()), one));
        match pairs(&answer.map_err(|it| it.why)?).map_err(|why| why.to_string())?.pop() {
            None => Ok(()),
            Some(pair) => Err(format!(
                "{}: there is `{}`, but no `{}`: use another prefix, or restore it from a snapshot of etcd",
                self.place,
                pair.key,
                self.names.counters()
            )),
        }
    }

    /// All resources at a revision, read in pages; `None` if that revision is not available any more.
    fn resources(&self, revision: i64) -> Result<Option<Vec<Pair>>, String> {
        let prefix = self.names.resources();
        let (mut found, mut keys) = (Vec::new(), Keys::under(prefix));
        let mut how = RangeOptions { limit: PAGE, ..RangeOptions::default() }.at(revision);
        loop {
            let answer = match self.gateway.post("/kv/range", range(&keys, how)) {
                Err(failed) if failed.is_too_long && how.limit > 1 => {
                    how.limit /= 2;
                    continue;
                }
                Err(failed) if failed.why.contains("compacted") => return Ok(None),
                answer => answer.map_err(|it| it.why)?,
            };
            found.extend(pairs(&answer).map_err(|why| why.to_string())?);
            let last = found.last().map(|it: &Pair| format!("{}\0", it.key));
            match last.filter(|_| answer.get("more").and_then(Json::as_bool) == Some(true)) {
                Some(next) => keys = Keys::from(&next, prefix),
                None => return Ok(Some(found)),
            }
        }
    }

    fn resource(&self, pair: &Pair) -> Result<Resource, String> {
        let resource = std::str::from_utf8(&pair.value).ok().and_then(resource_text::read);
        resource.filter(|it| self.names.resource(it.key()) == pair.key).ok_or_else(|| {
            format!(
                "the value of `{}` in etcd is not that of a resource: it is left as it is; restore it from a \
                 snapshot of etcd, or delete the key",
                pair.key
            )
        })
    }
}
