use std::{
    rc::Rc,
    sync::mpsc as threads,
    thread::{self, JoinHandle},
};

use tokio::{net::TcpListener, sync::oneshot, task::JoinSet};

use crate::{Provider, Unavailable, agent, blocking::run, registry, vpn::Vpn};

/// The thread of the providers and of the registry, which ends when this is dropped.
pub(crate) struct Background {
    registry_url: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Background {
    /// Starts the thread, and waits until the offers of all providers are published.
    pub(crate) fn start(bus: String, providers: Vec<Provider>) -> Result<Self, Unavailable> {
        let (stop, stopped) = oneshot::channel();
        let (ready, started) = threads::channel();
        let work = move || {
            let worked = run(async || work(bus, providers, &ready, stopped).await);
            // Who waits for it to be ready receives why it is not; later nobody does.
            if let Err(why) = worked {
                let _ = ready.send(Err(why));
            }
        };
        let failed = |why: std::io::Error| Unavailable::new("there is no thread", why);
        let thread = thread::Builder::new().name("golem-network".to_owned()).spawn(work).map_err(failed)?;
        let mut background = Self { registry_url: String::new(), stop: Some(stop), thread: Some(thread) };
        let ended = || Unavailable("the thread of the providers ended".to_owned());
        background.registry_url = started.recv().map_err(|_| ended())??;
        Ok(background)
    }

    pub(crate) fn registry_url(&self) -> &str {
        &self.registry_url
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

async fn work(
    bus: String,
    providers: Vec<Provider>,
    ready: &threads::Sender<Result<String, Unavailable>>,
    stopped: oneshot::Receiver<()>,
) -> Result<(), Unavailable> {
    let failed = |why: std::io::Error| Unavailable::new("the providers cannot start", why);
    let listener = TcpListener::bind("127.0.0.1:0").await.map_err(failed)?;
    let url = format!("http://{}", listener.local_addr().map_err(failed)?);
    let caller = providers.first().map_or("", Provider::identity);
    let vpn = Rc::new(Vpn::connect(&bus, caller).await.map_err(failed)?);
    let mut tasks = JoinSet::new();
    tasks.spawn_local(registry::serve(listener, url.clone()));
    for provider in &providers {
        tasks.spawn_local(agent::serve(provider.shared(), bus.clone(), Rc::clone(&vpn)));
    }
    for provider in &providers {
        provider.published(1).await;
    }
    let _ = ready.send(Ok(url));
    let _ = stopped.await;
    Ok(())
}
