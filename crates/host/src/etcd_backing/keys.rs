use std::sync::Arc;

use store::Key;

/// The names of keys under a prefix.
#[derive(Clone, Debug)]
pub(super) struct Names {
    counters: Arc<str>,
    resources: Arc<str>,
}

impl Names {
    pub(super) fn new(prefix: &str) -> Self {
        let prefix = prefix.trim_matches('/');
        let name =
            |name: &str| if prefix.is_empty() { name.into() } else { format!("{prefix}/{name}").into() };
        Self { counters: name("counters"), resources: name("resources/") }
    }

    pub(super) fn counters(&self) -> &str {
        &self.counters
    }

    /// The prefix of all resources.
    pub(super) fn resources(&self) -> &str {
        &self.resources
    }

    pub(super) fn resource(&self, key: &Key) -> String {
        let kind = key.kind.name.replace('%', "%25").replace('/', "%2F");
        format!("{}{}/{kind}/{}", self.resources, key.kind.namespace, key.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_resources_have_different_keys() {
        let names = Names::new("/planloom/shop/");
        let all = [("n", "a", "b/c"), ("n", "a/b", "c"), ("n", "a%2Fb", "c"), ("n", "a%252Fb", "c")];
        let keys = all.map(|(namespace, kind, id)| names.resource(&Key::new(namespace, kind, id)));
        assert_eq!(keys[0], "planloom/shop/resources/n/a/b/c");
        assert_eq!(keys[1], "planloom/shop/resources/n/a%2Fb/c");
        assert_eq!(keys[2], "planloom/shop/resources/n/a%252Fb/c");
        assert_eq!(keys[3], "planloom/shop/resources/n/a%25252Fb/c");
        assert_eq!(Names::new("").counters(), "counters");
    }
}
