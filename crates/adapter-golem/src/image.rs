//! Images of virtual machines, and the registry that knows them.

use ::adapter::spec::SpecValue;
use http::{Method, Request};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use protocol::{Code, Problem, Transport};
use serde::Deserialize;

use crate::spec::{Image, ImageSource};

/// The characters that the registry does not read as part of a value.
const OF_NO_VALUE: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/').remove(b':');

/// The keys `image_*` of a payload's parameters. `None` only if an error was reported.
pub(crate) fn read(params: &SpecValue<'_>) -> Option<Image> {
    let text = |name: &str| params.key(name).and_then(|it| it.text());
    let flag = |name: &str| text(name).is_some_and(|it| it == "true");
    let (hash, tag, url) = (text("image_hash"), text("image_tag"), text("image_url"));
    let (source, named) = match (hash, tag, url) {
        (Some(hash), None, None) => (ImageSource::Hash(plain_hash(&hash).to_owned()), "image_hash"),
        (None, Some(tag), None) => (ImageSource::Tag(tag), "image_tag"),
        (Some(hash), None, Some(url)) => {
            (ImageSource::Url { url, hash: plain_hash(&hash).to_owned() }, "image_url")
        }
        (None, None, Some(_)) => {
            return refuse(params, "`image_url` needs `image_hash`, the hash of what is there");
        }
        (_, Some(_), _) => return refuse(params, "write one of `image_hash`, `image_tag` and `image_url`"),
        (None, None, None) => {
            return refuse(params, "there is no image: write `image_hash`, `image_tag` or `image_url`");
        }
    };
    let pointer = params.key(named).map(|it| it.pointer).unwrap_or_default();
    check_hash(params, &source);
    let registry = text("repository_url");
    Some(Image { source, https: flag("image_use_https"), registry, dev: flag("dev_mode"), pointer })
}

fn refuse(params: &SpecValue<'_>, why: &str) -> Option<Image> {
    params.report(why);
    None
}

fn plain_hash(hash: &str) -> &str {
    hash.strip_prefix("sha3:").unwrap_or(hash)
}

/// A hash is SHA3-224: 56 hexadecimal digits.
fn check_hash(params: &SpecValue<'_>, source: &ImageSource) {
    let (ImageSource::Hash(hash) | ImageSource::Url { hash, .. }) = source else { return };
    let is_hash = hash.len() == 56 && hash.bytes().all(|it| it.is_ascii_hexdigit());
    if let (false, Some(place)) = (is_hash, params.key("image_hash")) {
        place.report("the hash of an image has 56 hexadecimal digits (SHA3-224)");
    }
}

/// The location of an image, as the registry reports it.
#[derive(Debug, Deserialize)]
struct Info {
    http: String,
    https: String,
    sha3: String,
}

/// An image that was found: its address and its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) url: String,
    pub(crate) hash: String,
}

impl Found {
    /// As demands name it.
    pub(crate) fn package(&self) -> String {
        format!("hash:sha3:{}:{}", self.hash, self.url)
    }
}

/// Finds an image before anybody is asked to run it.
///
/// # Errors
/// At its place in the spec, if it does not exist; [`Unavailable`](Code::Unavailable) if that cannot be
/// known.
pub(crate) async fn find(
    image: &Image,
    usual_registry: &str,
    transport: &dyn Transport,
) -> Result<Found, Problem> {
    let registry = image.registry.as_deref().unwrap_or(usual_registry).trim_end_matches('/');
    match &image.source {
        ImageSource::Url { url, hash } => {
            ask(Method::HEAD, url, image, transport).await?;
            Ok(Found { url: url.clone(), hash: hash.clone() })
        }
        ImageSource::Hash(hash) => look_up(registry, &format!("hash={hash}"), image, transport).await,
        ImageSource::Tag(tag) => look_up(registry, &format!("tag={}", encoded(tag)), image, transport).await,
    }
}

async fn look_up(
    registry: &str,
    query: &str,
    image: &Image,
    transport: &dyn Transport,
) -> Result<Found, Problem> {
    let statistics = if image.dev { "dev=true" } else { "count=true" };
    let url = format!("{registry}/v1/image/info?{query}&{statistics}");
    let body = ask(Method::GET, &url, image, transport).await?;
    let info: Info = serde_json::from_slice(&body).map_err(|error| {
        Problem::new(
            Code::Unavailable,
            format!("the image registry {registry} cannot be understood: {error}"),
        )
    })?;
    let url = if image.https { info.https } else { info.http };
    Ok(Found { url, hash: info.sha3 })
}

async fn ask(
    method: Method,
    url: &str,
    image: &Image,
    transport: &dyn Transport,
) -> Result<Vec<u8>, Problem> {
    let wrong = |message: String| Problem::new(Code::InvalidSpec, &message).at(&image.pointer, message);
    let request = Request::builder().method(method).uri(url).body(Vec::new());
    let request = request.map_err(|error| wrong(format!("`{url}` is not an address: {error}")))?;
    let response = transport.send(request).await.map_err(|error| {
        Problem::new(Code::Unavailable, format!("{url} {error}; whether the image exists is not known"))
    })?;
    match response.status().as_u16() {
        200..300 => Ok(response.into_body()),
        status @ 400..500 => Err(wrong(format!("there is no such image: {url} answers {status}"))),
        status => Err(Problem::new(Code::Unavailable, format!("{url} answers {status}"))),
    }
}

/// A text as the value of a query.
fn encoded(text: &str) -> String {
    utf8_percent_encode(text, OF_NO_VALUE).to_string()
}

#[cfg(test)]
mod tests {
    use ::adapter::spec::SpecErrors;
    use serde_json::{Value as Json, json};

    use super::*;

    const HASH: &str = "85021afecf51687ecae8bdc21e10f3b11b82d2e3b169ba44e177340c";

    #[track_caller]
    fn check(params: Json, expected: Option<ImageSource>, wrong: &[&str]) {
        let faults = SpecErrors::default();
        let read = read(&SpecValue::root(&params, &faults)).map(|it| it.source);
        assert_eq!(read, expected);
        let found = faults.into_result(Code::InvalidSpec).err().map(|it| it.violations).unwrap_or_default();
        assert_eq!(found.iter().map(|it| &*it.pointer).collect::<Vec<_>>(), wrong);
    }

    #[test]
    fn an_image_is_named_in_one_way() {
        let hash = || HASH.to_owned();
        check(json!({"image_hash": HASH}), Some(ImageSource::Hash(hash())), &[]);
        check(json!({"image_hash": format!("sha3:{HASH}")}), Some(ImageSource::Hash(hash())), &[]);
        check(json!({"image_tag": "golem/nginx:1"}), Some(ImageSource::Tag("golem/nginx:1".into())), &[]);
        let url = "http://a.example/b.gvmi".to_owned();
        check(
            json!({"image_hash": HASH, "image_url": url}),
            Some(ImageSource::Url { url: url.clone(), hash: hash() }),
            &[],
        );
        check(json!({"image_url": url}), None, &[""]);
        check(json!({"image_hash": HASH, "image_tag": "a"}), None, &[""]);
        check(json!({}), None, &[""]);
        check(json!({"image_hash": "abc"}), Some(ImageSource::Hash("abc".into())), &["/image_hash"]);
    }

    #[test]
    fn a_tag_is_one_value_of_a_query() {
        assert_eq!(encoded("golem/a:1&b=c d"), "golem/a:1%26b%3Dc%20d");
    }
}
