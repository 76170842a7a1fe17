use syntax::{Entry, Mapping, Node};

use super::claims::Claim;
use super::fields::Inherited;
use super::reader::Reader;
use crate::{LinkFields, TypeDefinition, Types, codes};

const KEYS: [&str; 17] = [
    "collection",
    "spellings",
    "doc",
    "tangible",
    "singleton",
    "open",
    "literal",
    "instances",
    "address_range",
    "address_mask",
    "address_owner",
    "on_change",
    "links",
    "contract",
    "packages",
    "fields",
    "implies",
];

impl Reader {
    pub(super) fn kinds(&mut self, types: &mut Types, node: &Node) {
        let Some(mapping) = self.mapping(node, "`kinds`") else { return };
        for entry in &mapping.entries {
            self.kind(types, entry);
        }
    }

    fn kind(&mut self, types: &mut Types, entry: &Entry) {
        let Some(mapping) = self.mapping(&entry.value, &format!("kind `{}`", entry.key)) else { return };
        self.only(mapping, &KEYS);
        let position = types.kinds.iter().position(|it| it.kind == entry.key);
        let mut kind = match position {
            Some(position) => types.kinds[position].clone(),
            None => new_kind(entry),
        };
        self.attributes(&mut kind, mapping);
        if kind.collection.is_empty() {
            self.missing(entry.key_span, &format!("`collection` of kind `{}`", entry.key), COLLECTION_HELP);
            return;
        }
        if !self.check_collection(types, &kind, mapping, entry) {
            self.refused.insert(entry.key.clone());
            return;
        }
        match position {
            Some(position) => types.kinds[position] = kind,
            None => types.kinds.push(kind),
        }
    }

    fn attributes(&mut self, kind: &mut TypeDefinition, mapping: &Mapping) {
        self.set_text(mapping, "collection", &mut kind.collection);
        self.set_text(mapping, "doc", &mut kind.doc);
        let flags = [
            ("tangible", &mut kind.tangible),
            ("singleton", &mut kind.singleton),
            ("open", &mut kind.open),
            ("literal", &mut kind.literal),
        ];
        for (key, target) in flags {
            *target = self.flag(mapping, key).unwrap_or(*target);
        }
        let fields = [
            ("instances", &mut kind.instances),
            ("address_range", &mut kind.address_range),
            ("address_mask", &mut kind.address_mask),
            ("address_owner", &mut kind.address_owner),
            ("contract", &mut kind.contract),
        ];
        for (key, target) in fields {
            if let Some(node) = mapping.get(key) {
                *target = self.text(node, &format!("`{key}`"));
                self.claim_path(&kind.kind, node);
            }
        }
        self.link_attributes(kind, mapping);
        self.package_attributes(kind, mapping);
        if let Some(node) = mapping.get("spellings") {
            kind.spellings = self.spellings(node);
        }
        let inherited = self.inherited(mapping, Inherited::of_kind(&kind.kind));
        inherited.apply_to(&mut kind.fields);
        if let Some(node) = mapping.get("fields") {
            self.fields(&mut kind.fields, node, inherited);
        }
        if let Some(node) = mapping.get("implies") {
            kind.implies = self.implications(&kind.kind, node);
        }
    }

    fn link_attributes(&mut self, kind: &mut TypeDefinition, mapping: &Mapping) {
        let Some(links) = mapping.get("links").and_then(|node| self.mapping(node, "`links`")) else { return };
        self.only(links, &["provides", "consumes", "contents", "network", "host", "addresses", "address"]);
        let mut take = |key: &str| {
            let node = links.get(key)?;
            self.claim_path(&kind.kind, node);
            self.text(node, &format!("`{key}`"))
        };
        let mut need = |key: &str| take(key).unwrap_or_else(|| key.into());
        let (provides, consumes, contents) = (need("provides"), need("consumes"), need("contents"));
        let (network, host) = (take("network"), take("host"));
        let (addresses, address) = (take("addresses"), take("address"));
        kind.links = Some(LinkFields { provides, consumes, contents, network, host, addresses, address });
    }

    fn package_attributes(&mut self, kind: &mut TypeDefinition, mapping: &Mapping) {
        let node = mapping.get("packages").and_then(|node| self.mapping(node, "`packages`"));
        let Some(packages) = node else { return };
        self.only(packages, &["wanted", "chosen", "version", "image"]);
        let mut fields = kind.packages.clone().unwrap_or_default();
        let targets = [
            ("wanted", &mut fields.wanted),
            ("chosen", &mut fields.chosen),
            ("version", &mut fields.version),
            ("image", &mut fields.image),
        ];
        for (key, target) in targets {
            match packages.get(key) {
                Some(node) => {
                    self.claim_path(&kind.kind, node);
                    self.set_text(packages, key, target);
                }
                None if target.is_empty() => *target = key.into(),
                None => {}
            }
        }
        kind.packages = Some(fields);
    }

    fn set_text(&mut self, mapping: &Mapping, key: &str, target: &mut std::sync::Arc<str>) {
        let text = mapping.get(key).and_then(|node| self.text(node, &format!("`{key}`")));
        if let Some(text) = text {
            *target = text;
        }
    }

    pub(super) fn claim_path(&mut self, kind: &str, node: &Node) {
        if let Some(path) = node.as_str() {
            self.claims.push(Claim::Path { kind: kind.into(), path: path.into(), span: node.span });
        }
    }

    /// Two kinds must not be declared under one root key; if they are, that is reported, and the first one counts.
    fn check_collection(
        &mut self,
        types: &Types,
        kind: &TypeDefinition,
        mapping: &Mapping,
        entry: &Entry,
    ) -> bool {
        let names = |it: &TypeDefinition| -> Vec<_> {
            std::iter::once(it.collection.clone())
                .chain(it.spellings.iter().map(|it| it.path.clone()))
                .collect()
        };
        let mine = names(kind);
        let others = types.kinds.iter().filter(|it| it.kind != kind.kind);
        let clash = others.flat_map(|it| names(it).into_iter().map(|name| (it.kind.clone(), name)));
        let Some((other, name)) = clash.into_iter().find(|(_, name)| mine.contains(name)) else {
            return true;
        };
        let span = mapping.get("collection").map_or(entry.key_span, |node| node.span);
        let message = format!("`{name}` already declares resources of kind `{other}`");
        self.error(codes::SAME_COLLECTION, span, message).help =
            Some("choose another collection or spelling".into());
        false
    }
}

const COLLECTION_HELP: &str =
    "name the root key under which resources of this kind are declared, e.g. `collection: volumes`";

fn new_kind(entry: &Entry) -> TypeDefinition {
    TypeDefinition {
        kind: entry.key.clone(),
        collection: "".into(),
        spellings: Vec::new(),
        doc: "".into(),
        tangible: true,
        singleton: false,
        open: false,
        literal: false,
        hidden_changes: Vec::new(),
        instances: None,
        address_range: None,
        address_mask: None,
        address_owner: None,
        links: None,
        contract: None,
        packages: None,
        fields: Vec::new(),
        implies: Vec::new(),
    }
}
