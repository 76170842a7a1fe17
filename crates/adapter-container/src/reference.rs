use std::fmt;

/// The name of an image, with the parts that are usually omitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// The name with the registry: `docker.io/library/nginx`.
    name: String,
    /// The tag, such as `latest`; or a digest, with the text before it.
    tag: Tag,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Tag {
    Tag(String),
    Digest(String),
}

impl Reference {
    /// Parses `nginx`, `nginx:1.27`, `registry.example:5000/a/b@sha256:…`; `None` if that is no name of an
    /// image.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (rest, digest) = match text.split_once('@') {
            Some((rest, digest)) => (rest, Some(digest)),
            None => (text, None),
        };
        let (name, tag) = match rest.rsplit_once(':') {
            Some((name, tag)) if !tag.contains('/') => (name, Some(tag)),
            _ => (rest, None),
        };
        let fits = |text: &str, also: &str| {
            !text.is_empty()
                && text.bytes().all(|it| it.is_ascii_alphanumeric() || also.as_bytes().contains(&it))
        };
        let parts_fit = name.split('/').all(|part| fits(part, "._-:"));
        let tag_fits = tag.is_none_or(|it| fits(it, "._-"));
        let digest_fits = digest.is_none_or(|it| it.contains(':') && fits(it, ":._-+"));
        if !parts_fit || !tag_fits || !digest_fits || text.len() > 500 {
            return None;
        }
        let tag = match digest {
            Some(digest) => Tag::Digest(digest.into()),
            None => Tag::Tag(tag.unwrap_or("latest").into()),
        };
        Some(Self { name: with_registry(name), tag })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn registry(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }
}

fn with_registry(name: &str) -> String {
    match name.split_once('/') {
        Some((host, _)) if host.contains(['.', ':']) || host == "localhost" => {
            match name.strip_prefix("docker.io/") {
                Some(rest) if !rest.contains('/') => format!("docker.io/library/{rest}"),
                _ => name.into(),
            }
        }
        Some(_) => format!("docker.io/{name}"),
        None => format!("docker.io/library/{name}"),
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.tag {
            Tag::Tag(tag) => write!(f, "{}:{tag}", self.name),
            Tag::Digest(digest) => write!(f, "{}@{digest}", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_parts_of_a_reference_have_defaults() {
        for (text, expected) in [
            ("nginx", "docker.io/library/nginx:latest"),
            ("nginx:1.27", "docker.io/library/nginx:1.27"),
            ("docker.io/nginx", "docker.io/library/nginx:latest"),
            ("a/b", "docker.io/a/b:latest"),
            ("localhost/b:1", "localhost/b:1"),
            ("h:5000/b", "h:5000/b:latest"),
            ("quay.io/a/b:c@sha256:00ff", "quay.io/a/b@sha256:00ff"),
        ] {
            assert_eq!(Reference::parse(text).unwrap().to_string(), expected);
        }
        for text in ["", "a b", "a//b", "a:", "a@", "a@b", "a?x=y", "/a", "a/", "../a b", "a:b c"] {
            assert_eq!(Reference::parse(text), None, "{text}");
        }
    }
}
