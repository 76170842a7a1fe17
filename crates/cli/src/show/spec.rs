//! The APIs that specifications imply: for each kind its names and its methods with their routes.

use workspace::view::{ApiView, MethodView, ResourceTypeView, ServiceView, SpecificationView, words::count};

use crate::console::Paint;
use crate::show::width::width;

/// The services that were requested; those that they import are in the JSON.
pub(crate) fn show(view: &SpecificationView, paint: Paint) -> String {
    let services = view.services.iter().filter(|it| !it.is_import);
    services.map(|it| service(it, paint)).collect::<Vec<_>>().join("\n")
}

fn service(service: &ServiceView, paint: Paint) -> String {
    let methods: usize = service.apis.iter().map(|it| it.methods.len()).sum();
    let counts = [
        count(service.resources.len(), "resource"),
        count(methods, "method"),
        count(service.permissions.len(), "permission"),
    ];
    let title = paint.bold(&format!("{} {}", service.name, service.version));
    let mut text = format!("{title} ({}): {}\n", service.package, counts.join(", "));
    let columns = Columns::of(service);
    for resource in &service.resources {
        text.push('\n');
        text += &kind(resource, paint);
        let apis = service.apis.iter().filter(|it| it.resource.as_ref() == Some(&resource.name));
        apis.for_each(|it| text += &columns.methods(it, paint));
    }
    for api in service.apis.iter().filter(|it| it.resource.is_none()) {
        text += &format!("\n{}\n", paint.bold(&api.name));
        text += &columns.methods(api, paint);
    }
    text
}

fn kind(resource: &ResourceTypeView, paint: Paint) -> String {
    let mut text = format!("{}\n", paint.bold(&resource.name));
    resource.patterns.iter().for_each(|it| text += &format!("  {it}\n"));
    text
}

/// The widths of the columns of a service.
struct Columns {
    name: usize,
    route: usize,
}

impl Columns {
    fn of(service: &ServiceView) -> Self {
        let methods = || service.apis.iter().flat_map(|it| &it.methods);
        let routes = methods().flat_map(routes).map(|it| width(&it));
        Self {
            name: methods().map(|it| width(&it.name)).max().unwrap_or(0),
            route: routes.max().unwrap_or(0).min(60),
        }
    }

    fn methods(&self, api: &ApiView, paint: Paint) -> String {
        api.methods.iter().map(|it| self.method(it, paint)).collect()
    }

    /// One line for each route; name and permission are in the first.
    fn method(&self, method: &MethodView, paint: Paint) -> String {
        let line = |(at, route): (usize, String)| {
            let name = if at == 0 { &*method.name } else { "" };
            let permission = if at == 0 { paint.dim(&method.permission) } else { String::new() };
            let (name, route) = (pad(name, self.name), pad(&route, self.route));
            format!("  {name}  {route}  {permission}").trim_end().to_owned() + "\n"
        };
        routes(method).into_iter().enumerate().map(line).collect()
    }
}

fn routes(method: &MethodView) -> Vec<String> {
    method.http.iter().map(|it| format!("{:<6} {}", it.method, it.path)).collect()
}

fn pad(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(width(text))))
}
