//! The class `Workspace`.

use ::workspace as core;
use wasm_bindgen::prelude::*;

use crate::{
    answer::{self, Answer},
    argument, failure, files, options,
};

/// Descriptor files in merge order, and what they mean.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug, Default)]
pub struct Workspace {
    inner: core::Workspace,
}

#[wasm_bindgen]
impl Workspace {
    /// An empty workspace with the built-in kinds.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self { inner: core::Workspace::new() }
    }

    /// Replaces all files; the order is the merge order.
    #[wasm_bindgen(js_name = setFiles)]
    pub fn set_files(&mut self, files: JsValue) -> Result<(), JsValue> {
        self.inner.set_files(files::files(files, "files")?);
        Ok(())
    }

    /// Changes one file's text; adds it at the end when there is none of that name.
    #[wasm_bindgen(js_name = setFile)]
    pub fn set_file(&mut self, name: JsValue, text: JsValue) -> Result<(), JsValue> {
        self.inner.set_file(&argument::text(&name, "name")?, &argument::text(&text, "text")?);
        Ok(())
    }

    /// The files with their texts, in merge order.
    pub fn texts(&self) -> Answer {
        answer::plain(&self.inner.texts())
    }

    /// What each file is.
    pub fn files(&self) -> Answer {
        answer::plain(&self.inner.files())
    }

    /// Adds or overrides kinds with definition files.
    #[wasm_bindgen(js_name = setTypes)]
    pub fn set_types(&mut self, files: JsValue) -> Result<(), JsValue> {
        self.inner.set_types(files::files(files, "files")?);
        Ok(())
    }

    /// Whether unknown keys are only warnings.
    #[wasm_bindgen(js_name = setLenient)]
    pub fn set_lenient(&mut self, lenient: JsValue) -> Result<(), JsValue> {
        self.inner.set_lenient(argument::flag(&lenient, "lenient")?);
        Ok(())
    }

    /// Everything that is wrong.
    pub fn diagnostics(&mut self) -> Answer {
        answer::plain(&self.inner.diagnostics())
    }

    /// The merged document; origins of every place with `{ origins: true }`.
    pub fn merged(&mut self, options: JsValue) -> Answer {
        let options = options::merge(&argument::json(&options, "options")?)?;
        answer::plain(&self.inner.merged(options.origins))
    }

    /// The merged document as YAML text.
    #[wasm_bindgen(js_name = mergedYaml)]
    pub fn merged_yaml(&mut self) -> String {
        self.inner.merged_yaml()
    }

    /// Where the value at a pointer came from.
    pub fn origin(&mut self, pointer: JsValue) -> Answer {
        answer::plain(&self.inner.origin(&argument::text(&pointer, "pointer")?))
    }

    /// The dependency graph.
    pub fn graph(&mut self) -> Answer {
        answer::plain(&self.inner.graph())
    }

    /// The dependency graph as `dot`, `mermaid` or `svg` text.
    #[wasm_bindgen(js_name = graphText)]
    pub fn graph_text(&mut self, format: JsValue) -> Result<String, JsValue> {
        let format = argument::text(&format, "format")?;
        let unknown =
            || failure::bad_argument(&format!("`format` is \"{format}\"; it must be dot, mermaid or svg"));
        self.inner.graph_text(&format).ok_or_else(unknown)
    }

    /// The graph with places to draw it at.
    pub fn layout(&mut self) -> Answer {
        answer::plain(&self.inner.layout())
    }

    /// Release job specs of BOSH, beside those among the files.
    #[wasm_bindgen(js_name = setReleases)]
    pub fn set_releases(&mut self, files: JsValue) -> Result<(), JsValue> {
        self.inner.set_releases(files::files(files, "files")?);
        Ok(())
    }

    /// Whose rules count for links: `bosh` or `strict`.
    #[wasm_bindgen(js_name = setProfile)]
    pub fn set_profile(&mut self, name: JsValue) -> Result<(), JsValue> {
        let name = argument::text(&name, "name")?;
        let unknown = || failure::bad_argument(&format!("`name` is \"{name}\"; it must be bosh or strict"));
        self.inner.set_profile(&name).then_some(()).ok_or_else(unknown)
    }

    /// Who provides what for whom, and why.
    pub fn links(&mut self) -> Answer {
        answer::plain(&self.inner.links())
    }

    /// The same, with what became of each link since an earlier answer.
    #[wasm_bindgen(js_name = linksSince)]
    pub fn links_since(&mut self, before: JsValue) -> Answer {
        let text = argument::json(&before, "before")?;
        let refused = |error: serde_json::Error| {
            failure::bad_argument(&format!("`before` is no answer of links(): {}", argument::why(&error)))
        };
        let before = serde_json::from_str(&text).map_err(refused)?;
        answer::plain(&self.inner.links_since(&before))
    }
    /// A job's template, or a text of a service, filled in with what that learns of its links.
    #[wasm_bindgen(js_name = previewTemplate)]
    pub fn preview_template(&mut self, owner: JsValue, text: JsValue, name: JsValue) -> Answer {
        let (owner, text) = (argument::text(&owner, "owner")?, argument::text(&text, "text")?);
        let given = !name.is_undefined() && !name.is_null();
        let name = if given { argument::text(&name, "name")? } else { "template".to_owned() };
        answer::plain(&self.inner.preview_template(&owner, &name, &text))
    }
    /// Who needs whom through links, with places to draw it at.
    #[wasm_bindgen(js_name = linksMap)]
    pub fn links_map(&mut self) -> Answer {
        answer::plain(&self.inner.links_map())
    }

    /// Catalogs beside those among the files. Files with one `package` are one catalog of that name.
    #[wasm_bindgen(js_name = setCatalogs)]
    pub fn set_catalogs(&mut self, files: JsValue) -> Result<(), JsValue> {
        self.inner.set_catalogs(files::files(files, "files")?);
        Ok(())
    }

    /// How versions are chosen.
    #[wasm_bindgen(js_name = setVersions)]
    pub fn set_versions(&mut self, options: JsValue) -> Result<(), JsValue> {
        let options = options::versions(&argument::json(&options, "options")?)?;
        let name = options.profile.clone().unwrap_or_default();
        let unknown =
            || failure::bad_argument(&format!("`profile` is \"{name}\"; it must be v0, v1 or phase0"));
        self.inner.set_versions(options).then_some(()).ok_or_else(unknown)
    }

    /// Which versions are chosen, and why; or why it can't be done.
    pub fn resolution(&mut self) -> Answer {
        answer::plain(&self.inner.resolution())
    }

    /// The same if requirements asked for other versions: ranges by who asks.
    #[wasm_bindgen(js_name = resolutionIf)]
    pub fn resolution_if(&mut self, ranges: JsValue) -> Answer {
        let ranges = options::ranges(&argument::json(&ranges, "ranges")?)?;
        let ranges: Vec<(&str, &str)> = ranges.iter().map(|(who, range)| (&**who, &**range)).collect();
        answer::plain(&self.inner.resolution_if(&ranges))
    }

    /// What would have to change for a bundle to be chosen.
    #[wasm_bindgen(js_name = whatWouldMove)]
    pub fn what_would_move(&mut self, id: JsValue) -> Answer {
        answer::plain(&self.inner.what_would_move(&argument::text(&id, "id")?))
    }

    /// The upgrades between the versions of a package; null where no catalog has it.
    pub fn upgrades(&mut self, package: JsValue) -> Answer {
        answer::plain(&self.inner.upgrades(&argument::text(&package, "package")?))
    }

    /// The same in the language of Mermaid.
    #[wasm_bindgen(js_name = upgradesMermaid)]
    pub fn upgrades_mermaid(&mut self, package: JsValue) -> Answer {
        answer::plain(&self.inner.upgrades_mermaid(&argument::text(&package, "package")?))
    }

    /// What is chosen as the text of a lock file; null where nothing is.
    pub fn lock(&mut self) -> Answer {
        answer::plain(&self.inner.lock())
    }

    /// The files that ask, with the outcome in their `status`.
    #[wasm_bindgen(js_name = withStatus)]
    pub fn with_status(&mut self) -> Answer {
        let files = self.inner.with_status().into_iter();
        let files: Vec<_> = files.map(|(name, text)| core::File { name, text, package: None }).collect();
        answer::plain(&files)
    }

    /// The plan.
    pub fn plan(&mut self, options: JsValue) -> Answer {
        let options = options::plan(&argument::json(&options, "options")?)?;
        answer::plain(&self.inner.plan(&options))
    }

    /// What is known of a place in a file.
    pub fn hover(&mut self, file: JsValue, line: JsValue, column: JsValue, options: JsValue) -> Answer {
        let place = files::place(&file, &line, &column)?;
        let options = options::plan(&argument::json(&options, "options")?)?;
        answer::plain(&self.inner.hover(&place.file, place.line, place.column, &options))
    }

    /// What can be written at a place.
    pub fn complete(&mut self, file: JsValue, line: JsValue, column: JsValue) -> Answer {
        let place = files::place(&file, &line, &column)?;
        answer::plain(&self.inner.complete(&place.file, place.line, place.column))
    }

    /// Where the thing named at a place is declared.
    pub fn definition(&mut self, file: JsValue, line: JsValue, column: JsValue) -> Answer {
        let place = files::place(&file, &line, &column)?;
        answer::plain(&self.inner.definition(&place.file, place.line, place.column))
    }

    /// The edits that set the value at a pointer of the merged document in one file.
    #[wasm_bindgen(js_name = setValue)]
    pub fn set_value(&mut self, file: JsValue, pointer: JsValue, yaml: JsValue) -> Answer {
        let (file, pointer) = (argument::text(&file, "file")?, argument::text(&pointer, "pointer")?);
        answer::plain(&self.inner.set_value(&file, &pointer, &argument::text(&yaml, "yaml")?))
    }

    /// The type definitions as a JSON Schema of a descriptor.
    #[wasm_bindgen(js_name = jsonSchema)]
    pub fn json_schema(&self) -> Answer {
        answer::parsed(&self.inner.json_schema())
    }

    /// The YAML files of a zip package.
    #[wasm_bindgen(js_name = readPackage)]
    pub fn read_package(name: JsValue, bytes: JsValue) -> Answer {
        let (name, bytes) = (argument::text(&name, "name")?, files::bytes(&bytes, "bytes")?);
        let read = core::Workspace::read_package(&name, &bytes);
        answer::plain(&read.map_err(|why| failure::bad_package(&why.to_string()))?)
    }

    /// The files as a zip package.
    #[wasm_bindgen(js_name = writePackage)]
    pub fn write_package(&self) -> Vec<u8> {
        self.inner.write_package()
    }
}
