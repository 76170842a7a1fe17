//! Parameters of requests, as they are read.

use api::Match;
use fields::{BySegment, FieldMask, Filter, MessageType, OrderBy, ParseError, schema::Schema};
use protocol::percent_decoded;
use spec::Services;
use workspace::view::{NameProblemView, TriedParameterView};

/// The parameters of the query of a request to a method, in order.
pub(crate) fn read(
    services: &Services,
    schemas: &[Schema],
    found: &Match,
    query: &str,
) -> Vec<TriedParameterView> {
    let service = services.services.get(found.service);
    let method = service.and_then(|it| it.apis.get(found.api)?.methods.get(found.method));
    let kind = method.and_then(|it| it.kind).and_then(|id| Some((id, services.kind(id)?)));
    let message = kind.and_then(|(id, kind)| MessageType::new(schemas.get(id.service)?, &kind.name));
    let message = message.filter(|it| !it.message().open);
    let pairs = query.split('&').filter(|it| !it.is_empty());
    pairs
        .map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let value = decoded(value);
            let (value, problem) = match spelled(name, &value, message) {
                Ok(text) => (text, None),
                Err(error) => (value, Some(problem(&error))),
            };
            TriedParameterView { name: name.to_owned(), value, problem }
        })
        .collect()
}

/// A value as it is read, written out again. Fields have to be those of the message.
fn spelled(name: &str, value: &str, message: Option<MessageType<'_>>) -> Result<String, ParseError> {
    match name {
        "filter" => {
            let filter = Filter::parse(value)?;
            filter.bind(message, &BySegment)?;
            Ok(filter.to_string())
        }
        "orderBy" => {
            let order = OrderBy::parse(value)?;
            order.bind(message)?;
            Ok(order.to_string())
        }
        "fieldMask" | "updateMask" => {
            let mask = FieldMask::parse_json(value)?;
            message.map(|it| mask.typed(it)).transpose()?;
            Ok(mask.to_json())
        }
        _ => Ok(value.to_owned()),
    }
}

fn problem(error: &ParseError) -> NameProblemView {
    NameProblemView {
        code: error.code.to_string(),
        byte: u32::try_from(error.byte).unwrap_or(u32::MAX),
        message: error.message.clone(),
        help: error.help.clone(),
    }
}

/// A value as it is meant; as it is written if its escapes are none.
fn decoded(text: &str) -> String {
    percent_decoded(&text.replace('+', " ")).unwrap_or_else(|| text.to_owned())
}
