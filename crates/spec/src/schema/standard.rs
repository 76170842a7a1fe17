//! Requests and responses of standard methods, as Goten generates them (source: goten-sdk).

use std::sync::Arc;

use ::fields::schema::{Cardinality, Field, FieldType, Meaning, Schema};

use super::common::{
    BOOL, INT32, INT64, STRING, TIMESTAMP, VIEW, WATCH_TYPE, count, field, in_oneof, insert, list, mask,
    meant, name_of, required,
};
use crate::{Kind, Method, StandardMethod, words::snake};

/// Adds the request of a method, and its response, if that is a message of its own.
pub(super) fn add(standard: StandardMethod, method: &Method, kind: &Kind, schema: &mut Schema) {
    let messages = Messages { method, kind };
    insert(schema, &method.request, "", messages.request(standard));
    match standard {
        StandardMethod::Create | StandardMethod::Update => messages.add_masks(standard, schema),
        StandardMethod::WatchCollection => messages.add_tokens(schema),
        _ => {}
    }
    if let Some(response) = messages.response(standard) {
        insert(schema, &method.response, "", response);
    }
}

struct Messages<'a> {
    method: &'a Method,
    kind: &'a Kind,
}

impl Messages<'_> {
    fn request(&self, standard: StandardMethod) -> Vec<Field> {
        match standard {
            StandardMethod::Get => vec![required(self.name(1)), self.mask(3), self.view(4)],
            StandardMethod::BatchGet => vec![self.names("names", 2), self.mask(3), self.view(4)],
            StandardMethod::List => self.listing(false),
            StandardMethod::Search => self.listing(true),
            StandardMethod::Watch => vec![required(self.name(1)), self.mask(2), self.view(4)],
            StandardMethod::WatchCollection => self.watch(),
            StandardMethod::Create => {
                let own = [required(self.resource(2)), self.nested("response_mask", 3, "ResponseMask")];
                self.parent(1).into_iter().chain(own).collect()
            }
            StandardMethod::Update => vec![
                required(self.resource(2)),
                mask("update_mask", 3, &self.kind.name),
                self.nested("cas", 4, "CAS"),
                field("allow_missing", 5, BOOL),
                self.nested("response_mask", 6, "ResponseMask"),
            ],
            StandardMethod::Delete => vec![required(self.name(1)), field("allow_missing", 2, BOOL)],
        }
    }

    fn response(&self, standard: StandardMethod) -> Option<Vec<Field>> {
        let change = || FieldType::Message(format!("{}Change", self.kind.name).into());
        match standard {
            StandardMethod::BatchGet => Some(vec![self.resources(1), self.names("missing", 2)]),
            StandardMethod::List | StandardMethod::Search => {
                let mut fields = vec![self.resources(1)];
                if self.kind.features.paging {
                    fields.extend(self.tokens(3));
                    fields
                        .extend([field("current_offset", 5, INT32), field("total_results_count", 6, INT32)]);
                }
                Some(fields)
            }
            StandardMethod::Watch => Some(vec![field("change", 1, change())]),
            StandardMethod::WatchCollection => Some(vec![
                list(&format!("{}_changes", snake(&self.kind.name)), 2, change()),
                field("is_current", 4, BOOL),
                field("page_token_change", 3, self.nested_type(&self.method.response, "PageTokenChange")),
                field("resume_token", 5, STRING),
                field("snapshot_size", 6, INT64),
                field("is_soft_reset", 7, BOOL),
                field("is_hard_reset", 8, BOOL),
            ]),
            StandardMethod::Get
            | StandardMethod::Create
            | StandardMethod::Update
            | StandardMethod::Delete => None,
        }
    }

    /// The request of list and search. A kind without paging has neither sizes nor tokens.
    fn listing(&self, searches: bool) -> Vec<Field> {
        let paging = self.kind.features.paging;
        let mut fields: Vec<Field> = self.parent(1).into_iter().collect();
        if paging {
            fields.extend([count("page_size", 2, None), self.token("page_token", 3)]);
        }
        fields.extend([self.order(4), self.filter(5), self.mask(6), self.view(7)]);
        match (searches, paging) {
            (true, _) => fields.push(field("phrase", 8, STRING)),
            (false, true) => fields.push(field("include_paging_info", 8, BOOL)),
            (false, false) => {}
        }
        fields
    }

    fn watch(&self) -> Vec<Field> {
        let mut fields = vec![field("type", 9, FieldType::Enum(WATCH_TYPE.into()))];
        fields.extend(self.parent(1));
        fields.extend([
            count("page_size", 2, None),
            self.token("page_token", 3),
            self.order(4),
            field("resume_token", 10, STRING),
            field("starting_time", 12, TIMESTAMP),
            self.filter(5),
            self.mask(6),
            self.view(8),
            count("max_chunk_size", 11, Some(100.0)),
        ]);
        fields
    }

    /// The messages in requests that write: what the response has, and on which state the change depends.
    fn add_masks(&self, standard: StandardMethod, schema: &mut Schema) {
        let nested = |name: &str| format!("{}.{name}", self.method.request);
        let masking = |it: Field| in_oneof(it, "masking");
        let is_update = standard == StandardMethod::Update;
        let mut fields = vec![masking(field("skip_entire_response_body", 1, BOOL))];
        fields.extend(is_update.then(|| masking(field("updated_fields_only", 2, BOOL))));
        fields.push(masking(mask("body_mask", if is_update { 3 } else { 2 }, &self.kind.name)));
        insert(schema, &nested("ResponseMask"), "What the response has of the resource.", fields);
        if is_update {
            let state = field("conditional_state", 1, FieldType::Message(self.kind.name.clone()));
            let doc = "The state that the resource must have: in these fields, or in all that are set.";
            insert(schema, &nested("CAS"), doc, vec![state, self.mask_named("field_mask", 2)]);
        }
    }

    fn add_tokens(&self, schema: &mut Schema) {
        let name = format!("{}.PageTokenChange", self.method.response);
        insert(schema, &name, "The tokens of the pages before and after.", self.tokens(1));
    }

    fn tokens(&self, first: u32) -> Vec<Field> {
        vec![self.token("prev_page_token", first), self.token("next_page_token", first + 1)]
    }

    fn token(&self, name: &str, number: u32) -> Field {
        meant(field(name, number, STRING), Meaning::Cursor { resource: self.kind.name.clone() })
    }

    /// Absent where the kind has no parents.
    fn parent(&self, number: u32) -> Option<Field> {
        let name = &self.method.request_paths.resource_parent.first()?.value;
        let meaning = Meaning::ParentName { resource: self.kind.name.clone() };
        Some(meant(field(name, number, STRING), meaning))
    }

    fn name(&self, number: u32) -> Field {
        name_of(number, &self.kind.name)
    }

    fn names(&self, name: &str, number: u32) -> Field {
        Field { name: name.into(), cardinality: Cardinality::Repeated, ..name_of(number, &self.kind.name) }
    }

    fn resource(&self, number: u32) -> Field {
        field(&snake(&self.kind.name), number, FieldType::Message(self.kind.name.clone()))
    }

    fn resources(&self, number: u32) -> Field {
        list(&snake(&self.kind.plural), number, FieldType::Message(self.kind.name.clone()))
    }

    fn order(&self, number: u32) -> Field {
        meant(field("order_by", number, STRING), Meaning::OrderBy { resource: self.kind.name.clone() })
    }

    fn filter(&self, number: u32) -> Field {
        meant(field("filter", number, STRING), Meaning::Filter { resource: self.kind.name.clone() })
    }

    fn mask(&self, number: u32) -> Field {
        self.mask_named("field_mask", number)
    }

    fn mask_named(&self, name: &str, number: u32) -> Field {
        mask(name, number, &self.kind.name)
    }

    fn view(&self, number: u32) -> Field {
        field("view", number, FieldType::Enum(VIEW.into()))
    }

    fn nested(&self, name: &str, number: u32, ty: &str) -> Field {
        field(name, number, self.nested_type(&self.method.request, ty))
    }

    fn nested_type(&self, message: &Arc<str>, ty: &str) -> FieldType {
        FieldType::Message(format!("{message}.{ty}").into())
    }
}
