//! The class `Workspace`.

use ::versions::Questions as _;
use ::workspace as core;
use wasm_bindgen::prelude::*;

use crate::{
    answer::{self, Answer},
    argument, failure, files, options, parts,
};

/// Descriptor files in merge order, and what they mean.
#[wasm_bindgen(skip_typescript)]
#[derive(Debug)]
pub struct Workspace {
    inner: core::Workspace,
}

#[wasm_bindgen]
impl Workspace {
    /// An empty workspace with the built-in kinds.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self { inner: core::Workspace::with(capabilities::ALL) }
    }

    /// Replaces all files; the order is the merge order.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    #[wasm_bindgen(js_name = setFiles)]
    pub fn set_files(&mut self, files: JsValue) -> Result<(), JsValue> {
        self.inner.set_files(files::files(files, "files")?);
        Ok(())
    }

    /// Changes one file's text; adds it at the end when there is none of that name.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    #[wasm_bindgen(js_name = setFile)]
    pub fn set_file(&mut self, name: JsValue, text: JsValue) -> Result<(), JsValue> {
        self.inner.set_file(&argument::text(&name, "name")?, &argument::text(&text, "text")?);
        Ok(())
    }

    /// The files with their texts, in merge order.
    ///
    /// # Errors
    /// None in practice: every answer is plain data.
    pub fn texts(&self) -> Answer {
        answer::plain(&self.inner.texts())
    }

    /// The format and role of each file.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    pub fn files(&self) -> Answer {
        answer::plain(&self.inner.files())
    }

    /// What the files need from outside and that was not answered.
    ///
    /// # Errors
    /// None in practice: every answer is plain data.
    pub fn needs(&mut self) -> Answer {
        answer::plain(&self.ready().need_views())
    }

    /// Answers a need: null for no, a text, or a list of resources. False if the files do not need that.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    pub fn answer(&mut self, need: JsValue, answer: JsValue) -> Result<bool, JsValue> {
        let (need, answer) = (argument::data(&need, "need")?, argument::data(&answer, "answer")?);
        Ok(self.ready().answer_view(&need, answer))
    }

    /// Adds or overrides kinds with definition files.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    #[wasm_bindgen(js_name = setTypes)]
    pub fn set_types(&mut self, files: JsValue) -> Result<(), JsValue> {
        self.inner.set_types(files::files(files, "files")?);
        Ok(())
    }

    /// Sets whether unknown keys are warnings instead of errors.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    #[wasm_bindgen(js_name = setLenient)]
    pub fn set_lenient(&mut self, lenient: JsValue) -> Result<(), JsValue> {
        self.inner.set_lenient(argument::flag(&lenient, "lenient")?);
        Ok(())
    }

    /// Everything that is wrong.
    ///
    /// # Errors
    /// None in practice: every answer is plain data.
    pub fn diagnostics(&mut self) -> Answer {
        answer::plain(&self.ready().diagnostics())
    }

    /// The merged document; origins of every place with `{ origins: true }`.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    pub fn merged(&mut self, options: JsValue) -> Answer {
        let options = options::merge(&argument::json(&options, "options")?)?;
        answer::parsed(&self.ready().merged(options.origins).to_json())
    }

    /// The merged document as YAML text.
    ///
    /// # Errors
    /// `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = mergedYaml)]
    pub fn merged_yaml(&mut self) -> Result<String, JsValue> {
        Ok(parts::documents()?.merged_yaml(self.ready()))
    }

    /// The origin of the value at a pointer.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    pub fn origin(&mut self, pointer: JsValue) -> Answer {
        answer::plain(&self.ready().origin(&argument::text(&pointer, "pointer")?))
    }

    /// The dependency graph.
    ///
    /// # Errors
    /// None in practice: every answer is plain data.
    pub fn graph(&mut self) -> Answer {
        answer::plain(&self.ready().graph())
    }

    /// The dependency graph as `dot`, `mermaid` or `svg` text.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = graphText)]
    pub fn graph_text(&mut self, format: JsValue) -> Result<String, JsValue> {
        let format = argument::text(&format, "format")?;
        let unknown =
            || failure::bad_argument(&format!("`format` is \"{format}\"; it must be dot, mermaid or svg"));
        let format = core::view::GraphFormat::named(&format).ok_or_else(unknown)?;
        Ok(parts::documents()?.graph_text(self.ready(), format))
    }

    /// The graph with places to draw it at.
    ///
    /// # Errors
    /// `capability/not-loaded` where its part is not loaded.
    pub fn layout(&mut self) -> Answer {
        answer::parsed(&parts::documents()?.layout(self.ready()))
    }

    /// Release job specs of BOSH, beside those among the files.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    #[wasm_bindgen(js_name = setReleases)]
    pub fn set_releases(&mut self, files: JsValue) -> Result<(), JsValue> {
        self.inner.set_releases(files::files(files, "files")?);
        Ok(())
    }

    /// Sets the rules for links: `bosh` or `strict`.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    #[wasm_bindgen(js_name = setProfile)]
    pub fn set_profile(&mut self, name: JsValue) -> Result<(), JsValue> {
        let name = argument::text(&name, "name")?;
        let unknown = || failure::bad_argument(&format!("`name` is \"{name}\"; it must be bosh or strict"));
        self.inner.set_profile(core::view::LinkProfile::named(&name).ok_or_else(unknown)?);
        Ok(())
    }

    /// The links between providers and consumers, and the reason for each.
    ///
    /// # Errors
    /// `capability/not-loaded` where its part is not loaded.
    pub fn links(&mut self) -> Answer {
        answer::parsed(&parts::linking()?.links(self.ready()))
    }

    /// The same, with what became of each link since an earlier answer.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = linksSince)]
    pub fn links_since(&mut self, before: JsValue) -> Answer {
        let text = argument::json(&before, "before")?;
        let changed = parts::linking()?.links_since(self.ready(), &text);
        let refused = |error: serde_json::Error| {
            failure::bad_argument(&format!("`before` is not a result of links(): {}", argument::why(&error)))
        };
        answer::parsed(&changed.map_err(refused)?)
    }

    /// A job's template, or a text of a service, filled in with what that learns of its links.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = previewTemplate)]
    pub fn preview_template(&mut self, owner: JsValue, text: JsValue, name: JsValue) -> Answer {
        let (owner, text) = (argument::text(&owner, "owner")?, argument::text(&text, "text")?);
        let given = !name.is_undefined() && !name.is_null();
        let name = if given { argument::text(&name, "name")? } else { "template".to_owned() };
        answer::parsed(&parts::linking()?.preview_template(self.ready(), &owner, &name, &text))
    }
    /// The graph of the links, with positions for drawing it.
    ///
    /// # Errors
    /// `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = linksMap)]
    pub fn links_map(&mut self) -> Answer {
        answer::parsed(&parts::linking()?.links_map(self.ready()))
    }

    /// Catalogs beside those among the files. Files with one `package` are one catalog of that name.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    #[wasm_bindgen(js_name = setCatalogs)]
    pub fn set_catalogs(&mut self, files: JsValue) -> Result<(), JsValue> {
        self.inner.set_catalogs(files::files(files, "files")?);
        Ok(())
    }

    /// Sets the options of version resolution.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    #[wasm_bindgen(js_name = setVersions)]
    pub fn set_versions(&mut self, options: JsValue) -> Result<(), JsValue> {
        self.inner.set_versions(options::versions(&argument::json(&options, "options")?)?);
        Ok(())
    }

    /// The chosen versions and the reasons for them; or the reason why no choice is possible.
    ///
    /// # Errors
    /// `capability/not-loaded` where its part is not loaded.
    pub fn resolution(&mut self) -> Answer {
        answer::parsed(&parts::versions()?.resolution_if(self.ready(), &[]))
    }

    /// The same if requirements had other ranges: an object of ranges by the name of the requirement.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = resolutionIf)]
    pub fn resolution_if(&mut self, ranges: JsValue) -> Answer {
        let ranges = options::ranges(&argument::json(&ranges, "ranges")?)?;
        let ranges: Vec<(&str, &str)> = ranges.iter().map(|(who, range)| (&**who, &**range)).collect();
        answer::parsed(&parts::versions()?.resolution_if(self.ready(), &ranges))
    }

    /// The changes that would be necessary for a bundle to be chosen.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = whatWouldMove)]
    pub fn what_would_move(&mut self, id: JsValue) -> Answer {
        let id = argument::text(&id, "id")?;
        answer::parsed(&parts::versions()?.what_would_move(self.ready(), &id))
    }

    /// The upgrades between the versions of a package; null where no catalog has it.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    pub fn upgrades(&mut self, package: JsValue) -> Answer {
        let package = argument::text(&package, "package")?;
        answer::parsed(&parts::versions()?.upgrades(self.ready(), &package))
    }

    /// The same in the language of Mermaid.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = upgradesMermaid)]
    pub fn upgrades_mermaid(&mut self, package: JsValue) -> Answer {
        let package = argument::text(&package, "package")?;
        answer::parsed(&parts::versions()?.upgrades_mermaid(self.ready(), &package))
    }

    /// The changes of the services since the version in another workspace.
    ///
    /// # Errors
    /// `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = serviceChanges)]
    pub fn service_changes(&mut self, before: &mut Self) -> Answer {
        answer::parsed(&parts::services()?.service_changes(self.ready(), before.ready()))
    }

    /// The chosen versions as the text of a lock file; null if nothing is chosen.
    ///
    /// # Errors
    /// `capability/not-loaded` where its part is not loaded.
    pub fn lock(&mut self) -> Answer {
        answer::plain(&parts::versions()?.lock_text(self.ready()))
    }

    /// The files that ask, with the outcome in their `status`.
    ///
    /// # Errors
    /// `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = withStatus)]
    pub fn with_status(&mut self) -> Answer {
        answer::parsed(&parts::versions()?.with_status(self.ready()))
    }

    /// The plan.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form.
    pub fn plan(&mut self, options: JsValue) -> Answer {
        let options = options::plan(&argument::json(&options, "options")?)?;
        answer::parsed(&self.ready().plan_json(&options))
    }

    /// The information about a position in a file.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    pub fn hover(&mut self, file: JsValue, line: JsValue, column: JsValue, options: JsValue) -> Answer {
        let place = files::place(&file, &line, &column)?;
        let options = options::plan(&argument::json(&options, "options")?)?;
        answer::parsed(&parts::editing()?.hover(self.ready(), place.cursor(), &options))
    }

    /// The completions at a position in a file.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    pub fn complete(&mut self, file: JsValue, line: JsValue, column: JsValue) -> Answer {
        let place = files::place(&file, &line, &column)?;
        answer::parsed(&parts::editing()?.complete(self.ready(), place.cursor()))
    }

    /// The declaration of the name at a position in a file.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    pub fn definition(&mut self, file: JsValue, line: JsValue, column: JsValue) -> Answer {
        let place = files::place(&file, &line, &column)?;
        answer::parsed(&parts::editing()?.definition(self.ready(), place.cursor()))
    }

    /// Every place that names what is named at a place.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    pub fn references(&mut self, file: JsValue, line: JsValue, column: JsValue) -> Answer {
        let place = files::place(&file, &line, &column)?;
        answer::parsed(&parts::refactoring()?.references(self.ready(), place.cursor()))
    }

    /// The edits that give what is named at a place another name, in all files.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    pub fn rename(
        &mut self,
        file: JsValue,
        line: JsValue,
        column: JsValue,
        name: JsValue,
        recorded: JsValue,
    ) -> Answer {
        let (place, name) = (files::place(&file, &line, &column)?, argument::text(&name, "name")?);
        let recorded = recorded.is_truthy();
        answer::parsed(&parts::refactoring()?.rename(self.ready(), place.cursor(), &name, recorded))
    }

    /// The differences between other files, or a state, and these files.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    pub fn compare(&mut self, before: JsValue) -> Answer {
        let before = argument::json(&before, "before")?;
        let found = parts::comparison()?.compare(self.ready(), &parts::complete, &before, "{}");
        answer::parsed(&found.map_err(|why| failure::bad_argument(&why))?)
    }

    /// The outline of a file.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    pub fn outline(&mut self, file: JsValue) -> Answer {
        let file = argument::text(&file, "file")?;
        answer::parsed(&parts::refactoring()?.outline(self.ready(), &file))
    }

    /// The edits that format a file.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    pub fn format(&mut self, file: JsValue) -> Answer {
        let file = argument::text(&file, "file")?;
        answer::parsed(&parts::refactoring()?.format(self.ready(), &file))
    }

    /// The edits that set the value at a pointer of the merged document in one file.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = setValue)]
    pub fn set_value(&mut self, file: JsValue, pointer: JsValue, yaml: JsValue) -> Answer {
        let (file, pointer) = (argument::text(&file, "file")?, argument::text(&pointer, "pointer")?);
        let yaml = argument::text(&yaml, "yaml")?;
        answer::parsed(&parts::editing()?.set_value(self.ready(), &file, &pointer, &yaml))
    }

    /// The type definitions as a JSON Schema of a descriptor.
    ///
    /// # Errors
    /// `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = jsonSchema)]
    pub fn json_schema(&self) -> Answer {
        answer::parsed(&parts::documents()?.json_schema(&self.inner))
    }

    /// The YAML files of a zip package.
    ///
    /// # Errors
    /// `wasm/bad-argument` for an argument of another form, `wasm/bad-package` for a package that is refused, `capability/not-loaded`
    /// where its part is not loaded.
    #[wasm_bindgen(js_name = readPackage)]
    pub fn read_package(name: JsValue, bytes: JsValue) -> Answer {
        let (name, bytes) = (argument::text(&name, "name")?, files::bytes(&bytes, "bytes")?);
        let read = parts::documents()?.read_package(&name, &bytes);
        answer::parsed(&read.map_err(|why| failure::bad_package(&why))?)
    }

    /// The files as a zip package.
    ///
    /// # Errors
    /// `capability/not-loaded` where its part is not loaded.
    #[wasm_bindgen(js_name = writePackage)]
    pub fn write_package(&self) -> Result<Vec<u8>, JsValue> {
        Ok(parts::documents()?.write_package(&self.inner))
    }

    /// The capabilities that the files need and that are not loaded.
    ///
    /// # Errors
    /// None in practice: every answer is plain data.
    #[wasm_bindgen(js_name = notLoaded)]
    pub fn not_loaded(&mut self) -> Answer {
        answer::plain(&parts::names_of(&self.ready().not_loaded()))
    }

    /// The workspace with what its files need, as far as that is loaded.
    pub(crate) fn ready(&mut self) -> &mut core::Workspace {
        parts::complete(&mut self.inner);
        &mut self.inner
    }
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}
