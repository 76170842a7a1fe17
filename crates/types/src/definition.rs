use std::sync::Arc;

use model::{EdgeKind, Pointer};
use syntax::Node;

use crate::{MergeOptions, form::Form};

/// All kinds, and what may stand at the root of a descriptor.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// The kinds, in the order in which their collections are shown.
    pub kinds: Vec<TypeDefinition>,
    /// Root keys that are not collections, e.g. `schema`.
    pub root: Vec<Field>,
}

/// One kind of resource.
#[derive(Clone, Debug)]
pub struct TypeDefinition {
    /// Its name, e.g. `service`.
    pub kind: Arc<str>,
    /// The root key whose map declares resources of this kind, e.g. `services`; for a singleton the root key itself (`meta`).
    pub collection: Arc<str>,
    /// Other spellings of `collection`, e.g. `nodes`.
    pub spellings: Vec<Spelling>,
    /// The documentation, in one or two sentences.
    pub doc: Arc<str>,
    /// True if it exists for real and is created, updated, destroyed. Otherwise it is a part: its attributes belong to
    /// the resource that embeds it (a payload), or to none (`meta`).
    pub tangible: bool,
    /// There is one; the root key holds its fields.
    pub singleton: bool,
    /// Keys that are not defined are free.
    pub open: bool,
    /// Texts are taken as they are written: `${…}` is no reference in them.
    pub literal: bool,
    /// The places whose changes are shown only where nothing else changes, such as records that a front end keeps in a resource.
    pub hidden_changes: Vec<Pointer>,
    /// The field whose number says how many instances there are.
    pub instances: Option<Arc<str>>,
    /// The field (a CIDR) that says which addresses belong to it.
    pub address_range: Option<Arc<str>>,
    /// The field that holds the mask of an address range written without prefix length.
    pub address_mask: Option<Arc<str>>,
    /// The field with the address that its owner takes; the range's first host address when not written. `None` for
    /// kinds whose owner takes none.
    pub address_owner: Option<Arc<str>>,
    /// The fields by which resources of this kind are linked; `None` where they are not.
    pub links: Option<LinkFields>,
    /// Resources of this kind say what links of a type (their name) promise: the field with the properties.
    pub contract: Option<Arc<str>>,
    /// The fields by which a package takes the place of an image; `None` where none can.
    pub packages: Option<PackageFields>,
    /// Its fields.
    pub fields: Vec<Field>,
    /// The rules for values that no file sets, in the order in which they are applied.
    pub implies: Vec<Implication>,
}

/// The fields by which resources of a kind are linked.
#[derive(Clone, Debug, Default)]
pub struct LinkFields {
    /// The field with the links that it provides: a map by name.
    pub provides: Arc<str>,
    /// The field with the links that it consumes: a map by name.
    pub consumes: Arc<str>,
    /// The field that receives the contents of the links, by name; references such as `${links.db.address}` point into it.
    pub contents: Arc<str>,
    /// The network it lives in.
    pub network: Option<Arc<str>>,
    /// The field with its host: resources with the same text run side by side.
    pub host: Option<Arc<str>>,
    /// Its written addresses, one for each instance.
    pub addresses: Option<Arc<str>>,
    /// Its address once it exists: keys with `/`.
    pub address: Option<Arc<str>>,
}

/// The fields by which a package takes the place of an image.
#[derive(Clone, Debug, Default)]
pub struct PackageFields {
    /// The field with the required package: a map of `name`, `version`, `channel` and `catalog`.
    pub wanted: Arc<str>,
    /// The field that receives the chosen package; references such as `${payloads.queue.bundle.image}` point into it.
    pub chosen: Arc<str>,
    /// The version that was chosen, which is sent to adapters: it is put there.
    pub version: Arc<str>,
    /// The field that receives the image that was chosen: keys with `/`.
    pub image: Arc<str>,
}

/// One attribute.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its key.
    pub name: Arc<str>,
    /// The documentation.
    pub doc: Arc<str>,
    /// The permitted values.
    pub shape: Shape,
    /// It must be written.
    pub required: bool,
    /// The default value.
    pub default: Option<DefaultValue>,
    /// The value that says no more than leaving the field out, which it does in the [normal form](crate::normalize).
    pub when_left_out: Option<DefaultValue>,
    /// A set: neither the order of its items nor how often one is written has a meaning.
    pub set: bool,
    /// The options of merging layers.
    pub merge: MergeOptions,
    /// The effect of a change: an update in place, a rebuild or nothing.
    pub on_change: OnChange,
    /// It must never be shown.
    pub sensitive: bool,
    /// It only exists once the resource does. It may be written all the same (a dump of a running deployment).
    pub output: bool,
    /// Other spellings.
    pub spellings: Vec<Spelling>,
    /// Values to offer besides those the shape names.
    pub examples: Vec<Arc<str>>,
}

/// A default, kept as the tree it was written as. Its spans lie in the definition file, not in a descriptor.
#[derive(Clone, Debug)]
pub struct DefaultValue(pub Node);

/// Another way to write a key.
#[derive(Clone, Debug)]
pub struct Spelling {
    /// The place where it is written, relative to the object: one key (`entrypoint`), or keys with `/` (`params/capabilities`).
    pub path: Arc<str>,
    /// The dialect that writes so, e.g. `dapp-runner`, `legacy`.
    pub dialect: Arc<str>,
    /// Only when the text has this shape (e.g. `mask` when it holds a CIDR); else the key means itself.
    pub only_if: Option<Shape>,
}

/// The shape of a value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Shape {
    /// Anything.
    Any,
    /// Text. A number or boolean without quotes is taken as it is written, with a warning.
    Text,
    /// One of these texts.
    OneOf(Vec<Arc<str>>),
    /// A whole number within bounds.
    Integer {
        /// Least.
        min: i64,
        /// Greatest.
        max: i64,
    },
    /// Any number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An IPv4 or IPv6 network such as `192.168.0.0/24`; host bits may be set. A bare address is a network of one
    /// only where a mask is written elsewhere.
    Cidr,
    /// An IP address, inside the range of the resource that `within` (a field of the same object) refers to.
    IpAddress {
        /// The sibling field that refers to the network.
        within: Option<Arc<str>>,
    },
    /// A value of a dialect that can be written in several ways.
    Form(&'static dyn Form),
    /// One of these, e.g. a list today and a map in older descriptors. The first one that fits counts.
    Either(Vec<Shape>),
    /// A list.
    List(Box<Shape>),
    /// A map with free keys.
    MapOf(Box<Shape>),
    /// A map with these fields.
    Object {
        /// Its fields.
        fields: Vec<Field>,
        /// Keys that are not defined are free.
        open: bool,
    },
    /// The name of a resource of another kind.
    Reference {
        /// The kind.
        to: Arc<str>,
        /// The meaning of the reference.
        edge: Edge,
    },
}

/// The meaning of naming another resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The other's attributes become part of this one, under the field's name.
    Embed,
    /// An edge of the dependency graph.
    Needs(EdgeKind),
}

/// The consequence of a change of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnChange {
    /// The resource must be destroyed and made again.
    #[default]
    Rebuild,
    /// It can be changed in place.
    Update,
    /// Nothing; it is not part of what is sent.
    Nothing,
}

/// A value that is put in if no file sets it.
#[derive(Clone, Debug)]
pub struct Implication {
    /// All must hold.
    pub when: Vec<Condition>,
    /// The field to set, keys with `/` from the object (`capabilities`, `payload/capabilities` reaches into what
    /// `payload` refers to). It is only set where nothing stands, so the first rule that applies wins.
    pub set: Arc<str>,
    /// The value. For a reference field: the name to create when there is nothing of that kind; the first declared
    /// one is taken otherwise.
    pub value: Node,
    /// The fields with which the resource referred to is declared if it does not exist.
    pub create: Option<Node>,
    /// The reason, as a sentence that can be shown.
    pub because: Arc<str>,
}

/// A condition of an [`Implication`], on the object it belongs to. Paths are like [`Implication::set`]: keys with
/// `/`, reaching into what a reference names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// One of these paths holds something.
    AnyOf(Vec<Arc<str>>),
    /// None of these paths holds anything.
    NoneOf(Vec<Arc<str>>),
    /// The text at the path is one of these, upper and lower case alike.
    TextIs(Arc<str>, Vec<Arc<str>>),
}
