use syntax::{Mapping, Node};

use crate::DocumentKind;

/// Keys of a release job's spec.
const OF_SPECS: [&str; 7] =
    ["name", "description", "templates", "packages", "provides", "consumes", "properties"];

/// Keys of a cloud config that no other file has.
const OF_CLOUDS: [&str; 5] = ["azs", "vm_types", "vm_extensions", "disk_types", "compilation"];

/// The kind of a file that is not one of another tool; `None` if it does not look like one of BOSH.
///
/// The content determines it, and for a spec also the name: `<release>__<job>.yml`.
pub fn sort(name: &str, root: &Node) -> Option<DocumentKind> {
    if is_operations(root) {
        return Some(DocumentKind::Operations);
    }
    let root = root.as_mapping()?;
    let has = |key: &str| root.entry(key).is_some();
    if has("instance_groups")
        || has_older_groups(root)
        || (has("name") && has("releases") && has("stemcells"))
    {
        Some(DocumentKind::Manifest)
    } else if has("addons") {
        Some(DocumentKind::RuntimeConfig)
    } else if is_cloud_config(root) {
        Some(DocumentKind::CloudConfig)
    } else {
        is_spec(name, root).then_some(DocumentKind::JobSpec)
    }
}

/// True if there are instance groups as manifests had them in earlier years: `jobs` with `templates`.
fn has_older_groups(root: &Mapping) -> bool {
    let jobs = root.get("jobs").and_then(Node::as_sequence).unwrap_or_default();
    jobs.iter().any(|it| {
        it.get("name").is_some() && it.get("templates").is_some_and(|it| it.as_sequence().is_some())
    })
}

/// True if it is a list in which an item has a type or a path.
fn is_operations(root: &Node) -> bool {
    let does =
        |it: &Node| matches!(it.get("type").and_then(Node::as_str), Some("replace" | "remove" | "test"));
    root.as_sequence().is_some_and(|items| items.iter().any(|it| it.get("path").is_some() || does(it)))
}

fn is_cloud_config(root: &Mapping) -> bool {
    let networks = root.get("networks").and_then(Node::as_sequence);
    let listed = networks.is_some_and(|it| !it.is_empty() && it.iter().all(|it| it.get("name").is_some()));
    let others = OF_CLOUDS.iter().filter(|key| root.get(key).is_some_and(Node::is_collection)).count();
    listed || others > 1 || (others == 1 && root.entries.len() == 1)
}

fn is_spec(name: &str, root: &Mapping) -> bool {
    let has = |key: &&str| root.entry(key).is_some();
    if release_and_job(name).is_some() {
        return root.entries.is_empty() || OF_SPECS.iter().any(has);
    }
    has(&"name") && ["templates", "packages"].iter().any(has)
}

/// The release and the job in a spec's file name: `specs/nats__nats-tls.yml` is `nats` and `nats-tls`.
pub(crate) fn release_and_job(name: &str) -> Option<(&str, &str)> {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = file.strip_suffix(".yml").or_else(|| file.strip_suffix(".yaml"))?;
    let (release, job) = stem.split_once("__")?;
    (!release.is_empty() && !job.is_empty()).then_some((release, job))
}
