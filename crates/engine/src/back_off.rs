//! The pauses before a watch restores a resource again, as Kubernetes makes them for containers that end again and again:
//! <https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-restarts>.

use std::{collections::BTreeMap, time::Duration};

use model::{Address, Data, Desired, Origin, Recorded, Value};
use plan::Plan;
use state::{Restarts, Snapshot, template};
use store::Millis;
use types::Types;

use crate::record::sent;

/// The pause after the first time; each is twice as long as the one before.
const FIRST: Duration = Duration::from_secs(10);
/// The longest pause.
const LONGEST: Duration = Duration::from_secs(5 * 60);
/// A resource that was as described for so long is restored at once again.
const HEALTHY: Duration = Duration::from_secs(10 * 60);

/// The resources that a watch has restored, with the number of times.
#[derive(Debug, Default)]
pub(crate) struct BackOff(BTreeMap<Address, Restored>);

#[derive(Debug)]
struct Restored {
    /// The number of times in a row.
    times: u32,
    /// The last time, if that succeeded.
    at: Option<Millis>,
    /// Its attributes then, as they are written. With others it is another attempt.
    spec: Value,
    /// The time at which it may be restored again, once it has to be.
    due: Option<Millis>,
}

/// A resource that is not restored yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pause {
    pub(crate) address: Address,
    /// The number of times that it was restored in a row.
    pub(crate) times: u32,
    /// The whole pause.
    pub(crate) pause: Duration,
    /// True if it has just begun.
    pub(crate) is_new: bool,
}

impl BackOff {
    /// The record of an earlier watch, if that was not long ago: whether the resource has been as described since is not known.
    pub(crate) fn recorded(snapshot: &Snapshot, recorded: &Recorded, now: Millis) -> Self {
        let noted = snapshot.resources.iter().filter_map(|(name, entry)| {
            let Restarts { times, at, .. } = *entry.restarts.as_ref()?;
            let at = Some(Millis(at)).filter(|it| now.since(*it) < HEALTHY);
            let address = name.parse().ok()?;
            let spec = recorded.resources.get(&address)?.template.clone()?;
            Some((address, Restored { times, at: Some(at?), spec, due: None }))
        });
        Self(noted.collect())
    }

    /// The resources that a plan would change and that have to wait.
    pub(crate) fn pauses(
        &mut self,
        plan: &Plan,
        desired: &Desired,
        types: &Types,
        now: Millis,
    ) -> Vec<Pause> {
        let acting = plan.actions.iter().filter(|it| it.action.acts() && !it.waits);
        acting.filter_map(|it| self.pause(&it.address, &spec(desired, types, &it.address), now)).collect()
    }

    /// The record for a resource that is being restored.
    pub(crate) fn restarts(&self, address: &Address, now: Millis) -> Restarts {
        let before = self.0.get(address).map_or(0, |it| it.times);
        Restarts { times: before.saturating_add(1), at: now.0, ..Restarts::default() }
    }

    fn pause(&mut self, address: &Address, spec: &Value, now: Millis) -> Option<Pause> {
        let restored = self.0.get_mut(address)?;
        let was_healthy = restored.due.is_none() && restored.at.is_some_and(|at| now.since(at) >= HEALTHY);
        if was_healthy || !spec.same_data(&restored.spec) {
            self.0.remove(address);
            return None;
        }
        let pause = FIRST.saturating_mul(1 << restored.times.saturating_sub(1).min(31)).min(LONGEST);
        let is_new = restored.due.is_none();
        let due = *restored.due.get_or_insert(now + pause);
        let (address, times) = (address.clone(), restored.times);
        (now < due).then_some(Pause { address, times, pause, is_new })
    }

    /// Notes that a resource was restored, or could not be.
    pub(crate) fn restored(
        &mut self,
        address: Address,
        desired: &Desired,
        types: &Types,
        now: Millis,
        succeeded: bool,
    ) {
        let spec = spec(desired, types, &address);
        let restored =
            self.0.entry(address).or_insert(Restored { times: 0, at: None, spec: spec.clone(), due: None });
        let times = restored.times.saturating_add(1);
        *restored = Restored { times, at: succeeded.then_some(now), spec, due: None };
    }
}

impl Pause {
    /// The reason why it is left alone, in one line.
    pub(crate) fn reason(&self) -> String {
        let next = format!("{} s after it was found to differ", self.pause.as_secs());
        sentence("it", self.times, &next)
    }
}

/// A sentence about a pause that begins, without full stop: how often a resource was restored in a row, and in how many
/// seconds it is restored the next time.
pub fn back_off_sentence(address: &str, restarts: u32, seconds: u64) -> String {
    sentence(address, restarts, &format!("in {seconds} s"))
}

fn sentence(subject: &str, times: u32, next: &str) -> String {
    format!("{subject} was restored {}: the next time is {next}", restarts_in_words(times))
}

/// The number of times that a resource was restored in words: once, or so many times in a row.
pub fn restarts_in_words(times: u32) -> String {
    if times == 1 { "once".to_owned() } else { format!("{times} times in a row") }
}

/// The desired attributes as they are written and recorded; null for a resource that is not described.
fn spec(desired: &Desired, types: &Types, address: &Address) -> Value {
    let described = desired.get(address).map(|it| sent(types, &it.kind, &template(it)));
    described.unwrap_or(Value::new(Data::Null, Origin::Recorded))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(at: i64) -> Millis {
        Millis(at * 1_000)
    }

    fn spec(text: &str) -> Value {
        Value::new(Data::String(text.into()), Origin::Recorded)
    }

    /// A resource that lives for `life` seconds each time: the seconds at which it is restored within an hour.
    fn restored_at(life: i64) -> Vec<i64> {
        let (mut back_off, mut restored, mut dead_since) = (BackOff::default(), Vec::new(), Some(0));
        let address: Address = "services.web".parse().expect("an address");
        for now in 0..3_600 {
            let last = restored.last().copied();
            if dead_since.is_none() && last.is_some_and(|at| now >= at + life) {
                dead_since = Some(now);
            }
            if dead_since.is_some() && back_off.pause(&address, &spec("a"), second(now)).is_none() {
                note(&mut back_off, &address, now, true);
                restored.push(now);
                dead_since = None;
            }
        }
        restored
    }

    fn note(back_off: &mut BackOff, address: &Address, now: i64, succeeded: bool) {
        let desired = Desired {
            resources: vec![
                model::DesiredResource {
                    address: address.clone(),
                    kind: "service".into(),
                    spec: spec("a"),
                    templates: BTreeMap::new(),
                    declared: diag::Span::new(diag::FileId(0), 0, 0),
                    dependencies: Vec::new(),
                    links: Vec::new(),
                    packages: Vec::new(),
                }
                .into(),
            ],
            ..Desired::default()
        };
        back_off.restored(address.clone(), &desired, &Types::default(), second(now), succeeded);
    }

    #[test]
    fn pauses_double_up_to_five_minutes() {
        let at = restored_at(2);
        let pauses: Vec<i64> = at.windows(2).map(|it| it[1] - it[0] - 2).collect();
        assert_eq!(pauses[..7], [10, 20, 40, 80, 160, 300, 300]);
        assert!(at.len() < 20, "{at:?}");
    }

    #[test]
    fn pauses_are_described_in_sentences() {
        let once = "services.web was restored once: the next time is in 10 s";
        assert_eq!(back_off_sentence("services.web", 1, 10), once);
        let more = "services.web was restored 3 times in a row: the next time is in 40 s";
        assert_eq!(back_off_sentence("services.web", 3, 40), more);
        let address = "services.web".parse().expect("an address");
        let pause = Pause { address, times: 1, pause: FIRST, is_new: true };
        let reason = "it was restored once: the next time is 10 s after it was found to differ";
        assert_eq!(pause.reason(), reason);
    }

    #[test]
    fn ten_minutes_of_health_begin_anew() {
        assert_eq!(restored_at(700), [0, 700, 1_400, 2_100, 2_800, 3_500]);
        assert_eq!(restored_at(500)[..3], [0, 510, 1_030]);
    }

    #[test]
    fn a_failure_is_no_health_and_an_edit_is_tried_at_once() {
        let address: Address = "services.web".parse().expect("an address");
        let mut back_off = BackOff::default();
        assert_eq!(back_off.pause(&address, &spec("a"), second(0)), None);
        note(&mut back_off, &address, 0, false);
        let pause = back_off.pause(&address, &spec("a"), second(900)).expect("it waits");
        assert_eq!((pause.times, pause.pause, pause.is_new), (1, FIRST, true));
        assert!(back_off.pause(&address, &spec("a"), second(909)).is_some_and(|it| !it.is_new));
        assert_eq!(back_off.pause(&address, &spec("b"), second(909)), None);
        assert_eq!(back_off.pause(&address, &spec("a"), second(909)), None);
    }
}
