//! The YAML form of type definitions.
//!
//! ```yaml
//! format: planloom.types/1            # optional
//! root:                               # root keys that are not collections: name → field
//!   schema: {type: text}
//! kinds:
//!   volume:
//!     collection: volumes             # required for a new kind; `singleton: true` when there is only one
//!     doc: Disk space that outlives the service that uses it.
//!     spellings: [{path: disks, dialect: legacy}]
//!     tangible: true                  # the default; `false`: a part or a note, never created
//!     open: false                     # `true`: keys that are not defined are free
//!     instances: copies               # the field with the number of copies
//!     address_range: ip               # the field with the range of addresses
//!     address_mask: mask              # the field with the range's mask, when the range has no prefix length
//!     address_owner: owner_ip         # the field with the owner's own address; else the first host's is taken
//!     on_change: rebuild              # for fields that do not say; or `update`, `nothing`
//!     fields:
//!       size_gib:
//!         doc: Size in GiB.
//!         type: {integer: {min: 1}}
//!         required: true
//!         default: 10
//!         merge: standard             # or `replace`, `unique`, `{by_key: name}`
//!         on_change: update
//!         sensitive: true             # never shown; no later definition takes that back
//!         output: false               # `true`: only exists once the resource does
//!         examples: ["10", "100"]
//!         spellings: [{path: params/size, dialect: legacy, only_if: number}]
//!       owner:
//!         fields:                     # short for `type: {fields: …}`; `open: true` beside it
//!           name: {type: text}
//!     implies:
//!       - because: a volume of a service lives in the service's network
//!         when: {any_of: [service], none_of: [x], text_is: {service/payload: [vm]}}
//!         set: network
//!         value: default
//!         create: {ip: 192.168.0.0/24}
//! ```
//! Types are `any`, `text`, `integer`, `number`, `boolean`, `cidr`, `ip_address`, `port`, `commands`,
//! `{one_of: [a, b]}`, `{integer: {min: 0, max: 9}}`, `{ip_address: {within: network}}`, `{list: text}`,
//! `{map: text}`, `{either: [text, {list: text}]}`, `{fields: {…}, open: true}` and
//! `{reference: network, edge: attachment}` with an edge of `embed`, `depends_on`, `reference` or `attachment`.
//!
//! For a kind or field that is there already, what is written replaces what was there, key by key; fields inside
//! fields alike. The values of a field for `on_change`, `sensitive` and `output` holds for the fields in it that do not
//! say otherwise in the same file.

mod claims;
mod fields;
mod kinds;
mod merge;
mod reader;
mod rules;
mod shapes;

use diag::Diagnostics;
use syntax::Document;

use crate::Types;
use fields::Inherited;
use reader::Reader;

/// The only value of `format` that is read.
pub const FORMAT: &str = "planloom.types/1";

/// `types` with the definitions of a file added; a kind that is there already is overridden field by field.
///
/// Invalid definitions are reported and left out: a new field without a type, a kind without a collection.
pub fn read(types: &Types, document: &Document) -> (Types, Diagnostics) {
    let mut reader = Reader::default();
    let mut types = types.clone();
    if let Some(root) = &document.root {
        reader.file(&mut types, root);
    }
    reader.check_claims(&types);
    (types, reader.diagnostics)
}

impl Reader {
    fn file(&mut self, types: &mut Types, root: &syntax::Node) {
        let Some(mapping) = self.mapping(root, "a definition file") else { return };
        self.only(mapping, &["format", "root", "kinds"]);
        if let Some(format) = mapping.get("format") {
            self.choice(format, "format", &[(FORMAT, ())]);
        }
        if let Some(fields) = mapping.get("root") {
            self.fields(&mut types.root, fields, Inherited::default());
        }
        if let Some(kinds) = mapping.get("kinds") {
            self.kinds(types, kinds);
        }
    }
}

#[cfg(test)]
mod tests;
