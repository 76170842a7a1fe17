//! Interfaces of methods.

use spec::{Api, Method};

use super::{comment, messages::OBJECT, names::Names};
use crate::{Definition, text};

/// The interface of a group of methods.
pub(super) fn of(api: &Api, it: Definition<'_>, names: &Names) -> String {
    let words = format!("The methods of `{}.{}`.", it.service.package, api.name);
    let methods: String = api.methods.iter().map(|method| of_method(method, it, names)).collect();
    format!("{}export interface {} {{\n{methods}}}\n", comment("", &words), names.of_client(&api.name))
}

fn of_method(method: &Method, it: Definition<'_>, names: &Names) -> String {
    let request = message(&method.request, names);
    let response = message(&method.response, names);
    let parameter = match method.client_streaming {
        true => format!("requests: AsyncIterable<{request}>"),
        false => format!("request: {request}"),
    };
    let result = match method.server_streaming {
        true => format!("AsyncIterable<{response}>"),
        false => format!("Promise<{response}>"),
    };
    let permission = spec::permission_name(&it.service.name, &method.permission);
    let words = format!("{}.\nPermission: `{permission}`.", text::summary(method, it));
    let name = spec::lower_camel_case(&method.name);
    format!("{}  {name}({parameter}): {result};\n", comment("  ", &words))
}

fn message(name: &str, names: &Names) -> String {
    match (names.get(name), name) {
        (Some(name), _) => name.to_owned(),
        (None, "google.protobuf.Empty") => "{ [key: string]: never }".to_owned(),
        (None, _) => OBJECT.to_owned(),
    }
}
