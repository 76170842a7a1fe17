//! The holder of a recorded resource: the adapter that has it.

use state::Adapter;

use crate::{EngineError, Route, codes, remote::Reader};

/// The highest number of resources that are named in a message.
const NAMED: usize = 5;
/// The number of characters shown of an instance or lineage.
const SHOWN: usize = 8;

/// The treatment of resources that were created by another adapter than the one that makes their kind now.
#[derive(Debug, Default)]
pub enum FormerAdapters {
    /// The engine refuses to change anything.
    #[default]
    Refused,
    /// They move: the adapter of these routes that created a resource destroys it, and the one that makes its
    /// kind now creates it.
    Moved(Vec<Route>),
    /// They are lost together with their adapter, which is not contacted any more.
    Lost,
}

/// The adapter that has a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    /// The adapter that makes its kind now, as far as known.
    Own,
    /// The adapter that it moves away from.
    Former,
    /// None: it was lost with its adapter.
    NoAdapter,
    /// Another adapter.
    Other,
}

/// The former adapter of a kind, according to the options.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FormerAdapter<'p> {
    Refused,
    /// The instance of the adapter that created the kind before.
    Moved(&'p str),
    Lost,
}

/// The holder of a resource that was created by the adapter `made_by`, where `own` is the instance of the
/// adapter that makes its kind now. An empty instance is unknown: states of older versions do not record it,
/// and some adapters do not report one. If nothing says that a resource is elsewhere, it is taken to be where
/// it would be without a move.
pub(crate) fn holder(made_by: Option<&Adapter>, own: &str, past: FormerAdapter<'_>) -> Holder {
    let made_by = made_by.map_or("", |it| &it.instance);
    let is_own = made_by == own && !own.is_empty();
    match past {
        _ if is_own => Holder::Own,
        FormerAdapter::Refused if made_by.is_empty() => Holder::Own,
        FormerAdapter::Refused => Holder::Other,
        FormerAdapter::Moved(former) if former == own && made_by.is_empty() => Holder::Own,
        FormerAdapter::Moved(former) if made_by.is_empty() || made_by == former => Holder::Former,
        FormerAdapter::Moved(_) => Holder::Other,
        FormerAdapter::Lost => Holder::NoAdapter,
    }
}

/// The adapters that may have resources of a kind, once they have identified themselves.
pub(crate) struct Holders {
    pub(crate) own: Reader,
    pub(crate) former: Option<Reader>,
    pub(crate) is_lost: bool,
}

impl Holders {
    /// The holder of a resource that was created by that adapter.
    ///
    /// # Errors
    /// If it could not be determined later which resources were moved.
    pub(crate) fn of(&self, made_by: Option<&Adapter>) -> Result<Holder, EngineError> {
        let (own, former) = (self.own.instance(), self.former.as_ref().map(Reader::instance));
        let past = match &former {
            Some(former) => FormerAdapter::Moved(former),
            None if self.is_lost => FormerAdapter::Lost,
            None => FormerAdapter::Refused,
        };
        match holder(made_by, &own, past) {
            Holder::Former | Holder::NoAdapter if own.is_empty() => Err(no_instance(&self.own)),
            holder => Ok(holder),
        }
    }
}

fn no_instance(own: &Reader) -> EngineError {
    let message = format!("adapter `{}` does not report its instance, so nothing can move to it", own.name());
    EngineError::new(codes::NO_INSTANCE, message)
        .help("nothing was done; destroy everything with the previous adapter, then apply with this one")
}

/// The error that resources were created by another adapter; lists each with the adapter that created it.
pub(crate) fn other_adapter(others: &[(String, Adapter)], own: &Reader) -> EngineError {
    let about: Vec<String> = others.iter().map(|(address, _)| address.clone()).collect();
    let made_by = others.first().map(|(_, it)| it.clone()).unwrap_or_default();
    let be = if about.len() == 1 { "was" } else { "were" };
    let message = format!(
        "{} {be} created by adapter {}; the given adapter is a different one: {}",
        named(&about),
        shown(&made_by),
        shown(&own.adapter()),
    );
    let help = "nothing was done; use the adapter that created them, or move them to this one";
    EngineError { about, ..EngineError::new(codes::OTHER_ADAPTER, message).help(help) }
}

/// `services.a`, `services.a, services.b and 7 more`.
pub(crate) fn named(addresses: &[String]) -> String {
    let (shown, rest) = addresses.split_at(addresses.len().min(NAMED));
    let rest = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    format!("{}{rest}", shown.join(", "))
}

/// `process` (instance 0123abcd), with its address if that differs from its name.
fn shown(adapter: &Adapter) -> String {
    let Adapter { instance, name, address, .. } = adapter;
    let at = if address.is_empty() || address == name { String::new() } else { format!(" at {address}") };
    let which = match short(instance) {
        "" => "of an unknown instance".to_owned(),
        short => format!("instance {short}"),
    };
    format!("`{name}`{at} ({which})")
}

/// The first characters of an instance or a lineage.
pub(crate) fn short(name: &str) -> &str {
    name.char_indices().nth(SHOWN).map_or(name, |(end, _)| &name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(instance: &str) -> Adapter {
        Adapter { instance: instance.into(), ..Adapter::default() }
    }

    /// Cases: the recorded adapter, the given adapter, and the option for former adapters.
    #[test]
    fn the_holder_of_a_resource_follows_from_instances() {
        use FormerAdapter::{Lost, Moved, Refused};
        use Holder::{Former, NoAdapter, Other, Own};
        for (made_by, own, past, expected) in [
            ("", "", Refused, Own),
            ("", "b", Refused, Own),
            ("b", "b", Refused, Own),
            ("a", "b", Refused, Other),
            ("a", "", Refused, Other),
            ("", "b", Moved("a"), Former),
            ("", "a", Moved("a"), Own),
            ("a", "b", Moved("a"), Former),
            ("b", "b", Moved("a"), Own),
            ("c", "b", Moved("a"), Other),
            ("", "b", Moved(""), Former),
            ("a", "b", Moved(""), Other),
            ("a", "b", Lost, NoAdapter),
            ("", "b", Lost, NoAdapter),
            ("b", "b", Lost, Own),
        ] {
            assert_eq!(holder(Some(&by(made_by)), own, past), expected, "{made_by:?} {own:?} {past:?}");
        }
        assert_eq!(holder(None, "b", Refused), Own);
    }

    #[test]
    fn names_are_cut_between_characters() {
        assert_eq!((short("0123456789"), short("é"), short("ééééééééé")), ("01234567", "é", "éééééééé"));
        let many: Vec<String> = (1..=7).map(|it| it.to_string()).collect();
        assert_eq!(named(&many), "1, 2, 3, 4, 5 and 2 more");
        assert_eq!((named(&many[..5]), named(&many[..1])), ("1, 2, 3, 4, 5".into(), "1".into()));
    }

    #[test]
    fn an_adapter_is_shown_with_its_address_and_instance() {
        for (instance, address, expected) in [
            ("0123456789", "", "`process` (instance 01234567)"),
            ("01", "process", "`process` (instance 01)"),
            ("01", "http://a", "`process` at http://a (instance 01)"),
            ("", "", "`process` (of an unknown instance)"),
        ] {
            let (name, address) = ("process".into(), address.into());
            assert_eq!(shown(&Adapter { name, address, ..by(instance) }), expected);
        }
    }
}
