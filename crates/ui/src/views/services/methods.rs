//! The methods of a kind with their routes.

use workspace::view::{MethodView, RouteView};
use yew::prelude::*;

use super::show::Show;

/// The methods that operate on a kind, custom ones first.
pub(super) fn of<'a>(show: &'a Show, kind: &str) -> Vec<&'a MethodView> {
    let services = show.view.specification.services.iter();
    let of_service = |service: &'a workspace::view::ServiceView| {
        let is_it = move |it: &&MethodView| {
            it.resource == kind || format!("{}/{}", service.name, it.resource) == kind
        };
        service.apis.iter().flat_map(|it| &it.methods).filter(is_it)
    };
    let mut all: Vec<&MethodView> = services.flat_map(of_service).collect();
    // The order of the others stays.
    let (custom, standard): (Vec<_>, Vec<_>) = all.drain(..).partition(|it| it.standard.is_none());
    custom.into_iter().chain(standard).collect()
}

/// Methods as a table: a line for each route.
pub(super) fn table(show: &Show, all: &[&MethodView]) -> Html {
    if all.is_empty() {
        return html! { <p class="muted">{ "It has no methods." }</p> };
    }
    html! {
        <table class="services-methods">
            <thead><tr>
                <th scope="col">{ "Method" }</th><th scope="col">{ "Routes" }</th><th scope="col">{ "Permission" }</th>
            </tr></thead>
            <tbody>{ for all.iter().map(|it| row(show, it)) }</tbody>
        </table>
    }
}

fn row(show: &Show, it: &MethodView) -> Html {
    let is_custom = it.standard.is_none();
    html! {
        <tr>
            <th scope="row">
                <span class="services-name">{ &it.name }</span>
                if is_custom { { show.place(&it.location) } }
                if it.server_streaming { <span class="tag" title="the server sends a stream">{ "stream" }</span> }
            </th>
            <td data-label="Routes">{ for it.http.iter().map(route) }</td>
            <td data-label="Permission"><span class="services-permission">{ &it.permission }</span></td>
        </tr>
    }
}

fn route(it: &RouteView) -> Html {
    html! {
        <span class="services-route">
            <span class={format!("services-http http-{}", it.method.to_ascii_lowercase())}>{ &it.method }</span>
            { super::tree::pattern(&it.path) }
        </span>
    }
}
