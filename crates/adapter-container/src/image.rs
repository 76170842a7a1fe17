use std::{collections::BTreeMap, pin::pin, rc::Rc};

use bollard::{
    errors::Error,
    models::{CreateImageInfo, ImageInspect},
    query_parameters::CreateImageOptionsBuilder,
};
use futures_core::Stream;
use protocol::{Code, Problem, ResourceId};

use crate::{
    engine_error::{response_error, says},
    reference::Reference,
    shared::Shared,
    spec::{Located, Pull, ServiceSpec, Source},
};

/// The name of an image that is built for a service.
pub(crate) fn built(id: &str) -> String {
    format!("localhost/planloom-{}:latest", id.to_ascii_lowercase())
}

/// The next item; `None` at the end.
pub(crate) async fn next<S: Stream + Unpin>(stream: &mut S) -> Option<S::Item> {
    std::future::poll_fn(|context| std::pin::Pin::new(&mut *stream).poll_next(context)).await
}

impl Shared {
    /// The image of a service, which exists afterwards.
    ///
    /// # Errors
    /// If it may not be used, or cannot be pulled or built.
    pub(crate) async fn image(
        self: &Rc<Self>,
        id: &ResourceId,
        spec: &ServiceSpec,
    ) -> Result<ImageInspect, Problem> {
        match &spec.source {
            Source::Build(folder) => self.build(id, folder).await,
            Source::Image(image, pull) => self.pulled(id, image, *pull).await,
        }
    }

    async fn pulled(
        &self,
        id: &ResourceId,
        image: &Located<String>,
        pull: Pull,
    ) -> Result<ImageInspect, Problem> {
        let there = match pull {
            Pull::Always => None,
            Pull::Missing | Pull::Never => self.inspect(&image.value).await?,
        };
        if let Some(there) = there {
            return Ok(there);
        }
        let wrong = |code, why: String| Problem::new(code, &why).at(&image.pointer, why);
        if pull == Pull::Never {
            let why =
                format!("the image `{}` does not exist locally, and pulling it is disabled", image.value);
            return Err(wrong(Code::InvalidSpec, why));
        }
        let reference = Reference::parse(&image.value)
            .ok_or_else(|| wrong(Code::InvalidSpec, format!("`{}` is not an image name", image.value)))?;
        if let Err(why) = self.allowed.pull(&reference) {
            let lacks = if pull == Pull::Missing { "it does not exist locally, and " } else { "" };
            return Err(wrong(Code::Forbidden, format!("`{}`: {lacks}{why}", image.value)));
        }
        self.pull(id, &reference).await.map_err(|error| match response_error(&error) {
            Some((_, text)) => {
                let is_final = says(&error, &["not found", "unknown", "denied", "unauthorized", "no such"])
                    && !says(&error, &["no such host"]);
                let code = if is_final { Code::InvalidSpec } else { Code::Unavailable };
                wrong(code, format!("`{reference}` cannot be pulled: {text}"))
            }
            None => self.engine.problem("pull the image", &error),
        })?;
        let gone = || wrong(Code::Unavailable, format!("`{reference}` was pulled, but does not exist"));
        self.inspect(&reference.to_string()).await?.ok_or_else(gone)
    }

    async fn pull(&self, id: &ResourceId, reference: &Reference) -> Result<(), Error> {
        self.set_progress(&id.id, format!("pulling `{reference}`"));
        let options = CreateImageOptionsBuilder::new().from_image(&reference.to_string()).build();
        let mut stream = pin!(self.engine.docker.create_image(Some(options), None, None));
        let mut layers = Layers::default();
        while let Some(info) = next(&mut stream).await {
            layers.note(&info?);
            self.set_progress(&id.id, format!("pulling `{reference}`{}", layers.text()));
        }
        Ok(())
    }

    pub(crate) async fn inspect(&self, name: &str) -> Result<Option<ImageInspect>, Problem> {
        match self.engine.docker.inspect_image(name).await {
            Ok(image) => Ok(Some(image)),
            Err(error) if crate::engine_error::is_absent(&error) => Ok(None),
            Err(error) => Err(self.engine.problem("inspect the image", &error)),
        }
    }
}

/// The received and the total bytes of each layer.
#[derive(Debug, Default)]
struct Layers(BTreeMap<String, (i64, i64)>);

impl Layers {
    fn note(&mut self, info: &CreateImageInfo) {
        let reported = info.progress_detail.as_ref().and_then(|it| Some((it.current?, it.total?)));
        if let (Some(layer), Some((current, total))) = (&info.id, reported) {
            self.0.insert(layer.clone(), (current.min(total), total));
        }
    }

    fn text(&self) -> String {
        let sum = |part: fn(&(i64, i64)) -> i64| self.0.values().map(part).fold(0, i64::saturating_add);
        let (current, total) = (sum(|it| it.0), sum(|it| it.1));
        if total <= 0 {
            return String::new();
        }
        let mib = |bytes: i64| (bytes >> 20) + 1;
        format!(", {} of {} MiB", mib(current), mib(total))
    }
}

#[cfg(test)]
mod tests {
    use bollard::models::ProgressDetail;

    use super::*;

    #[test]
    fn layers_add_up() {
        let mut layers = Layers::default();
        assert_eq!(layers.text(), "");
        for (id, current) in [("a", 1 << 20), ("b", 0), ("a", 3 << 20)] {
            let progress_detail = Some(ProgressDetail { current: Some(current), total: Some(4 << 20) });
            layers.note(&CreateImageInfo { id: Some(id.into()), progress_detail, ..Default::default() });
        }
        assert_eq!(layers.text(), ", 4 of 9 MiB");
    }
}
