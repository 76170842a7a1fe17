use std::sync::Arc;

use model::{Data, Step};

use crate::{
    AddressQuery, ByteRange, Problem, ProblemKind,
    runtime_value::{Role, RuntimeValue},
    tree::Node,
};

use super::{Machine, Result, kind, method::CallArguments};

/// The methods of an instance.
pub(crate) const INSTANCE: [&str; 6] = ["name", "id", "index", "az", "address", "bootstrap"];

impl<'a> Machine<'a> {
    pub(super) fn of_link(
        &mut self,
        link: &RuntimeValue<'a>,
        name: &str,
        method: &str,
        call: CallArguments<'_>,
    ) -> Result<RuntimeValue<'a>> {
        match method {
            "address" => self.address(link, name, call),
            "p" => self.property(&self.properties_of(link), call.args, call.at),
            "if_p" => self.if_property(&self.properties_of(link), call.args, call.block),
            _ => {
                let message =
                    format!("a link has no `{method}`; it has address, instances, properties, p and if_p");
                Err(Problem::mismatch(call.at, message))
            }
        }
    }

    /// `instances` and `properties`.
    pub(super) fn key_of_link(
        &self,
        link: &RuntimeValue<'a>,
        key: &str,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        let part = || link.child(&Step::Key("instances".into())).filter(|it| !it.is_nil());
        match key {
            // `nodes` is what links called them first.
            "instances" | "nodes" => {
                let list = part().unwrap_or_else(|| self.value(Data::List(Vec::new())));
                Ok(list.with_role(Role::Instances))
            }
            "properties" => Ok(self.properties_of(link)),
            _ => {
                let message =
                    format!("a link has no `{key}`; it has address, instances, properties, p and if_p");
                Err(Problem::mismatch(at, message))
            }
        }
    }

    /// The properties of a link or an instance; an empty map if there are none.
    pub(crate) fn properties_of(&self, of: &RuntimeValue<'a>) -> RuntimeValue<'a> {
        let part = of.child(&Step::Key("properties".into())).filter(|it| !it.is_nil());
        part.unwrap_or_else(|| self.value(Data::Map(model::Map::new()))).with_role(Role::Properties)
    }

    /// The properties that `if_p` of a link or an instance reads.
    pub(crate) fn properties_for_if_p(
        &self,
        of: &RuntimeValue<'a>,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        match of.role {
            Role::Link(_) | Role::Instance => Ok(self.properties_of(of)),
            _ => Err(Problem::mismatch(at, format!("{} has no `if_p`", kind(of)))),
        }
    }

    fn address(
        &mut self,
        link: &RuntimeValue<'a>,
        name: &str,
        call: CallArguments<'_>,
    ) -> Result<RuntimeValue<'a>> {
        let written = link.child(&Step::Key("address".into())).filter(|it| !it.is_nil());
        if let Some(address) = written.filter(|_| call.named.is_empty()) {
            return Ok(address.with_role(Role::Plain));
        }
        let query = self.query(call.named)?;
        let reported = self.scope.address.and_then(|address_of| address_of(name, &query));
        let reported = reported.map(|value| RuntimeValue::own(value).tainted(link.sensitive));
        reported.ok_or_else(|| {
            Problem::new(call.at, ProblemKind::Director, "link.address requires bosh director".to_owned())
        })
    }

    fn query(&mut self, named: &[(Arc<str>, Node)]) -> Result<AddressQuery> {
        let mut query = AddressQuery::default();
        for (label, node) in named {
            match &**label {
                "azs" => query.azs = self.texts(node)?,
                "status" => query.status = self.texts(node)?.pop(),
                "uuid" => query.uuid = self.texts(node)?.pop(),
                "initial_health_check" => query.initial_health_check = self.texts(node)?.pop(),
                _ => {
                    let message = "`address` takes azs, status, uuid and initial_health_check";
                    return Err(Problem::mismatch(node.at, format!("{message}, not `{label}`")));
                }
            }
        }
        Ok(query)
    }

    /// A text, or a list of texts; empty for nil.
    fn texts(&mut self, node: &Node) -> Result<Vec<Arc<str>>> {
        let value = self.evaluate(node)?;
        if value.is_nil() {
            return Ok(Vec::new());
        }
        let all = value.elements().unwrap_or_else(|| vec![value]);
        let text = |operand: &RuntimeValue<'_>| {
            operand.decide(node.at)?;
            match operand.data() {
                Data::String(text) => Ok(text.clone()),
                Data::Unknown(_) => Err(Problem::unknown(node.at, "the selection of instances")),
                _ => Err(Problem::mismatch(node.at, format!("expected text here, found {}", kind(operand)))),
            }
        };
        all.iter().map(text).collect()
    }
}
