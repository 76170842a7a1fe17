//! The agent of a provider: what it does with its activities and agreements.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    io,
    rc::Rc,
    sync::Arc,
    time::{Duration, SystemTime},
};

use serde_json::{Value as Json, json};
use tokio::{select, sync::mpsc, task::JoinSet, time};

use crate::{Failure, activity::Activity, blocking::Local, bus::Bus, clock, provider::Shared, vpn::Vpn};

/// After a request has failed.
pub(crate) const PAUSE: Duration = Duration::from_millis(200);
/// The number of attempts to send a message to a requestor whose daemon does not answer.
pub(crate) const DELIVERIES: usize = 300;
/// The interval at which agreements are compared with activities.
const RECONCILIATION: Duration = Duration::from_secs(5);

/// A provider while it is alive.
pub(crate) struct Agent {
    pub(crate) shared: Arc<Shared>,
    pub(crate) bus: Bus,
    pub(crate) vpn: Rc<Vpn>,
    tasks: mpsc::UnboundedSender<Local<()>>,
    activities: RefCell<BTreeMap<String, Rc<Activity>>>,
    /// Agreements that an invoice was sent for.
    pub(crate) invoiced: RefCell<BTreeSet<String>>,
    /// The requestor of each agreement.
    pub(crate) requestors: RefCell<BTreeMap<String, String>>,
}

/// Runs the agent of a provider as long as it is alive, and again when it is revived.
pub(crate) async fn serve(shared: Arc<Shared>, bus: String, vpn: Rc<Vpn>) {
    loop {
        shared.until(true).await;
        select! {
            () = shared.until(false) => {}
            _ = live(Arc::clone(&shared), &bus, Rc::clone(&vpn)) => time::sleep(PAUSE).await,
        }
    }
}

/// One life of a provider; whatever it has begun ends with this future.
async fn live(shared: Arc<Shared>, bus: &str, vpn: Rc<Vpn>) -> io::Result<()> {
    let (tasks, mut queue) = mpsc::unbounded_channel();
    let bus = Bus::connect(bus).await?;
    let (activities, invoiced, requestors) = (RefCell::default(), RefCell::default(), RefCell::default());
    let agent = Rc::new(Agent { shared, bus, vpn, tasks, activities, invoiced, requestors });
    let mut running = JoinSet::new();
    running.spawn_local(Rc::clone(&agent).market());
    running.spawn_local(Rc::clone(&agent).watch_activities());
    running.spawn_local(Rc::clone(&agent).watch_agreements());
    running.spawn_local(Rc::clone(&agent).end_what_was_missed());
    while let Some(task) = queue.recv().await {
        while running.try_join_next().is_some() {}
        running.spawn_local(task);
    }
    Ok(())
}

impl Agent {
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + 'static) {
        let _ = self.tasks.send(Box::pin(task));
    }

    /// Creates and destroys activities as requestors want it.
    async fn watch_activities(self: Rc<Self>) {
        let mut after = clock::utc(SystemTime::now());
        loop {
            let path = format!("/activity-api/v1/events?timeout=5&maxEvents=10&afterTimestamp={after}");
            let arrived = self.shared.api.get(&path).await;
            for event in or_pause(arrived).await {
                date_of(&event, &mut after);
                let agent = Rc::clone(&self);
                let text = |key: &str| event[key].as_str().unwrap_or_default().to_owned();
                let (activity, agreement) = (text("activityId"), text("agreementId"));
                // A name, or an object whose only key is the name.
                let kind = &event["eventType"];
                let named = kind.as_object().and_then(|it| it.keys().next()).map(String::as_str);
                match kind.as_str().or(named) {
                    Some("CreateActivity") => self.spawn(agent.create(activity, agreement)),
                    Some("DestroyActivity") => self.spawn(agent.destroy(activity, agreement)),
                    _ => {}
                }
            }
        }
    }

    async fn create(self: Rc<Self>, id: String, agreement: String) {
        let requestor = self.requestors.borrow().get(&agreement).cloned().unwrap_or_default();
        let activity = Rc::new(Activity::new(id.clone(), agreement, requestor, Rc::clone(&self)));
        self.activities.borrow_mut().insert(id, Rc::clone(&activity));
        activity.run().await;
    }

    async fn destroy(self: Rc<Self>, id: String, agreement: String) {
        time::sleep(self.shared.behavior().delays.destruction).await;
        let activity = self.activities.borrow().get(&id).cloned();
        match activity {
            Some(activity) => activity.destroy().await,
            None => self.set_terminated(&id).await,
        }
        self.close_after_last(agreement).await;
    }

    /// Reports that an activity of an earlier life has ended.
    async fn set_terminated(&self, activity: &str) {
        let path = format!("/activity-api/v1/activity/{activity}/state");
        let _ = self.shared.api.put(&path, json!({ "state": ["Terminated", null] })).await;
    }

    /// Closes an agreement after its last activity has ended: sends the invoices, and may terminate the agreement.
    pub(crate) async fn close_after_last(&self, agreement: String) {
        if !self.of(&agreement).iter().all(|activity| activity.has_ended()) {
            return;
        }
        self.invoice(&agreement).await;
        if self.shared.behavior().terminate_agreement {
            let reason = json!({ "message": "simulated: the activity was destroyed" });
            let path = format!("/market-api/v1/agreements/{agreement}/terminate");
            // The requestor may have terminated it before.
            let _ = self.deliver(&path, &reason).await;
        }
    }

    /// Posts what the requestor's daemon has to receive, and tries again as long as that daemon cannot be reached.
    pub(crate) async fn deliver(&self, path: &str, body: &Json) -> Result<(), Failure> {
        let mut last = self.shared.api.post(path, body.clone()).await;
        for _ in 0..DELIVERIES {
            let is_unreached = |why: &Failure| !matches!(why.status, Some(400..=407 | 409..=499));
            if !last.as_ref().is_err_and(is_unreached) {
                break;
            }
            time::sleep(PAUSE).await;
            last = self.shared.api.post(path, body.clone()).await;
        }
        last.map(|_| ())
    }

    /// Ends the activities of agreements that requestors terminate.
    async fn watch_agreements(self: Rc<Self>) {
        let mut after = clock::utc(SystemTime::now());
        loop {
            let path = format!("/market-api/v1/agreementEvents?timeout=5&afterTimestamp={after}");
            let arrived = self.shared.api.get(&path).await;
            for event in or_pause(arrived).await {
                date_of(&event, &mut after);
                let is_of_requestor = event["terminator"] == "Requestor";
                if event["eventType"] == "AgreementTerminatedEvent" && is_of_requestor {
                    let agreement = event["agreementId"].as_str().unwrap_or_default().to_owned();
                    let agent = Rc::clone(&self);
                    self.spawn(async move { agent.terminated(&agreement).await });
                }
            }
        }
    }

    /// Ends the activities of agreements that have ended. A daemon that is busy writes events after others that are later, and who
    /// has read those does not see them any more.
    async fn end_what_was_missed(self: Rc<Self>) {
        loop {
            time::sleep(RECONCILIATION).await;
            let running: BTreeSet<String> = {
                let activities = self.activities.borrow();
                activities.values().filter(|it| !it.has_ended()).map(|it| it.agreement.clone()).collect()
            };
            for agreement in running {
                let state = self.shared.api.get(&format!("/market-api/v1/agreements/{agreement}")).await;
                if state.is_ok_and(|it| it["state"] == "Terminated") {
                    self.terminated(&agreement).await;
                }
            }
        }
    }

    async fn terminated(&self, agreement: &str) {
        for activity in self.of(agreement) {
            if !activity.has_ended() {
                activity.destroy().await;
            }
        }
        self.invoice(agreement).await;
    }

    pub(crate) fn of(&self, agreement: &str) -> Vec<Rc<Activity>> {
        let activities = self.activities.borrow();
        activities.values().filter(|activity| activity.agreement == agreement).cloned().collect()
    }
}

/// The events of an answer; after a failure none, and a pause.
pub(crate) async fn or_pause(answer: Result<Json, Failure>) -> Vec<Json> {
    match answer {
        Ok(Json::Array(events)) => events,
        _ => {
            time::sleep(PAUSE).await;
            Vec::new()
        }
    }
}

/// Later events are those after the date of this one.
fn date_of(event: &Json, after: &mut String) {
    if let Some(date) = event["eventDate"].as_str() {
        date.clone_into(after);
    }
}
