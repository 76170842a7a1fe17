//! Values of another deployment that only exist at run time.

use std::sync::Arc;

use links::{ConsumerSpec, Deployment};
use model::{Data, Map, Part, Value};

use crate::resolve::FOREIGN;

/// Marks references of another deployment: its `services.db` is not the one of this deployment.
pub(super) fn mark(deployment: &mut Deployment) {
    let name = Arc::clone(&deployment.name);
    let mark = |value: &mut Value| mark_value(value, &name);
    let each = |map: &mut Map| map.iter_mut().for_each(|(_, it)| mark(it));
    for group in &mut deployment.groups {
        each(&mut group.addresses);
        for instance in &mut group.instances {
            each(&mut instance.addresses);
            each(&mut instance.dns_addresses);
        }
    }
    deployment.providers.iter_mut().filter_map(|it| it.exposure.written.as_mut()).for_each(mark);
    for consumer in &mut deployment.consumers {
        if let ConsumerSpec::Manual(manual) = &mut consumer.spec {
            let parts = [&mut manual.instances, &mut manual.properties, &mut manual.address];
            parts.into_iter().flatten().for_each(mark);
        }
    }
}

fn mark_value(value: &mut Value, deployment: &str) {
    match &mut value.data {
        Data::Unknown(expression) => expression.parts.iter_mut().for_each(|part| {
            if let Part::Reference(reference) = part {
                reference.text = format!("{deployment}: {}", reference.text).into();
                reference.to.collection = format!("{FOREIGN}{}", reference.to.collection).into();
            }
        }),
        Data::List(items) => items.iter_mut().for_each(|it| mark_value(it, deployment)),
        Data::Map(map) => map.iter_mut().for_each(|(_, it)| mark_value(it, deployment)),
        _ => {}
    }
}
