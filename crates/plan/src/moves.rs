use std::{collections::BTreeMap, rc::Rc};

use model::{
    Address, Data, Desired, DesiredResource, EdgeKind, Observed, Pointer, Recorded, Value, moves,
    rename_references,
};

/// Gives recorded and observed resources the names that they have now, so that a plan compares them with what is
/// described under these: those that descriptors say have moved, and those that adapters know by another name because they
/// were renamed earlier.
pub fn follow_moves(desired: &Desired, recorded: &mut Recorded, observed: &mut Rc<Observed>) {
    let renamed = moves(&desired.moved, recorded.resources.keys());
    if !renamed.is_empty() {
        rename(&renamed, recorded);
        let Observed { resources, ended } = Rc::make_mut(observed);
        *resources = with_new_names(std::mem::take(resources), &renamed);
        *ended = with_new_names(std::mem::take(ended), &renamed);
    }
    translate_attachments(desired, recorded, observed);
}

fn with_new_names<T>(
    all: BTreeMap<Address, T>,
    renamed: &BTreeMap<Address, Address>,
) -> BTreeMap<Address, T> {
    let new = |(address, it)| (renamed.get(&address).cloned().unwrap_or(address), it);
    diag::order::map(all.into_iter().map(new))
}

fn rename(renamed: &BTreeMap<Address, Address>, recorded: &mut Recorded) {
    let resources = std::mem::take(&mut recorded.resources);
    for (address, mut resource) in resources {
        for needed in &mut resource.depends_on {
            if let Some(to) = renamed.get(needed) {
                *needed = to.clone();
            }
        }
        if let Some(template) = &mut resource.template {
            rename_in(template, renamed);
        }
        let Some(to) = renamed.get(&address) else {
            recorded.resources.insert(address, resource);
            continue;
        };
        resource.created_as.get_or_insert_with(|| address.clone());
        resource.moved_from = Some(address);
        recorded.resources.insert(to.clone(), resource);
    }
}

fn rename_in(value: &mut Value, renamed: &BTreeMap<Address, Address>) {
    match &mut value.data {
        Data::String(text) => {
            for (from, to) in renamed {
                if let Some(new) = rename_references(text, &from.declaration(), &to.declaration()) {
                    *text = new.into();
                }
            }
        }
        Data::List(items) => items.iter_mut().for_each(|it| rename_in(it, renamed)),
        Data::Map(map) => map.iter_mut().for_each(|(_, it)| rename_in(it, renamed)),
        _ => {}
    }
}

/// An adapter knows what a resource is attached to by the name that it was created under: in what was sent and is
/// observed, that name becomes the present one.
fn translate_attachments(desired: &Desired, recorded: &mut Recorded, observed: &mut Rc<Observed>) {
    let created = recorded.resources.iter();
    let renamed =
        diag::order::map(created.filter_map(|(address, it)| Some((address.clone(), it.created_as.clone()?))));
    if renamed.is_empty() {
        return;
    }
    for resource in &desired.resources {
        for (path, to, old) in attachments(resource, |it| renamed.get(it).cloned()) {
            if let Some(it) = recorded.resources.get_mut(&resource.address) {
                put(&mut it.spec, &path, &old, to);
            }
            if let Some(Some(seen)) = Rc::make_mut(observed).resources.get_mut(&resource.address)
                && let Some(spec) = &mut seen.spec
            {
                put(spec, &path, &old, to);
            }
        }
    }
}

/// The places of a resource that name what it is attached to, with its present name and the one that its adapter knows.
fn attachments(
    resource: &DesiredResource,
    created_as: impl Fn(&Address) -> Option<Address>,
) -> impl Iterator<Item = (Pointer, &Address, Address)> {
    let all = resource.dependencies.iter().filter(|it| it.kind == EdgeKind::Attachment);
    all.filter_map(move |it| Some((it.path.clone(), &it.to, created_as(&it.to)?)))
}

/// Gives what is sent the names that adapters know: what a resource is attached to may have been renamed since it was
/// created, under the address that `created_as` has for it.
pub fn name_as_created(
    resource: &DesiredResource,
    created_as: impl Fn(&Address) -> Option<Address>,
    spec: &mut Value,
) {
    for (path, to, old) in attachments(resource, created_as) {
        put(spec, &path, to, &old);
    }
}

/// Replaces a name at a place by another one.
fn put(value: &mut Value, path: &Pointer, from: &Address, to: &Address) {
    let place = path.segments().try_fold(value, |value, segment| match &mut value.data {
        Data::Map(map) => map.get_mut(&*segment),
        Data::List(items) => items.get_mut(segment.parse::<usize>().ok()?),
        _ => None,
    });
    if let Some(place) = place
        && place.as_str() == Some(&*from.name)
    {
        place.data = Data::String(to.name.clone());
    }
}
