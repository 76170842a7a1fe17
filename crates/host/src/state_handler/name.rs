use std::fmt;

/// The longest name: with an extension it is still a valid file name on all systems.
const LONGEST: usize = 128;

/// The name of a state, which is also the name of files: no path, and not hidden.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Name(String);

impl Name {
    /// The name from the path of a URL; `None` if it is not valid.
    pub(super) fn read(text: &str) -> Option<Self> {
        let fits = |it: u8| it.is_ascii_alphanumeric() || b"-._".contains(&it);
        let is_name = !text.starts_with('.') && text.bytes().all(fits);
        (is_name && (1..=LONGEST).contains(&text.len())).then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_is_one_plain_word() {
        for name in ["a", "shop", "Shop-2.prod_eu", "7", "a..b", "-", "a.lock", &"a".repeat(LONGEST)] {
            assert!(Name::read(name).is_some(), "{name}");
        }
        let long = "a".repeat(LONGEST + 1);
        for name in [
            "", ".", "..", ".a", "a/b", "/a", "a/", "../a", "a\\b", "a%2fb", "%2e%2e", "a b", "a\0", "a\n",
            "ü", "a:b", "~", "*", &long,
        ] {
            assert_eq!(Name::read(name), None, "{name:?}");
        }
    }

    proptest! {
        #[test]
        fn a_name_leads_to_a_file_in_its_folder(text in "[a.%/\\\\~: -]{0,9}") {
            if let Some(name) = Name::read(&text) {
                let path = std::path::PathBuf::from(name.to_string());
                let parts: Vec<_> = path.components().collect();
                prop_assert!(matches!(&*parts, [std::path::Component::Normal(_)]));
            }
        }
    }
}
