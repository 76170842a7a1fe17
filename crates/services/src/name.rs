//! The resources that a text is a name of.

use names::{Name, NameError, ServiceName};
use spec::{KindId, Services};
use workspace::view::{NameAnswer, NameIdView, NameProblemView, NameView};

/// All kinds that a text is a name of. If it is none, the problem is that of the kind whose pattern it follows furthest.
pub(crate) fn read(services: &Services, text: &str) -> NameAnswer {
    let (mut names, mut furthest): (Vec<NameView>, Option<NameError>) = (Vec::new(), None);
    for (id, kind) in services.kinds() {
        match kind.patterns.parse(text) {
            Ok(name) => names.push(view(services, id, &name)),
            Err(error) if furthest.as_ref().is_none_or(|it| error.at() > it.at()) => furthest = Some(error),
            Err(_) => {}
        }
    }
    let problem = furthest.filter(|_| names.is_empty()).map(|it| problem(&it));
    NameAnswer { names, problem }
}

fn view(services: &Services, id: KindId, name: &Name) -> NameView {
    let service = services.services.get(id.service).and_then(|it| it.name.parse::<ServiceName>().ok());
    let full_name = service.and_then(|it| name.full(&it).ok());
    let part = |(segment, id): (&names::Segment, &str)| NameIdView {
        variable: segment.variable.to_string(),
        id: id.to_owned(),
    };
    NameView {
        type_name: services.type_name(id),
        pattern: name.pattern().text().to_owned(),
        ids: name.segments().map(part).collect(),
        parent: name.parent().map_or_else(String::new, |it| it.to_string()),
        full_name: full_name.map(|it| it.to_string()),
        is_wildcard: name.is_wildcard(),
    }
}

fn problem(error: &NameError) -> NameProblemView {
    NameProblemView {
        code: error.code().to_owned(),
        byte: u32::try_from(error.at()).unwrap_or(u32::MAX),
        message: error.to_string(),
        help: error.help().to_string(),
    }
}
