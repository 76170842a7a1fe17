//! What a served API does, in the text format of OpenMetrics: `GET /metrics`.

use std::{rc::Rc, time::Instant};

use api::Api;
use host::{Access, Body, Handler};
use http::{HeaderValue, Request, Response, StatusCode, header::CONTENT_TYPE, request::Parts};
use prometheus_client::{
    encoding::text::encode,
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
    },
    registry::Registry,
};
use protocol::LocalFuture;

/// The path of the metrics.
pub(super) const METRICS: &str = "/metrics";

/// The labels of a method: its service and its name.
type MethodLabels = [(&'static str, String); 2];
type CallLabels = [(&'static str, String); 3];
type Durations = Family<MethodLabels, Histogram, fn() -> Histogram>;

/// The metrics of a server.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<CallLabels, Counter>,
    durations: Durations,
    in_progress: Gauge,
    state: StateMetrics,
    api: Rc<Api>,
}

/// The state of the store and of the other regions when the metrics are requested.
#[derive(Default)]
struct StateMetrics {
    revision: Gauge,
    pending_work: Gauge,
    pending_requests: Gauge,
    copied: Family<MethodLabels, Gauge>,
    failing: Family<MethodLabels, Gauge>,
}

impl Metrics {
    /// Those of an API, in which nothing has happened.
    pub(super) fn new(api: Rc<Api>) -> Self {
        let mut all = Registry::with_prefix("planloom");
        let requests = Family::<CallLabels, Counter>::default();
        all.register("requests", "Requests by method and status", requests.clone());
        let durations = Durations::new_with_constructor(new_histogram);
        let help = "Seconds until the response, or until its first part for watches";
        all.register("request_duration_seconds", help, durations.clone());
        let in_progress = Gauge::default();
        all.register("requests_in_progress", "Requests without a response so far", in_progress.clone());
        let state = StateMetrics::default();
        state.register(&mut all);
        Self { registry: all, requests, durations, in_progress, state, api }
    }

    /// The text.
    fn text(&self) -> Result<String, std::fmt::Error> {
        self.state.update(&self.api);
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }

    /// The labels of a request: methods of the specifications by name, and everything else as one.
    fn labels(&self, head: &Parts) -> MethodLabels {
        let name = || {
            let found = self.api.find(head).ok()?;
            let services = self.api.services();
            let service = services.services.get(found.service)?;
            let method = service.apis.get(found.api)?.methods.get(found.method)?;
            Some([("service", service.name.to_string()), ("method", method.name.to_string())])
        };
        name().unwrap_or_else(|| [("service", String::new()), ("method", String::new())])
    }

    fn record(&self, labels: MethodLabels, status: StatusCode, began: Instant) {
        self.durations.get_or_create(&labels).observe(began.elapsed().as_secs_f64());
        let [service, method] = labels;
        self.requests.get_or_create(&[service, method, ("code", status.as_str().to_owned())]).inc();
    }
}

impl StateMetrics {
    fn register(&self, all: &mut Registry) {
        all.register("store_revision", "The last revision of the store", self.revision.clone());
        all.register("pending_work", "Parts of deletions that are to be done", self.pending_work.clone());
        let help = "Requests to other servers that are to be sent";
        all.register("pending_requests", help, self.pending_requests.clone());
        let help = "The revision of another region up to which its resources are copied";
        all.register("copied_revision", help, self.copied.clone());
        let help = "1 if the last request for copies to another region has failed";
        all.register("copies_failing", help, self.failing.clone());
    }

    fn update(&self, api: &Api) {
        let number = |it: u64| i64::try_from(it).unwrap_or(i64::MAX);
        let count = |it: usize| i64::try_from(it).unwrap_or(i64::MAX);
        self.revision.set(number(api.transactions().store().revision().get()));
        self.pending_work.set(count(api.transactions().pending().len()));
        // Regions that are gone have no metrics any more.
        self.copied.clear();
        self.failing.clear();
        let Some(status) = api.region_status() else { return };
        self.pending_requests.set(count(status.pending_requests));
        for copy in status.copies {
            let labels =
                [("service", copy.owner.service.to_string()), ("region", copy.owner.region.to_string())];
            self.copied.get_or_create(&labels).set(number(copy.complete));
            self.failing.get_or_create(&labels).set(i64::from(copy.error.is_some()));
        }
    }
}

/// From a millisecond to half a minute.
fn new_histogram() -> Histogram {
    Histogram::new(exponential_buckets(0.001, 2.0, 16))
}

/// A handler that counts the requests of another one, and responds with the metrics.
pub(super) struct Metered {
    handler: Rc<dyn Handler>,
    metrics: Rc<Metrics>,
}

/// A request without a response, which is counted as such until it is dropped.
struct InProgress(Rc<Metrics>);

impl InProgress {
    fn begin(metrics: &Rc<Metrics>) -> Self {
        metrics.in_progress.inc();
        Self(metrics.clone())
    }
}

impl Drop for InProgress {
    fn drop(&mut self) {
        self.0.in_progress.dec();
    }
}

impl Metered {
    /// That of an API.
    pub(super) fn new(handler: Rc<dyn Handler>, api: Rc<Api>) -> Self {
        Self { handler, metrics: Rc::new(Metrics::new(api)) }
    }

    fn measured<T: 'static>(
        &self,
        request: Request<Vec<u8>>,
        respond: impl FnOnce(Request<Vec<u8>>) -> LocalFuture<Response<T>>,
    ) -> LocalFuture<Response<T>> {
        let (head, body) = request.into_parts();
        let (labels, metrics, began) = (self.metrics.labels(&head), self.metrics.clone(), Instant::now());
        let in_progress = InProgress::begin(&metrics);
        let response = respond(Request::from_parts(head, body));
        Box::pin(async move {
            let response = response.await;
            drop(in_progress);
            metrics.record(labels, response.status(), began);
            response
        })
    }

    fn shown(&self) -> Response<Vec<u8>> {
        let Ok(text) = self.metrics.text() else {
            return api::Problem::internal("the metrics cannot be written").response();
        };
        let mut response = Response::new(text.into_bytes());
        let kind = HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
        response.headers_mut().insert(CONTENT_TYPE, kind);
        response
    }
}

impl Handler for Metered {
    fn access(&self, head: &Parts) -> Access {
        self.handler.access(head)
    }

    fn refuse(&self, head: &Parts) -> Option<Response<Vec<u8>>> {
        self.handler.refuse(head)
    }

    fn respond(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Body>> {
        match request.uri().path() == METRICS {
            true => Box::pin(std::future::ready(self.shown().map(Body::Whole))),
            false => self.measured(request, |it| self.handler.respond(it)),
        }
    }

    fn handle(&self, request: Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
        match request.uri().path() == METRICS {
            true => Box::pin(std::future::ready(self.shown())),
            false => self.measured(request, |it| self.handler.handle(it)),
        }
    }
}
