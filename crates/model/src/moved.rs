use std::collections::{BTreeMap, BTreeSet};

use diag::{Span, order};

use crate::{Address, expression::reference_openings};

/// A resource that has another name than when it was created: what descriptors say with `moved`.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The name that it had.
    pub from: Address,
    /// The name that it has.
    pub to: Address,
    /// The place where that is written.
    pub span: Span,
}

/// The recorded addresses that have another name now, with that name. Instances move with their declaration, and a move
/// may be followed by others. A resource stays where it is as long as another one is recorded under its new name, and so do all
/// that would have the same new name: no two resources are ever at one address.
pub fn moves<'a>(moved: &[Moved], recorded: impl Iterator<Item = &'a Address>) -> BTreeMap<Address, Address> {
    if moved.is_empty() {
        return BTreeMap::new();
    }
    let recorded = order::set(recorded);
    let pair = |from: &&Address| Some(((*from).clone(), follow(moved, &recorded, from)?));
    let mut found = order::map(recorded.iter().filter_map(pair));
    let mut counts: BTreeMap<Address, usize> = BTreeMap::new();
    found.values().for_each(|to| *counts.entry(to.clone()).or_default() += 1);
    found.retain(|_, to| counts.get(to) == Some(&1));
    loop {
        let is_blocked = |to: &Address| recorded.contains(to) && !found.contains_key(to);
        let blocked: Vec<Address> =
            found.iter().filter(|(_, to)| is_blocked(to)).map(|(from, _)| from.clone()).collect();
        if blocked.is_empty() {
            return found;
        }
        blocked.iter().for_each(|from| drop(found.remove(from)));
    }
}

/// The name after the moves of an address, up to one under which another resource is recorded. `None` if it has no
/// other name, also if its moves lead in a circle.
fn follow(moved: &[Moved], recorded: &BTreeSet<&Address>, from: &Address) -> Option<Address> {
    let mut address = from.clone();
    for _ in moved {
        let Some(next) = moved.iter().find_map(|it| it.of(&address)) else { break };
        let is_taken = recorded.contains(&next);
        address = next;
        if is_taken {
            break;
        }
    }
    (address != *from).then_some(address)
}

impl Moved {
    /// The new address for one that this record moves; `None` if it is about another one.
    fn of(&self, address: &Address) -> Option<Address> {
        if self.from == *address {
            return Some(self.to.clone());
        }
        let instance = address.instance?;
        (self.from == address.declaration() && self.to.instance.is_none()).then(|| self.to.instance(instance))
    }
}

/// A text in which `${…}` references to one address are references to another; `None` if there are none.
pub fn rename_references(text: &str, from: &Address, to: &Address) -> Option<String> {
    let name = from.to_string();
    let mut renamed = String::new();
    let mut copied = 0;
    for at in reference_openings(text) {
        let path = text[at + 2..].trim_start();
        if path.strip_prefix(&*name).is_some_and(|it| it.starts_with(['.', '[', '}', ' '])) {
            let start = text.len() - path.len();
            renamed.push_str(&text[copied..start]);
            renamed.push_str(&to.to_string());
            copied = start + name.len();
        }
    }
    renamed.push_str(&text[copied..]);
    (copied > 0).then_some(renamed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(pairs: &[(&str, &str)]) -> Vec<Moved> {
        let address = |text: &str| text.parse::<Address>().expect("an address");
        let span = Span::new(diag::FileId(0), 0, 0);
        pairs.iter().map(|(from, to)| Moved { from: address(from), to: address(to), span }).collect()
    }

    fn found(pairs: &[(&str, &str)], recorded: &[&str]) -> Vec<(String, String)> {
        let recorded: Vec<Address> = recorded.iter().map(|it| it.parse().expect("an address")).collect();
        let all = moves(&moved(pairs), recorded.iter());
        all.into_iter().map(|(from, to)| (from.to_string(), to.to_string())).collect()
    }

    #[test]
    fn recorded_resources_follow_all_moves() {
        let both = [("services.a", "services.b"), ("services.b", "services.c")];
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(found(&both, &["services.a", "services.x"]), [pair("services.a", "services.c")]);
        assert_eq!(found(&both, &["services.b"]), [pair("services.b", "services.c")]);
        assert_eq!(found(&both, &["services.a", "services.c"]), []);
        let each = [pair("services.a", "services.b"), pair("services.b", "services.c")];
        assert_eq!(found(&both, &["services.a", "services.b"]), each);
        assert_eq!(found(&both, &["services.a", "services.b", "services.c"]), []);
        assert_eq!(found(&[("services.a", "services.b"), ("services.b", "services.a")], &["services.a"]), []);
    }

    #[test]
    fn of_several_that_would_have_one_name_none_moves() {
        let both = [("services.a", "services.c"), ("services.b", "services.c")];
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(found(&both, &["services.a", "services.b"]), []);
        assert_eq!(found(&both, &["services.b"]), [pair("services.b", "services.c")]);
        let instance = [("services.a", "services.c"), ("services.b[1]", "services.c[1]")];
        assert_eq!(
            found(&instance, &["services.a[0]", "services.a[1]", "services.b[1]"]),
            [pair("services.a[0]", "services.c[0]")]
        );
    }

    #[test]
    fn instances_move_with_their_declaration() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(
            found(&[("services.a", "services.b")], &["services.a[0]", "services.a[1]"]),
            [pair("services.a[0]", "services.b[0]"), pair("services.a[1]", "services.b[1]")]
        );
        assert_eq!(
            found(&[("services.a", "services.a[0]")], &["services.a"]),
            [pair("services.a", "services.a[0]")]
        );
    }

    #[test]
    fn references_are_renamed_in_texts() {
        let [it] = &moved(&[("services.db", "services.store")])[..] else { panic!("one") };
        for (text, renamed) in [
            ("http://${services.db.ip}:80", Some("http://${services.store.ip}:80")),
            ("${ services.db[0].ip }${services.db}", Some("${ services.store[0].ip }${services.store}")),
            ("${services.dbs.ip} $${services.db.ip} services.db.ip ${", None),
        ] {
            assert_eq!(rename_references(text, &it.from, &it.to).as_deref(), renamed);
        }
    }
}
