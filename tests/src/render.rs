//! Answers as text for pages. Pure functions of the JSON; the same answers from another build of the engine read the
//! same.
//!
//! | block | what it shows |
//! |---|---|
//! | `files` | each file: its number among the layers, its format, its purpose, and why |
//! | `diagnostics` | one line each, then `see` (other places), `help` and `fix` |
//! | `merged` | the merged document, short YAML |
//! | `origins` | who wrote each value; `origins /services/web` only those below a place |
//! | `inferred` | the inferred values, with the place they follow from |
//! | `graph` | waves and edges |
//! | `links` | each consumer and its outcome; of those that failed, the candidates |
//! | `contents` | what consumers learn |
//! | `considered` | each consumer with all candidates and why they won or lost |
//! | `link-changes` | the changes of links since another section (`- before: S0`) |
//! | `aliases` | the further names that BOSH's DNS has for providers |
//! | `circles` | who needs each other through links |
//! | `director` | what fails in the words of BOSH's director |
//! | `selection` | which versions or variables were chosen, and who wants them |
//! | `ids` | the same, only their names |
//! | `why` | the candidates of each choice and what ruled the earlier ones out |
//! | `conflicts` | what can't all be, with places |
//! | `core` | the facts of the first conflict, without places |
//! | `fixes` | what would help, and what would be chosen then |
//! | `versions` | what differs from what is locked or installed |
//! | `upgrades p` | the upgrades between the versions of the package `p` |
//! | `status` | the first file with the outcome in its `status` |
//! | `lock` | what is written into `planloom.lock` |
//! | `resources` | the kinds of specified services: parents and patterns of names |
//! | `methods` | their methods with permissions and routes; `methods SecretService` only those of an API |
//! | `permissions` | their permissions |
//! | `service-changes` | what changed since the version in another section (`- before: S0`), without what follows from names |
//! | `service-changes all` | the same with it |
//! | `generated types` | a generated text (option `generate`): also `openapi`, `schema`, `docs`, `proto`, `permissions`, `roles`; with a third word only the declaration, path, message or file of that name |
//! | `kinds` | which kinds contain which and refer to which, with what happens on a deletion |
//! | `kinds dot`, `kinds mermaid` | the same as a drawing in another language |
//! | `indices` | the indices that databases need |
//! | `cache` | the groups of cached lists |
//! | `cached` | where the lists of `cache.txt` are filed, and what its writes delete |
//! | `conversion` | what is reported of `conversion.yaml`, and what is not the same in both versions of a service |
//! | `converted` | the lines of `convert.txt` in the other version |
//! | `names` | what the lines of `names.txt` are names of |
//! | `texts` | what the lines of `texts.txt` are: names, or requests with their parameters as they are read |
//! | `combined` | what the resources of each line of `merge.txt` are merged to |
//! | `responses` | the requests and commands of a file `requests.http` and their responses, without metadata; `responses metadata` with it |
//! | `session` | the steps of `session.txt` with what they show, without metadata; `session syncing` with the regions of resources, `session metadata` with all |
//! | `plan` | actions with their reasons |
//! | `changes` | actions with every value that differs |
//! | `reasons` | actions with their reasons as sentences |
//! | `deployment` | what the plan calls the deployment |
//! | `comparison` | how it differs from another section (`- before: S0`): resources with what an apply would do, values with their
//! | | places on both sides, dependencies, other values |
//! | `plan.json` | the plan as it is |

mod comparison;
mod conversion;
mod diagnostics;
mod files;
mod generated;
mod graph;
mod links;
mod merged;
mod plan;
mod servers;
mod service_graph;
mod services;
mod storage;
mod versions;
mod yaml;

use serde_json::Value as Json;

use crate::outputs::{Outputs, json};

/// The text of a block of that name.
///
/// # Panics
/// If no block has that name.
pub fn render(name: &str, outputs: &Outputs) -> String {
    let (name, argument) = name.split_once(' ').unwrap_or((name, ""));
    match name {
        "files" => files::render(&json(&outputs.files)),
        "diagnostics" => diagnostics::render(&json(&outputs.check), &json(&outputs.plan)),
        "merged" => yaml::document(&json(&outputs.merged)["document"]),
        "origins" => merged::origins(&json(&outputs.merged), argument),
        "inferred" => merged::inferred(&json(&outputs.merged)),
        "graph" => graph::render(&json(&outputs.graph)),
        "links" => links::render(&links_of(outputs)),
        "contents" => links::contents(&links_of(outputs)),
        "considered" => links::considered(&links_of(outputs)),
        "director" => links::director(&links_of(outputs)),
        "link-changes" => links::changes(&links_of(outputs)),
        "aliases" => links::aliases(&links_of(outputs)),
        "circles" => links::circles(&links_of(outputs)),
        "selection" => versions::selection(&resolution_of(outputs)),
        "ids" => versions::ids(&resolution_of(outputs)),
        "why" => versions::why(&resolution_of(outputs)),
        "conflicts" => versions::conflicts(&resolution_of(outputs)),
        "core" => versions::core(&resolution_of(outputs)),
        "fixes" => versions::fixes(&resolution_of(outputs)),
        "versions" => versions::changes(&resolution_of(outputs)),
        "upgrades" => {
            versions::upgrades(&outputs.upgrades.get(argument).map(|it| json(it)).unwrap_or_default())
        }
        "status" => outputs.with_status.clone().unwrap_or_default(),
        "lock" => outputs.lock.clone().unwrap_or_default(),
        "resources" => services::resources(&specification_of(outputs)),
        "methods" => services::methods(&specification_of(outputs), argument),
        "permissions" => services::permissions(&specification_of(outputs)),
        "service-changes" => {
            let changes = outputs.service_changes.as_deref().map(json).unwrap_or_default();
            services::changes(&changes, argument == "all")
        }
        "generated" => generated::render(&outputs.generated, argument),
        "kinds" if argument.is_empty() => {
            service_graph::kinds(&outputs.service_graph.as_deref().map(json).unwrap_or_default())
        }
        "kinds" => {
            let drawing = outputs.service_graph_text.get(argument).map(|it| json(it)).unwrap_or_default();
            text(&drawing).to_owned()
        }
        "indices" => storage::indices(&specification_of(outputs)),
        "cache" => storage::cache(&specification_of(outputs)),
        "conversion" => conversion::summary(&conversion_of(outputs)),
        "converted" => conversion::converted(&conversion_of(outputs)),
        "cached" => storage::cached(&outputs.cached.as_deref().map(json).unwrap_or_default()),
        "names" => services::names(&outputs.names.as_deref().map(json).unwrap_or_default()),
        "texts" => services::texts(&outputs.texts.as_deref().map(json).unwrap_or_default()),
        "combined" => services::combined(&outputs.merges.as_deref().map(json).unwrap_or_default()),
        "responses" => {
            let conversation = outputs.conversation.as_deref().map(json).unwrap_or_default();
            services::responses(&conversation, argument == "metadata")
        }
        "session" => {
            let session = outputs.session.as_deref().map(json).unwrap_or_default();
            servers::session(&session, servers::Metadata::named(argument))
        }
        "plan" => plan::actions(&json(&outputs.plan)),
        "changes" => plan::changes(&json(&outputs.plan)),
        "reasons" => plan::reasons(&json(&outputs.plan)),
        "deployment" => format!("{}\n", text(&json(&outputs.plan)["deployment"])),
        "comparison" => comparison::render(&outputs.comparison.as_deref().map(json).unwrap_or_default()),
        "plan.json" => format!("{:#}\n", json(&outputs.plan)),
        _ => panic!("there is no block {name}"),
    }
}

fn resolution_of(outputs: &Outputs) -> Json {
    outputs.resolution.as_deref().map(json).unwrap_or_default()
}

fn specification_of(outputs: &Outputs) -> Json {
    outputs.specification.as_deref().map(json).unwrap_or_default()
}

fn conversion_of(outputs: &Outputs) -> Json {
    outputs.conversion.as_deref().map(json).unwrap_or_default()
}

fn links_of(outputs: &Outputs) -> Json {
    outputs.links.as_deref().map(json).unwrap_or_default()
}

fn list(value: &Json) -> &[Json] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Json) -> &str {
    value.as_str().unwrap_or_default()
}

/// `base.yaml:3:5`; `-` where there is no place.
fn place(value: &Json) -> String {
    match value["file"].as_str() {
        Some(file) => format!("{file}:{}:{}", value["line"], value["column"]),
        None => "-".to_owned(),
    }
}
