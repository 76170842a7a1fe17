//! The names of owners and providers in sentences.

use crate::{Consumer, Deployment, LinkModel, Owner, Provider, ProviderId};

/// `group/job`, or a native service's address.
pub fn owner(deployment: &Deployment, owner: &Owner) -> String {
    let group = owner.group().and_then(|it| deployment.groups.get(it)).map_or("", |it| &*it.name);
    match owner {
        Owner::Job { job, .. } => format!("{group}/{job}"),
        Owner::Service { address, .. } => address.to_string(),
        Owner::Disk { .. } => group.to_owned(),
        Owner::Variable { name } => format!("variable {name}"),
    }
}

/// `` `link` of group/job ``
pub(crate) fn consumer(deployment: &Deployment, consumer: &Consumer) -> String {
    format!("`{}` of {}", consumer.name.text, owner(deployment, &consumer.owner))
}

/// `` `name` of group/job ``, with its deployment where that is not `from`.
pub(crate) fn provider(site: &LinkModel, id: ProviderId, from: usize) -> String {
    let deployment = &site.deployments[id.deployment];
    let it: &Provider = &deployment.providers[id.provider];
    let text = format!("`{}` of {}", it.public_name().text, owner(deployment, &it.owner));
    if id.deployment == from { text } else { format!("{text} in `{}`", deployment.name) }
}

/// `a, b and c`; of many the first ones and how many there are besides.
pub(crate) fn list(names: &[String], most: usize) -> String {
    let mut shown: Vec<&str> = names.iter().take(most).map(|it| &**it).collect();
    let rest = (names.len() > most).then(|| format!("{} more", names.len() - most));
    shown.extend(rest.as_deref());
    match shown.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A sentence of ours as part of another: it begins with a small letter.
pub fn lower_first(text: &str) -> String {
    let mut text = text.to_owned();
    text.get_mut(..1).into_iter().for_each(str::make_ascii_lowercase);
    text
}
