//! The API of a service specification, served.

use std::rc::Rc;

use api::{Api, Settings};
use fields::schema::Schema;
use host::{ApiHandler, Handler, Mounts};
use http::{HeaderValue, Request, Response, header::CONTENT_TYPE};
use integrity::{Flags, MetadataPlugin, Plugins, Transactions};
use protocol::LocalFuture;
use services::Questions as _;
use spec::Services;
use workspace::view::{DiagnosticView, ServiceView};

use super::store::{self, OpenStore};
use crate::answer::has_errors;
use crate::args::Serve;
use crate::load::{Loaded, load_specifications};
use crate::problem::problem;

/// What is served, and the store to close at the end.
pub(super) struct Served {
    pub(super) handler: Rc<dyn Handler>,
    /// The same without what else is served: its work is to be continued.
    pub(super) api: ApiHandler,
    pub(super) store: OpenStore,
    pub(super) services: Vec<ServiceView>,
}

/// Why it is not served: problems of specifications, with the texts that they are in.
pub(super) struct Refused {
    pub(super) problems: Vec<DiagnosticView>,
    pub(super) loaded: Loaded,
}

/// The API of the specifications.
pub(super) fn served(args: &Serve) -> Result<Served, Box<Refused>> {
    let mut loaded = load_specifications(&args.services, &args.imports, &args.protos);
    let problems = match loaded.problems.is_empty() {
        true => loaded.workspace.diagnostics().diagnostics,
        false => std::mem::take(&mut loaded.problems),
    };
    if has_errors(&problems) {
        return Err(Box::new(Refused { problems, loaded }));
    }
    let (services, schemas) = (loaded.workspace.services(), loaded.workspace.schemas());
    let rules = match api::rules(&services, &schemas) {
        Ok(rules) => rules,
        Err(error) => {
            let message = format!("`{}` is given in two versions", error.service);
            let help = "serve each version with a server of its own";
            return Err(Box::new(Refused {
                problems: vec![problem("service", None, message, help)],
                loaded,
            }));
        }
    };
    let (store, secret) = match open_store(args) {
        Ok(opened) => opened,
        Err(refused) => return Err(Box::new(Refused { problems: vec![*refused], loaded })),
    };
    let plugins = Plugins::new(MetadataPlugin::new(uuid));
    let transactions = Transactions::new(store.store.clone(), rules, plugins, Flags::default());
    let settings = Settings { secret, ..Settings::default() };
    let documents = openapi(&services, &schemas);
    let api = Api::new(services, schemas, transactions, Rc::new(|| u64::from_le_bytes(random())));
    let api = ApiHandler::new(Rc::new(api.with_settings(settings)));
    let handler: Rc<dyn Handler> = Rc::new(documents.fallback(Rc::new(api.clone())));
    let views = loaded.workspace.specification().services;
    Ok(Served { handler, api, store, services: views.into_iter().filter(|it| !it.is_import).collect() })
}

/// The store, and the secret that page tokens are signed with.
fn open_store(args: &Serve) -> Result<(OpenStore, Vec<u8>), Box<DiagnosticView>> {
    let opened = store::open(args.store.as_deref())?;
    let secret = store::secret(&opened.store, || random::<32>().to_vec()).map_err(|error| {
        let help = "check that the place that `--store` names can be written";
        Box::new(problem("store", args.store.as_deref(), error.to_string(), help))
    })?;
    Ok((opened, secret))
}

/// The OpenAPI documents: of the first service at `/openapi.json`, of each at `/openapi/SERVICE/VERSION.json`.
fn openapi(services: &Services, schemas: &[Schema]) -> Mounts {
    let mut mounts = Mounts::new();
    let served = services.services.iter().enumerate().filter(|(_, it)| !it.is_import);
    for (nth, (at, service)) in served.enumerate() {
        let definition = schemas.get(at).and_then(|it| generate::Definition::new(services, at, it));
        let Some(definition) = definition else { continue };
        let document: Rc<dyn Handler> = Rc::new(json(generate::openapi(definition).to_string()));
        mounts =
            mounts.mount(&format!("/openapi/{}/{}.json", service.name, service.version), document.clone());
        if nth == 0 {
            mounts = mounts.mount("/openapi.json", document);
        }
    }
    mounts
}

fn json(text: String) -> impl Fn(Request<Vec<u8>>) -> LocalFuture<Response<Vec<u8>>> {
    move |_| {
        let mut response = Response::new(text.clone().into_bytes());
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Box::pin(async move { response })
    }
}

/// Random bytes of the system. Where it has none, which no supported system allows, they are zero: ids then collide and are
/// refused.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    let _without_randomness = getrandom::fill(&mut bytes);
    bytes
}

/// A UUID of version 4.
fn uuid() -> String {
    let mut bytes: [u8; 16] = random();
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|it| format!("{it:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}
