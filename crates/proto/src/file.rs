//! One file, read into its package.

use std::sync::Arc;

use diag::{Diagnostic, Diagnostics, Span};
use prost_types::{FileDescriptorProto, MethodDescriptorProto, ServiceDescriptorProto, UninterpretedOption};

use crate::{
    api::{self, Api, Method},
    codes,
    decode::Decoder,
    message,
    option::{Options, Text},
    package::Package,
    path_use::PathUses,
    place::{Places, below, part, tag},
    service,
    types::Types,
};

/// A file that is being read.
#[derive(Debug)]
pub(crate) struct File<'f> {
    pub(crate) text: &'f str,
    pub(crate) places: &'f Places,
    pub(crate) package: &'f str,
    pub(crate) is_proto2: bool,
    pub(crate) types: &'f Types,
    /// The package to which the contents of the file are added.
    pub(crate) content: &'f mut Package,
    /// Paths that options of messages name.
    pub(crate) uses: &'f mut Vec<(Arc<str>, PathUses)>,
    pub(crate) found: &'f mut Diagnostics,
}

impl File<'_> {
    /// Reads all declarations.
    pub(crate) fn read(&mut self, descriptor: &FileDescriptorProto) {
        for (position, definition) in descriptor.enum_type.iter().enumerate() {
            message::read_enum(self, &[tag::FILE_ENUM, part(position)], "", definition);
        }
        for (position, definition) in descriptor.message_type.iter().enumerate() {
            message::read(self, &[tag::FILE_MESSAGE, part(position)], "", definition);
        }
        for (position, service) in descriptor.service.iter().enumerate() {
            let api = self.api(&[tag::FILE_SERVICE, part(position)], service);
            self.content.apis.push(api);
        }
        let options = descriptor.options.as_ref().map(|it| it.uninterpreted_option.as_slice());
        let options = self.options(&[tag::FILE_OPTIONS], options);
        self.service(&options);
    }

    /// The options at a path.
    pub(crate) fn options(&mut self, path: &[i32], options: Option<&[UninterpretedOption]>) -> Options {
        let file = self.places.file();
        let text = Text { file, text: self.text, places: self.places, package: self.package };
        Options::read(text, path, options.unwrap_or_default(), self.found)
    }

    /// True if no message and no enumeration of the package has this name yet; one that has is reported.
    pub(crate) fn is_new(&mut self, name: &str, at: Span) -> bool {
        let Some(first) = self.content.places.get(name) else { return true };
        self.found.push(
            Diagnostic::error(
                codes::DUPLICATE_NAME,
                at,
                format!("`{name}` is declared twice; this one is ignored"),
            )
            .related(first.span, "it is declared here first")
            .help("rename one of them, or leave out one of the files"),
        );
        false
    }

    fn service(&mut self, options: &Options) {
        for option in options.all("goten.annotations.service_pkg") {
            let service = service::read(option, &mut Decoder::new(self.found));
            let Some(first) = &self.content.service else {
                self.content.service = Some(service);
                continue;
            };
            self.found.push(
                Diagnostic::error(
                    codes::DUPLICATE_SERVICE,
                    option.at,
                    "the package says twice which service it is; this is ignored",
                )
                .related(first.span, "it is said here first")
                .help("keep `service_pkg` in one file of the package"),
            );
        }
    }

    fn api(&mut self, path: &[i32], service: &ServiceDescriptorProto) -> Api {
        let options = service.options.as_ref().map(|it| it.uninterpreted_option.as_slice());
        let options = self.options(&below(path, &[tag::SERVICE_OPTIONS]), options);
        let host = options.get("google.api.default_host");
        let mut api = Api {
            name: service.name().into(),
            default_host: host.and_then(|it| Decoder::new(self.found).text(it)).unwrap_or_default(),
            methods: Vec::new(),
            doc: self.places.doc(path),
            span: self.places.span(&below(path, &[tag::NAME])),
        };
        for (position, descriptor) in service.method.iter().enumerate() {
            let path = below(path, &[tag::SERVICE_METHOD, part(position)]);
            api.methods.push(self.method(&path, descriptor));
        }
        api
    }

    fn method(&mut self, path: &[i32], descriptor: &MethodDescriptorProto) -> Method {
        let mut method = Method {
            name: descriptor.name().into(),
            request: self.message_name(descriptor.input_type()),
            response: self.message_name(descriptor.output_type()),
            client_streaming: descriptor.client_streaming(),
            server_streaming: descriptor.server_streaming(),
            doc: self.places.doc(path),
            span: self.places.span(&below(path, &[tag::NAME])),
            ..Method::default()
        };
        let options = descriptor.options.as_ref().map(|it| it.uninterpreted_option.as_slice());
        let options = self.options(&below(path, &[tag::METHOD_OPTIONS]), options);
        api::read(&options, &mut method, &mut Decoder::new(self.found));
        method
    }

    /// A message of the package without it, another one in full.
    fn message_name(&self, written: &str) -> Arc<str> {
        let full = self.types.message_name(written, self.package);
        let own = full.strip_prefix(self.package).and_then(|it| match self.package {
            "" => Some(it),
            _ => it.strip_prefix('.'),
        });
        own.unwrap_or(&full).into()
    }
}
