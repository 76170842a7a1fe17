//! What a service runs, as demands name it.

use std::time::SystemTime;

use protocol::{Code, Problem};
use serde_json::{Value as Json, json};

use crate::{
    allowed::unusable,
    image, manifest,
    market::Properties,
    shared::Shared,
    spec::{Located, Manifest, ManifestSource, NodeDescriptor, Package, ServiceSpec},
};

impl Shared {
    /// The properties of what a service runs.
    ///
    /// # Errors
    /// At its place in the spec, if an image or a file does not exist, or must not be used.
    pub(crate) async fn package(&self, spec: &ServiceSpec) -> Result<Properties, Problem> {
        let registry = &self.options.registry;
        let properties = match &spec.package {
            Package::Image(image) => {
                let found = image::find(image, registry, &*self.transport).await?;
                json!({"golem.srv.comp.task_package": found.package()})
            }
            Package::Manifest(manifest) => self.manifest(manifest).await?,
        };
        let mut properties = properties.as_object().cloned().unwrap_or_default();
        properties.retain(|_, value| !value.is_null());
        properties.insert("golem.srv.comp.vm.package_format".into(), "gvmkit-squash".into());
        Ok(properties)
    }

    async fn manifest(&self, manifest: &Manifest) -> Result<Json, Problem> {
        let encoded = match &manifest.source {
            ManifestSource::Written(text) => text.clone(),
            ManifestSource::File(path) => manifest::in_base64(&self.options.files.read(path)?)
                .map_err(|why| unusable(Code::InvalidSpec, path, why))?,
            ManifestSource::Generated { image, outbound } => {
                let found = image::find(image, &self.options.registry, &*self.transport).await?;
                manifest::make(&found, outbound, SystemTime::now())
            }
        };
        let node_descriptor = match &manifest.node_descriptor {
            Some(NodeDescriptor::Written(written)) => Some(written.clone()),
            Some(NodeDescriptor::File(path)) => Some(self.json_of(path)?),
            None => None,
        };
        let signature = manifest.signature.as_ref();
        Ok(json!({
            "golem.srv.comp.payload": encoded,
            "golem.srv.comp.payload.sig": signature.map(|it| &it.signature),
            "golem.srv.comp.payload.sig.algorithm": signature.map(|it| &it.algorithm),
            "golem.srv.comp.payload.cert": signature.map(|it| &it.certificate),
            "golem.!exp.gap-31.v0.node.descriptor": node_descriptor,
        }))
    }

    fn json_of(&self, path: &Located<String>) -> Result<Json, Problem> {
        let text = self.options.files.read(path)?;
        serde_json::from_str(&text).map_err(|_| unusable(Code::InvalidSpec, path, "it is not JSON"))
    }
}
