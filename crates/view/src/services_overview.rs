//! An overview of services: their specifications, the dependences between kinds, and examples of resources.

use serde::{Deserialize, Serialize};

use crate::{DeleteBehavior, LocationView, NameProblemView, NameView, ResourceTypeView, SpecificationView};

/// The services of a workspace in one version each, with the dependences between their kinds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceOverview"))]
pub struct ServiceOverviewView {
    /// `planloom.service-overview/1`
    pub format: String,
    /// All versions of services that are given, with the files that describe them.
    pub versions: Vec<ServiceVersionView>,
    /// The services, each in its newest version.
    pub specification: SpecificationView,
    /// The dependences between kinds, by the kind that depends.
    pub dependences: Vec<DependenceView>,
    /// Deletions that can get stuck.
    pub stuck: Vec<StuckDependenceView>,
    /// The files with fixtures.
    pub fixtures: Vec<String>,
    /// A resource of each kind as YAML, to try deletions with; kinds that need values of no simple type are left out.
    pub example: String,
}

/// A version of a service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "ServiceVersion"))]
pub struct ServiceVersionView {
    /// Its domain.
    pub service: String,
    /// The version.
    pub version: String,
    /// The location of its name.
    pub location: LocationView,
    /// True if another file has a newer version, so that the specification does not have this one.
    pub is_older: bool,
}

/// A way in which the resources of one kind depend on those of another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "KindDependence"))]
pub struct DependenceView {
    /// The kind that depends, with its service.
    pub from: String,
    /// The field that refers to the other kind; null for being contained in it.
    pub field: Option<String>,
    /// The other kind, with its service.
    pub to: String,
    /// The effect on the first when the other is deleted. Between services, what would happen in the same transaction
    /// happens afterwards.
    pub behavior: DeleteBehavior,
    /// The location of the field; for a parent and for fields of nested messages, that of the kind.
    pub location: LocationView,
}

/// A deletion that can get stuck: it later requires the deletion of resources that others can block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "StuckDependence"))]
pub struct StuckDependenceView {
    /// The problem, in one line.
    pub message: String,
    /// The action that fixes it.
    pub help: String,
    /// The dependences that the deletion follows; the last one is blocked by a reference to it.
    pub path: Vec<DependenceView>,
    /// The reference that blocks.
    pub blocker: DependenceView,
}

/// The interpretation of a text: a name of a resource, or a request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "NameOrRequest"))]
pub struct TriedTextView {
    /// The resources that it names. For a request, those that its path names.
    pub names: Vec<NameView>,
    /// The methods that answer it, if it is the path of a request.
    pub methods: Vec<TriedMethodView>,
    /// The parameters of the request's query, as they are read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<TriedParameterView>>", optional))]
    pub parameters: Vec<TriedParameterView>,
    /// The reason why it is neither; null if it is one.
    pub problem: Option<NameProblemView>,
}

/// A method that answers a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RequestMethod"))]
pub struct TriedMethodView {
    /// The method of HTTP.
    pub http: String,
    /// Its name with the group of methods: `BookService/GetBook`.
    pub method: String,
    /// The path of its route.
    pub path: String,
    /// The permission that callers need.
    pub permission: String,
    /// The location of its declaration.
    pub location: LocationView,
}

/// A parameter of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RequestParameter"))]
pub struct TriedParameterView {
    /// Its name.
    pub name: String,
    /// Its value as it is read, written out by the rules of its meaning, so that it is read as the same again; as it was given if
    /// it is wrong.
    pub value: String,
    /// The problem with the value; null if there is none.
    pub problem: Option<NameProblemView>,
}

impl ServiceOverviewView {
    /// A kind by its name with the service.
    pub fn resource(&self, type_name: &str) -> Option<&ResourceTypeView> {
        let mut all = self.specification.services.iter().flat_map(|it| &it.resources);
        all.find(|it| it.type_name == type_name)
    }
}
