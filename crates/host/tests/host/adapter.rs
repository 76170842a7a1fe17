//! An adapter behind a server, called over the network with each kind of fault.

use std::rc::Rc;

use crate::support::{hasty, local, serve, transport};
use adapter::{
    CallMatcher, Deliver, Fault, FaultOrder, Faults, Faulty, MemoryLedger, Service, Setup, Simulator,
    SimulatorConfig,
};
use planloom_host::{AdapterHandler, HttpTransport, Mounts, Server, SystemTimer, TokenAuth, spawn};
use protocol::{
    Call, Caller, Reply, ResourceBody, ResourceId, Token, Transport, TransportError, Unclear, read_reply,
};
use runtime::Timer;
use serde_json::json;

const BASE: &str = "/adapters/simulator";

/// A simulator on a server, and a client.
struct Scene {
    simulator: Simulator,
    faults: Faults,
    transport: HttpTransport,
    caller: Caller,
    _server: Server,
}

impl Scene {
    async fn new() -> Self {
        let timer: Rc<dyn Timer> = SystemTimer::new();
        let auth = TokenAuth::random().unwrap();
        let simulator = Simulator::new(timer.clone(), SimulatorConfig::default());
        let setup = Setup {
            ledger: Box::new(MemoryLedger::default()),
            timer: timer.clone(),
            spawn: spawn(),
            token: Some(auth.token().to_owned()),
            base: BASE.to_owned(),
        };
        let description = Simulator::description(&["service"]);
        let service: Rc<dyn Deliver> = Rc::new(Service::new(description, simulator.clone(), setup).unwrap());
        let faults = Faults::new();
        let faulty = Faulty::new(service, faults.clone(), timer, BASE);
        let handler = auth.protect(Rc::new(AdapterHandler::new(Rc::new(faulty))));
        let server = serve(Rc::new(Mounts::new().mount(BASE, Rc::new(handler)))).await;
        let caller = Caller::new(&format!("{}{BASE}", server.origin()), Token::new(auth.token())).unwrap();
        Self { simulator, faults, transport: transport(), caller, _server: server }
    }

    async fn call(&self, call: &Call) -> Reply {
        read_reply(call, self.transport.send(self.caller.request(call)).await)
    }
}

fn create() -> Call {
    let spec = json!({"payload": "p"}).as_object().cloned().unwrap_or_default();
    let (deployment, deployment_name, address) = ("d".into(), "shop".into(), "services.web".into());
    let body = ResourceBody { deployment, deployment_name, address, generation: 1, spec };
    Call::Create { id: ResourceId::new("service", "aaaaaaaaaaaaaaaaaaaaaaaaaa"), body, key: "key-1".into() }
}

type IsExpected = fn(&Reply) -> bool;

/// The reply that the caller gets for each fault.
fn faults() -> Vec<(Fault, IsExpected)> {
    let broken: IsExpected = |it| matches!(it, Reply::Unclear(Unclear::Transport(TransportError::Broken(_))));
    let malformed: IsExpected = |it| matches!(it, Reply::Unclear(Unclear::Malformed(_)));
    vec![
        (Fault::Refuse, broken),
        (Fault::Reset { after: 0 }, broken),
        (Fault::Reset { after: 5 }, broken),
        (Fault::Silence, |it| matches!(it, Reply::Unclear(Unclear::Transport(TransportError::TimedOut)))),
        (Fault::Endless, |it| matches!(it, Reply::Unclear(Unclear::Transport(TransportError::TooLong)))),
        (Fault::Huge, |it| matches!(it, Reply::Unclear(Unclear::Transport(TransportError::TooLong)))),
        (
            Fault::Status { code: 503, retry_after: Some(2) },
            |it| matches!(it, Reply::Busy(_, Some(after)) if after.as_secs() == 2),
        ),
        (Fault::Status { code: 500, retry_after: None }, |it| {
            matches!(it, Reply::Unclear(Unclear::Failed(_)))
        }),
        (Fault::WrongType, malformed),
        (Fault::Malformed, malformed),
        (Fault::OtherId, malformed),
        (Fault::Redirect { to: "http://127.0.0.1:9/".into() }, |it| matches!(it, Reply::Refused(_))),
    ]
}

#[test]
fn faulty_answers_create_one_resource() {
    for (fault, is_expected) in faults() {
        local(async {
            let mut scene = Scene::new().await;
            if fault == Fault::Silence {
                scene.transport = hasty();
            }
            scene.faults.order(FaultOrder::after(CallMatcher::call("create").times(1), fault.clone()));
            let reply = scene.call(&create()).await;
            assert!(is_expected(&reply), "{fault:?}: {reply:?}");
            assert_eq!(scene.simulator.resources().len(), 1, "{fault:?}");
            let again = scene.call(&create()).await;
            assert!(matches!(again, Reply::Resource(_)), "{fault:?}: {again:?}");
            assert_eq!(scene.simulator.resources().len(), 1, "{fault:?}");
            assert!(scene.simulator.duplicates().is_empty());
        });
    }
}

#[test]
fn faults_before_a_call_create_nothing() {
    local(async {
        for fault in [Fault::Refuse, Fault::Reset { after: 0 }, Fault::Silence] {
            let mut scene = Scene::new().await;
            scene.transport = hasty();
            scene.faults.order(FaultOrder::before(CallMatcher::call("create").times(1), fault.clone()));
            let reply = scene.call(&create()).await;
            assert!(matches!(reply, Reply::Unclear(Unclear::Transport(_))), "{fault:?}: {reply:?}");
            assert!(scene.simulator.resources().is_empty(), "{fault:?}");
        }
    });
}

#[test]
fn a_request_without_a_token_creates_nothing() {
    local(async {
        let mut scene = Scene::new().await;
        scene.caller = Caller::new(scene.caller.base(), Token::new("0123456789abcdef")).unwrap();
        assert!(matches!(scene.call(&create()).await, Reply::Unauthorized(_)));
        assert!(matches!(scene.call(&Call::Describe).await, Reply::Unauthorized(_)));
        assert!(scene.simulator.resources().is_empty());
    });
}
