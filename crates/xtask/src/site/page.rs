//! The page of the app as it is written for Trunk (`web/index.html`), read for development builds.
//!
//! Trunk has a tag with `data-trunk` for each asset (<https://trunkrs.dev/assets>). Only the kinds that the page has are
//! known here; another one is an error, so that nothing is left out silently.

use std::{collections::BTreeMap, ops::Range};

use anyhow::{Context, Result, bail};

/// The page, and what belongs to it. Paths are those of the tags, from the folder of the page.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    pub(super) html: String,
    pub(super) files: Vec<String>,
    pub(super) folders: Vec<String>,
    /// Programs that start in workers; each has a loader.
    pub(super) workers: Vec<String>,
    /// The program that starts with the page.
    pub(super) program: String,
}

type Attributes<'a> = BTreeMap<&'a str, &'a str>;

impl Page {
    /// Reads a page. `script` replaces the tag of the program, with `{base}`, `{js}` and `{wasm}` in it.
    pub(super) fn read(source: &str, script: &str) -> Result<Self> {
        let mut page = Self::default();
        let mut at = 0;
        for (range, tag, attributes) in assets(source)? {
            page.html += &source[at..range.start];
            let tag = page.asset(tag, &attributes, script)?;
            page.html += &tag;
            at = range.end;
        }
        page.html += &source[at..];
        if page.program.is_empty() {
            bail!("the page starts no program");
        }
        Ok(page)
    }

    /// Notes an asset; gives the tag that the built page has for it.
    fn asset(&mut self, tag: &str, attributes: &Attributes, script: &str) -> Result<String> {
        let value = |key| attributes.get(key).copied().with_context(|| format!("a `{tag}` without `{key}`"));
        if tag == "script" {
            let kind = attributes.get("type").map_or(String::new(), |it| format!(" type=\"{it}\""));
            return Ok(format!("<script{kind} src=\"./{}\"></script>", self.file(value("src")?)));
        }
        Ok(match value("rel")? {
            "icon" => format!("<link rel=\"icon\" href=\"./{}\" />", self.file(value("href")?)),
            "css" => format!("<link rel=\"stylesheet\" href=\"./{}\" />", self.file(value("href")?)),
            "copy-file" => {
                self.file(value("href")?);
                String::new()
            }
            "copy-dir" => {
                self.folders.push(value("href")?.to_owned());
                String::new()
            }
            "rust" if attributes.get("data-type") == Some(&"worker") => {
                self.workers.push(value("data-bin")?.to_owned());
                String::new()
            }
            "rust" => {
                self.program = value("data-bin")?.to_owned();
                let (js, wasm) = (format!("{}.js", self.program), format!("{}_bg.wasm", self.program));
                script.replace("{base}", "./").replace("{js}", &js).replace("{wasm}", &wasm)
            }
            other => bail!("a development build has no place for `rel=\"{other}\"`"),
        })
    }

    /// Notes a file; gives its name.
    fn file(&mut self, path: &str) -> String {
        self.files.push(path.to_owned());
        path.rsplit('/').next().unwrap_or(path).to_owned()
    }
}

/// The tags with `data-trunk`, each with its place, its name and its attributes.
fn assets(source: &str) -> Result<Vec<(Range<usize>, &str, Attributes<'_>)>> {
    let mut found = Vec::new();
    for (start, _) in source.match_indices('<') {
        let tag = ["link", "script"].into_iter().find(|it| source[start + 1..].starts_with(it));
        let Some(tag) = tag else { continue };
        let length = source[start..].find('>').with_context(|| format!("a `{tag}` that does not end"))?;
        let inner = &source[start + 1 + tag.len()..start + length];
        let attributes = attributes(inner.trim_end_matches('/'))?;
        if !attributes.contains_key("data-trunk") {
            continue;
        }
        let end = start + length + 1;
        let close = format!("</{tag}>");
        let end = if source[end..].starts_with(&close) { end + close.len() } else { end };
        found.push((start..end, tag, attributes));
    }
    Ok(found)
}

/// `name` and `name="value"`, separated by white space.
fn attributes(mut text: &str) -> Result<Attributes<'_>> {
    let mut found = Attributes::new();
    loop {
        text = text.trim_start();
        if text.is_empty() {
            return Ok(found);
        }
        let end = text.find(|it: char| it == '=' || it.is_whitespace()).unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let Some(quoted) = rest.strip_prefix("=\"") else {
            found.insert(name, "");
            text = rest;
            continue;
        };
        let (value, rest) =
            quoted.split_once('"').with_context(|| format!("`{name}` has no closing quote"))?;
        found.insert(name, value);
        text = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_of_trunk_become_those_of_a_built_page() {
        let source = concat!(
            "<head><link data-trunk rel=\"css\" href=\"../static/app.css\" />\n",
            "<link data-trunk rel=\"copy-dir\" href=\"../static/examples\" />",
            "<script data-trunk type=\"module\" src=\"js/start.js\"></script>",
            "<link data-trunk rel=\"rust\" data-bin=\"page\" /><link data-trunk rel=\"rust\"\n data-type=\"worker\" data-bin=\"engine\" />",
            "<link rel=\"other\" href=\"it\"></head>",
        );
        let page =
            Page::read(source, "<meta data-js=\"{base}{js}\" data-wasm=\"{base}{wasm}\">").expect("a page");
        let html = concat!(
            "<head><link rel=\"stylesheet\" href=\"./app.css\" />\n",
            "<script type=\"module\" src=\"./start.js\"></script>",
            "<meta data-js=\"./page.js\" data-wasm=\"./page_bg.wasm\"><link rel=\"other\" href=\"it\"></head>",
        );
        assert_eq!(page.html, html);
        assert_eq!(page.files, ["../static/app.css", "js/start.js"]);
        assert_eq!(page.folders, ["../static/examples"]);
        assert_eq!((page.program.as_str(), page.workers), ("page", vec!["engine".to_owned()]));
    }

    #[test]
    fn other_assets_are_refused() {
        let read = |source| Page::read(source, "").map(|it| it.html).map_err(|it| it.to_string());
        assert_eq!(
            read("<link data-trunk rel=\"sass\" href=\"a\">"),
            Err("a development build has no place for `rel=\"sass\"`".to_owned())
        );
        assert_eq!(read("<p>"), Err("the page starts no program".to_owned()));
        assert_eq!(read("<link data-trunk rel=\"css"), Err("a `link` that does not end".to_owned()));
    }
}
