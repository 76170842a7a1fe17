//! Files to packages.

use std::sync::Arc;

use diag::{Diagnostics, FileId};
use prost_types::FileDescriptorProto;

use crate::{classes, file::File, package::Protos, path_use::PathUses, place::Places, syntax, types::Types};

/// A protobuf file.
#[derive(Clone, Copy, Debug)]
pub struct ProtoText<'t> {
    /// The file, for diagnostics.
    pub file: FileId,
    /// Its name.
    pub name: &'t str,
    /// Its text.
    pub text: &'t str,
}

struct Parsed<'t> {
    text: &'t str,
    places: Places,
    descriptor: FileDescriptorProto,
}

/// Reads files. It never fails: a file with an error in its syntax is reported and left out, and what an option says
/// wrongly is reported and left out. Imports are not followed: types that none of the files declares are foreign ones.
pub fn read(files: &[ProtoText<'_>]) -> (Protos, Diagnostics) {
    let (mut found, mut types) = (Diagnostics::new(), Types::default());
    let mut parsed = Vec::new();
    for file in files {
        let Some(mut descriptor) = syntax::parse(*file, &mut found) else { continue };
        types.add(&descriptor);
        let places = Places::new(file.file, file.text, descriptor.source_code_info.take());
        parsed.push(Parsed { text: file.text, places, descriptor });
    }
    let (mut protos, mut uses) = (Protos::default(), Vec::new());
    for file in &parsed {
        read_file(file, &types, &mut protos, &mut uses, &mut found);
    }
    finish(&mut protos, &uses, &mut found);
    (protos, found)
}

/// By package and message, paths that options name.
type Uses = Vec<(Arc<str>, Vec<(Arc<str>, PathUses)>)>;

fn read_file(
    file: &Parsed<'_>,
    types: &Types,
    protos: &mut Protos,
    all_uses: &mut Uses,
    found: &mut Diagnostics,
) {
    let package: Arc<str> = file.descriptor.package().into();
    let mut uses = Vec::new();
    File {
        text: file.text,
        places: &file.places,
        package: &package,
        is_proto2: file.descriptor.syntax.is_none(),
        types,
        content: protos.packages.entry(package.clone()).or_default(),
        uses: &mut uses,
        found,
    }
    .read(&file.descriptor);
    all_uses.push((package, uses));
}

/// Does the checks that need all files, and sets the classes of fields.
fn finish(protos: &mut Protos, uses: &Uses, found: &mut Diagnostics) {
    for (package, uses) in uses {
        let Some(package) = protos.packages.get(package) else { continue };
        for (message, uses) in uses {
            uses.check(&package.schema, message, found);
        }
    }
    protos.packages.values_mut().for_each(classes::apply);
}
