//! The package that a service runs, as demands name it.

use std::time::SystemTime;

use protocol::{Code, Problem};
use serde_json::{Value as Json, json};

use crate::{
    allowed::{AllowedFolders, unusable},
    image, manifest,
    market::Properties,
    shared::Shared,
    spec::{Manifest, ManifestSource, NodeDescriptor, Package, ServiceSpec},
};

impl ServiceSpec {
    /// Reads the files that the payload names, so that one that cannot be used is reported before anything is rented.
    ///
    /// # Errors
    /// At its place in the spec, if a file is not allowed, cannot be read, or is not what it has to be.
    pub fn check_files(&self, files: &AllowedFolders) -> Result<(), Problem> {
        let Package::Manifest(manifest) = &self.package else { return Ok(()) };
        manifest.encoded(files)?;
        manifest.node_descriptor(files).map(drop)
    }
}

impl Manifest {
    /// It in base64; `None` if it has to be generated.
    fn encoded(&self, files: &AllowedFolders) -> Result<Option<String>, Problem> {
        match &self.source {
            ManifestSource::Written(text) => Ok(Some(text.clone())),
            ManifestSource::File(path) => manifest::in_base64(&files.read(path)?)
                .map(Some)
                .map_err(|why| unusable(Code::InvalidSpec, path, why)),
            ManifestSource::Generated { .. } => Ok(None),
        }
    }

    fn node_descriptor(&self, files: &AllowedFolders) -> Result<Option<Json>, Problem> {
        match &self.node_descriptor {
            Some(NodeDescriptor::Written(written)) => Ok(Some(written.clone())),
            Some(NodeDescriptor::File(path)) => {
                let read = serde_json::from_str(&files.read(path)?);
                read.map_err(|_| unusable(Code::InvalidSpec, path, "it is not JSON"))
            }
            None => Ok(None),
        }
    }
}

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
        let files = &self.options.files;
        let encoded = match &manifest.source {
            ManifestSource::Generated { image, outbound } => {
                let found = image::find(image, &self.options.registry, &*self.transport).await?;
                Some(manifest::make(&found, outbound, SystemTime::now()))
            }
            ManifestSource::Written(_) | ManifestSource::File(_) => manifest.encoded(files)?,
        };
        let node_descriptor = manifest.node_descriptor(files)?;
        let signature = manifest.signature.as_ref();
        Ok(json!({
            "golem.srv.comp.payload": encoded,
            "golem.srv.comp.payload.sig": signature.map(|it| &it.signature),
            "golem.srv.comp.payload.sig.algorithm": signature.map(|it| &it.algorithm),
            "golem.srv.comp.payload.cert": signature.map(|it| &it.certificate),
            "golem.!exp.gap-31.v0.node.descriptor": node_descriptor,
        }))
    }
}
