//! The servers that execute methods which specifications add.

use report::codes;
use std::{collections::BTreeMap, rc::Rc};

use api::Hooks;
use host::HttpHooks;
use http::Uri;
use spec::Services;
use workspace::view::DiagnosticView;

use crate::problem::problem;
use crate::work::transport::transport;

/// The hooks of options like `BookService/LendBook=http://127.0.0.1:9000/lend`; `None` without any.
pub(super) fn hooks(
    options: &[String],
    services: &Services,
) -> Result<Option<Rc<dyn Hooks>>, Box<DiagnosticView>> {
    if options.is_empty() {
        return Ok(None);
    }
    let addresses = options.iter().map(|it| hook(it, services)).collect::<Result<BTreeMap<_, _>, _>>()?;
    Ok(Some(Rc::new(HttpHooks::new(transport()?, addresses))))
}

fn hook(option: &str, services: &Services) -> Result<(String, Uri), Box<DiagnosticView>> {
    let refused = |message: String, help: String| Box::new(problem(codes::HOOK, None, message, help));
    let Some((method, address)) = option.split_once('=') else {
        let help = "write it as `BookService/LendBook=http://127.0.0.1:9000/lend`".to_owned();
        return Err(refused(format!("`{option}` is not a hook"), help));
    };
    let custom = custom_methods(services);
    if !custom.iter().any(|it| it == method) {
        let help = match custom.is_empty() {
            true => "the specifications add no methods to the standard ones".to_owned(),
            false => format!("the specifications add {}", custom.join(", ")),
        };
        return Err(refused(format!("there is no method `{method}` that needs a hook"), help));
    }
    let uri = address.parse::<Uri>().ok().filter(|it| matches!(it.scheme_str(), Some("http" | "https")));
    let uri = uri.ok_or_else(|| {
        refused(
            format!("`{address}` is not an address"),
            "write it as `http://127.0.0.1:9000/lend`".to_owned(),
        )
    })?;
    Ok((method.to_owned(), uri))
}

fn custom_methods(services: &Services) -> Vec<String> {
    let served = services.services.iter().filter(|it| !it.is_import);
    let of_api = |api: &spec::Api| {
        let custom = api.methods.iter().filter(|it| it.standard.is_none());
        custom.map(|it| format!("{}/{}", api.name, it.name)).collect::<Vec<_>>()
    };
    served.flat_map(|it| &it.apis).flat_map(of_api).collect()
}
