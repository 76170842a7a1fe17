//! Packages in place of images: the requirements, and the insertion of the chosen versions.

use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostic, Span};
use links::Named;
use model::{Address, Data, Map, Origin, Pointer, Value};
use types::PackageFields;

use crate::{
    Inferred, codes,
    declare::Declarations,
    imply::value_at,
    linking::{named, unwritten},
};

/// A package that an item requires in place of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageRequest {
    /// The address of the item that requires it.
    pub requester: Address,
    /// The package's name.
    pub package: Named,
    /// The permitted versions; any if there is none.
    pub version: Option<Named>,
    /// The channel; any if there is none.
    pub channel: Option<Named>,
    /// The catalog; any if there is none.
    pub catalog: Option<Named>,
}

/// The version that was chosen for an item that requires a package.
#[derive(Clone, Debug)]
pub struct Pin {
    /// The version.
    pub version: Arc<str>,
    /// The image; empty if the bundle has none.
    pub image: Arc<str>,
    /// The bundle, as a map that references can read.
    pub bundle: Map,
    /// The place where that is written: in the lock file or in the catalog.
    pub origin: Span,
    /// The reason for this version, as a sentence.
    pub because: String,
}

/// The chosen versions, by the item that requires them.
pub type Pins = BTreeMap<Address, Pin>;

/// Chooses versions for all requirements. Those without a solution are left out, and reported by the
/// function.
pub type Choose<'c> = &'c mut dyn FnMut(&[PackageRequest]) -> Pins;

/// Reads the requirements, chooses versions, and inserts these into the items; returns the requirements.
pub(crate) fn choose(declarations: &mut Declarations<'_>, choose: Choose<'_>) -> Vec<PackageRequest> {
    let items = 0..declarations.items.len();
    let read: Vec<(usize, PackageRequest)> =
        items.filter_map(|item| Some((item, package_request(declarations, item)?))).collect();
    if read.is_empty() {
        return Vec::new();
    }
    let (items, requests): (Vec<usize>, Vec<PackageRequest>) = read.into_iter().unzip();
    let mut pins = choose(&requests);
    for (item, request) in items.into_iter().zip(&requests) {
        if let Some(pin) = pins.remove(&request.requester) {
            put(declarations, item, request, pin);
        }
    }
    requests
}

fn package_request(declarations: &mut Declarations<'_>, item: usize) -> Option<PackageRequest> {
    let fields = declarations.definition(item).packages.as_ref()?;
    let package = declarations.items[item].attributes.get(&fields.wanted)?.clone();
    let (requester, shown) =
        (declarations.address(item), format!("{}.{}", declarations.shown(item), fields.wanted));
    let keys = ["name", "version", "channel", "catalog"];
    let unwritten = unwritten(Some(&package), &keys);
    for (span, key) in &unwritten {
        declarations.diagnostics.push(not_written(*span, &shown, key));
    }
    let [name, version, channel, catalog] = keys.map(|key| named(Some(&package), key));
    let name = name.filter(|it| !it.text.trim().is_empty() && unwritten.is_empty())?;
    Some(PackageRequest { requester, package: name, version, channel, catalog })
}

/// Versions are chosen before any reference is resolved: a reference may depend on what is chosen.
fn not_written(span: Span, shown: &str, key: &str) -> Diagnostic {
    let message =
        format!("`{shown}.{key}` is a reference, and versions are chosen before those are resolved");
    Diagnostic::error(codes::PACKAGE_NOT_WRITTEN, span, message).help(format!("write the {key} itself"))
}

fn put(declarations: &mut Declarations<'_>, item: usize, request: &PackageRequest, pin: Pin) {
    let Some(fields) = declarations.definition(item).packages.as_ref() else { return };
    let origin = Origin::Written(pin.origin);
    let text = |text: &Arc<str>| Value::new(Data::String(Arc::clone(text)), origin);
    let mut places = vec![
        (Pointer::root().key(&fields.version), text(&pin.version)),
        (Pointer::root().key(&fields.chosen), Value::new(Data::Map(pin.bundle), origin)),
    ];
    let image = image_place(fields);
    let there = value_at(declarations, item, &fields.image);
    match there.map(|it| it.origin.span()) {
        Some(there) => report_two_ways(declarations, request, &image, there),
        None if !pin.image.is_empty() => places.push((image, text(&pin.image))),
        None => {}
    }
    for (place, value) in places {
        note(declarations, item, &place, &value, &pin.because);
        set(Arc::make_mut(&mut declarations.items[item].attributes), &place, value);
    }
}

fn image_place(fields: &PackageFields) -> Pointer {
    Pointer::root().keys(&fields.image.split('/').collect::<Vec<_>>())
}

fn report_two_ways(
    declarations: &mut Declarations<'_>,
    request: &PackageRequest,
    image: &Pointer,
    there: Option<Span>,
) {
    let message = format!("`{}` has both an image and a package", request.requester);
    let found = Diagnostic::error(codes::PACKAGE_AND_IMAGE, request.package.span, message);
    let found = there.into_iter().fold(found, |it, span| it.related(span, "the image is here"));
    let help = format!(
        "remove one of them: the package sets `{}` to its image",
        image.to_string().trim_start_matches('/')
    );
    declarations.diagnostics.push(found.help(help));
}

/// Sets a value, and creates missing maps around it.
fn set(attributes: &mut Map, place: &Pointer, value: Value) {
    let keys: Vec<Arc<str>> = place.parts().map(|it| Arc::from(&*it)).collect();
    let Some((last, around)) = keys.split_last() else { return };
    let mut map = attributes;
    for key in around {
        let empty = || Value::new(Data::Map(Map::new()), value.origin);
        let Data::Map(inner) = &mut map.entry(Arc::clone(key)).or_insert_with(empty).data else { return };
        map = inner;
    }
    map.insert(Arc::clone(last), value);
}

fn note(declarations: &mut Declarations<'_>, item: usize, place: &Pointer, value: &Value, because: &str) {
    let pointer = declarations.pointer(item).join(place);
    declarations.inferred.push(Inferred { pointer, value: value.clone(), because: because.into() });
}
