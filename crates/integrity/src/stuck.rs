use std::collections::{BTreeMap, BTreeSet, VecDeque, btree_map::Entry};

use diag::Code;
use fields::schema::DeleteBehavior;
use serde::Serialize;
use store::Kind;

use crate::{Model, Severity, codes, problem::as_text};

/// A way in which a deletion can get stuck, as a witness: deleting a resource of the first kind later requires the deletion
/// of one that may be blocked by a resource which has nothing to do with the first.
///
/// It is possible, not certain: it depends on the resources. In real specifications there are many, so it is a warning.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct StuckDeletion {
    /// `integrity/stuck-deletion`.
    #[serde(serialize_with = "as_text")]
    pub code: Code,
    /// Always a warning.
    pub severity: Severity,
    /// The kind that is deleted.
    pub root: String,
    /// The kind whose deletion follows, and may be blocked.
    pub stuck: String,
    /// The kind that blocks it.
    pub blocker: String,
    /// The field of the blocker; `parent` if it is contained in the stuck kind.
    pub field: String,
    /// A shortest path of the deletion from the root to the stuck kind; at least one step is asynchronous.
    pub path: Vec<StuckStep>,
    /// The problem, in one line.
    pub message: String,
    /// The action that fixes it.
    pub help: String,
}

/// A deletion that follows another one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct StuckStep {
    /// The kind that is deleted first.
    pub from: String,
    /// The kind that is deleted because of it.
    pub to: String,
    /// The field of the latter; `parent` if it is contained in the former.
    pub field: String,
    /// `CASCADE_DELETE` or `ASYNC_CASCADE_DELETE`.
    pub behavior: &'static str,
}

/// A dependency of the resources of one kind on those of another.
struct Edge<'a> {
    from: &'a Kind,
    to: &'a Kind,
    field: &'a str,
    behavior: DeleteBehavior,
}

/// A kind, and whether the deletion that reaches it is asynchronous.
type Place<'a> = (&'a Kind, bool);

/// All ways in which deletions can get stuck, over the kinds of a model only: for each kind, the kinds that are deleted
/// after it, and their blockers that are not deleted with it.
///
/// The implication of one deletion by another is judged by kinds: a blocker whose kind is deleted too is taken to be deleted,
/// even if it actually belongs to another parent.
pub fn stuck_deletions(model: &Model) -> Vec<StuckDeletion> {
    let edges = edges(model);
    let mut into: BTreeMap<&Kind, Vec<&Edge<'_>>> = BTreeMap::new();
    edges.iter().for_each(|edge| into.entry(edge.to).or_default().push(edge));
    let roots = model.kinds().map(|kind| &kind.kind).filter(|kind| model.is_constrained(kind));
    roots.flat_map(|root| of_root(root, &into)).collect()
}

fn edges(model: &Model) -> Vec<Edge<'_>> {
    let mut edges = Vec::new();
    for kind in model.kinds().filter(|kind| !kind.exempt) {
        let parents = kind.on_parent_deleted.into_iter();
        let parents =
            parents.flat_map(|behavior| kind.parents.iter().map(move |to| ("parent", to, behavior)));
        let references =
            kind.references.iter().map(|it| (&**it.path.text(), &it.target, it.on_target_deleted));
        for (field, to, declared) in parents.chain(references).filter(|(_, to, _)| model.is_constrained(to)) {
            let behavior = Model::effective(declared, &kind.kind, to);
            edges.push(Edge { from: &kind.kind, to, field, behavior });
        }
    }
    edges
}

fn of_root<'a>(root: &'a Kind, into: &BTreeMap<&'a Kind, Vec<&'a Edge<'a>>>) -> Vec<StuckDeletion> {
    let reached = reach(root, into);
    let kinds: BTreeSet<&Kind> = reached.keys().map(|(kind, _)| *kind).collect();
    let mut found = Vec::new();
    for place in reached.keys().filter(|(_, later)| *later) {
        let blocks =
            into.get(place.0).into_iter().flatten().filter(|edge| edge.behavior == DeleteBehavior::Block);
        for block in blocks.filter(|edge| !kinds.contains(edge.from)) {
            found.push(StuckDeletion::new(root, block, path(*place, &reached)));
        }
    }
    found
}

/// The places that the deletion of a resource of `root` reaches, each with the last step of a shortest path.
fn reach<'a>(
    root: &'a Kind,
    into: &BTreeMap<&'a Kind, Vec<&'a Edge<'a>>>,
) -> BTreeMap<Place<'a>, Option<(&'a Edge<'a>, Place<'a>)>> {
    let start = (root, false);
    let mut reached = BTreeMap::from([(start, None)]);
    let mut open = VecDeque::from([start]);
    while let Some(place) = open.pop_front() {
        for edge in into.get(place.0).into_iter().flatten() {
            let later = match edge.behavior {
                DeleteBehavior::CascadeDelete => place.1,
                DeleteBehavior::AsyncCascadeDelete => true,
                _ => continue,
            };
            let next = (edge.from, later);
            if let Entry::Vacant(new) = reached.entry(next) {
                new.insert(Some((*edge, place)));
                open.push_back(next);
            }
        }
    }
    reached
}

fn path<'a>(
    mut place: Place<'a>,
    reached: &BTreeMap<Place<'a>, Option<(&'a Edge<'a>, Place<'a>)>>,
) -> Vec<StuckStep> {
    let mut steps = Vec::new();
    while let Some(Some((edge, before))) = reached.get(&place) {
        steps.push(StuckStep {
            from: edge.to.to_string(),
            to: edge.from.to_string(),
            field: edge.field.to_owned(),
            behavior: edge.behavior.as_str(),
        });
        place = *before;
    }
    steps.reverse();
    steps
}

impl StuckDeletion {
    fn new(root: &Kind, block: &Edge<'_>, path: Vec<StuckStep>) -> Self {
        let (root, stuck, blocker) = (root.to_string(), block.to.to_string(), block.from.to_string());
        let field = block.field.to_owned();
        let message = format!(
            "deleting a `{root}` later deletes `{stuck}`, which `{field}` of `{blocker}` can block for ever"
        );
        let help = format!(
            "let `{blocker}` be deleted with `{root}` too, use another behaviour for `{field}`, or delete the \
             blocking resources first"
        );
        let (code, severity) = (codes::STUCK_DELETION, Severity::Warning);
        Self { code, severity, root, stuck, blocker, field, path, message, help }
    }
}
