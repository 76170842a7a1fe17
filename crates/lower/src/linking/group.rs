//! An item as a group of instances, with its addresses.

use std::sync::Arc;

use diag::Span;
use links::{Group, Instance, Network};
use model::{Address, Data, Expression, Map, Origin, Part, Reference, Step, Value, map_of};
use types::LinkFields;

use crate::declare::Declarations;

/// An item as a group. Values that are not known before it exists are references.
pub(super) fn read(declarations: &Declarations<'_>, item: usize, fields: &LinkFields) -> Group {
    let it = &declarations.items[item];
    let address = declarations.address(item);
    let host = text(declarations, item, fields.host.as_deref());
    let network = text(declarations, item, fields.network.as_deref());
    let places = Places { declarations, item, fields, address: &address };
    let count = declarations.count(item);
    let instances = (0..count.unwrap_or(1)).map(|n| places.instance(n, count.is_some(), network.as_ref()));
    let instances: Vec<Instance> = instances.collect();
    let whole = match &instances[..] {
        [one] => one.addresses.clone(),
        // Each instance has its own.
        _ => Map::new(),
    };
    Group {
        name: Arc::clone(&it.name),
        span: it.span,
        former: Vec::new(),
        host: host.map_or_else(|| address.to_string().into(), |(host, _)| host),
        default_network: network.is_some().then_some(0),
        networks: network.into_iter().map(|(name, span)| Network { name, span, dynamic: false }).collect(),
        addresses: whole,
        instances,
        errand: false,
    }
}

type Text = (Arc<str>, Span);

fn text(declarations: &Declarations<'_>, item: usize, field: Option<&str>) -> Option<Text> {
    let it = &declarations.items[item];
    let value = it.attributes.get(field?)?;
    Some((value.as_str()?.into(), value.origin.span().unwrap_or(it.span)))
}

/// The addresses of an item.
struct Places<'p, 'a> {
    declarations: &'p Declarations<'a>,
    item: usize,
    fields: &'p LinkFields,
    address: &'p Address,
}

impl Places<'_, '_> {
    fn by_network(&self, network: Option<&Text>, address: impl FnOnce(&Self) -> Option<Value>) -> Map {
        let found = network.and_then(|(name, _)| Some((Arc::clone(name), address(self)?)));
        map_of(found)
    }

    fn instance(&self, n: u32, is_counted: bool, network: Option<&Text>) -> Instance {
        let number = is_counted.then_some(n);
        let addresses = self.by_network(network, |it| it.written(n).or_else(|| it.at_run_time(number)));
        Instance {
            name: Arc::clone(&self.address.name),
            id: None,
            index: n,
            bootstrap: n == 0,
            az: None,
            dns_addresses: addresses.clone(),
            addresses,
        }
    }

    /// The address that is written for an instance; a reference to it if it contains a reference itself.
    fn written(&self, n: u32) -> Option<Value> {
        let field = self.fields.addresses.as_deref()?;
        let written = self.declarations.items[self.item].attributes.get(field)?;
        let value = written.as_list()?.get(n as usize)?;
        match value.data {
            Data::Unknown(_) => {
                let path = vec![Step::Key(field.into()), Step::Index(n as usize)];
                Some(self.reference(self.address.clone(), path))
            }
            _ => Some(value.clone()),
        }
    }

    fn at_run_time(&self, instance: Option<u32>) -> Option<Value> {
        let path = self.fields.address.as_deref()?.split('/').map(|key| Step::Key(key.into()));
        let to = Address { instance, ..self.address.clone() };
        Some(self.reference(to, path.collect()))
    }

    fn reference(&self, to: Address, path: Vec<Step>) -> Value {
        reference(to, path, self.declarations.items[self.item].span)
    }
}

/// A reference to a value at another place.
pub(super) fn reference(to: Address, path: Vec<Step>, span: Span) -> Value {
    let text = dotted(&to, &path).into();
    let part = Part::Reference(Reference { to, path, text, span, sensitive: false });
    Value::new(Data::Unknown(Expression { parts: vec![part] }), Origin::Inferred(span))
}

fn dotted(to: &Address, path: &[Step]) -> String {
    path.iter().fold(to.to_string(), |text, step| match step {
        Step::Key(key) => format!("{text}.{key}"),
        Step::Index(index) => format!("{text}[{index}]"),
    })
}
