//! Two versions of a service that keeps secrets, and the conversion between them.

use std::sync::Arc;

use diag::{Diagnostics, FileId, Severity, Span};
use fields::schema::Schema;
use planloom_conversion::{self as conversion, Conversion};
use spec::{Input, Services};
use syntax::Limits;

pub(crate) const OLD: &str = "name: vault.example.com
proto: {package: {name: example.vault, currentVersion: v1}}
resources:
- name: Project
- name: Secret
  parents: [Project]
  fields:
  - {path: enc_data}
  - {path: title}
  - {path: state, type: enum, values: [STATE_UNSPECIFIED, OPEN, SHUT]}
  - {path: locked, type: bool}
  - {path: kind}
  - {path: spec.size, type: int32}
  - {path: spec.owner}
  - {path: spec.limits.days, type: int32}
  - {path: \"items[].name\"}
  - {path: \"items[].size\", type: int32}
  - {path: \"labels{}\"}
  - {path: \"ports{}.number\", type: int32}
  - {path: copy_of, type: reference, resource: Secret, targetDeleteBehavior: UNSET}
  actions:
  - name: RotateSecret
    verb: rotate
    withStoreHandle: {transaction: SNAPSHOT}
    opResourceInfo: {responsePaths: {resourceBody: [secret]}}
    versioning: {replacement: RollSecret}
- name: Version
  parents: [Secret]
  fields:
  - {path: data}
";

pub(crate) const NEW: &str = "name: vault.example.com
proto: {package: {name: example.vault, currentVersion: v2}}
resources:
- name: Project
- name: Secret
  parents: [Project]
  scopeAttributes: [Region]
  fields:
  - {path: cipher.data, maxLength: 20}
  - {path: cipher.algorithm}
  - {path: title}
  - {path: phase, type: enum, values: [ACTIVE, PHASE_UNSPECIFIED, INACTIVE]}
  - {path: lock, type: enum, values: [UNLOCKED, LOCKED]}
  - {path: spec.size, type: int32}
  - {path: spec.team}
  - {path: owner}
  - {path: spec.limits.days, type: int32}
  - {path: spec.limits.hours, type: int32}
  - {path: \"items[].title\", maxLength: 20}
  - {path: \"items[].size\", type: int32}
  - {path: \"items[].note\"}
  - {path: \"labels{}\"}
  - {path: \"ports{}.number\", type: int32}
  - {path: \"ports{}.protocol\"}
  - {path: copy_of, type: reference, resource: Secret, targetDeleteBehavior: UNSET}
  actions:
  - name: RollSecret
    verb: roll
    withStoreHandle: {transaction: SNAPSHOT}
    opResourceInfo: {responsePaths: {resourceBody: [secret]}}
- name: Revision
  parents: [Secret]
  fields:
  - {path: data}
";

pub(crate) const MAPPING: &str = "format: planloom.conversion/1
service: vault.example.com
from: v1
to: v2
resources:
- from: Secret
  names:
  - from: projects/{project}/secrets/{secret}
    to: projects/{project}/regions/{region}/secrets/{secret}
    constants: {region: eu}
  fields:
  - {from: enc_data, to: cipher.data}
  - {from: state, to: phase, values: {STATE_UNSPECIFIED: PHASE_UNSPECIFIED, OPEN: ACTIVE, SHUT: INACTIVE}}
  - {from: locked, to: lock, values: {false: UNLOCKED, true: LOCKED}}
  - {from: kind, constant: SECRET}
  - {from: spec.owner, to: owner}
  - {from: \"items[].name\", to: \"items[].title\"}
  - {to: cipher.algorithm, default: AES}
- {from: Version, to: Revision}
";

/// Services with their messages.
pub(crate) struct Given {
    pub(crate) services: Arc<Services>,
    pub(crate) schemas: Arc<Vec<Schema>>,
}

pub(crate) fn given(texts: &[&str]) -> Given {
    let input = |(at, text): (u32, &&str)| {
        let parse = syntax::parse(FileId(at), text, &Limits::default());
        assert!(parse.diagnostics.is_empty(), "{text}\n{:#?}", parse.diagnostics);
        let (skeleton, problems) = spec::read(&parse.document, Span::at(FileId(at), 0));
        assert!(problems.is_empty(), "{text}\n{problems:#?}");
        Input { skeleton: skeleton.expect("it is a map"), is_import: false }
    };
    let inputs: Vec<Input> = (1..).zip(texts).map(input).collect();
    let (services, problems) = spec::resolve(&inputs);
    assert!(problems.iter().all(|it| it.severity == Severity::Hint), "{problems:#?}");
    let schema = |at| spec::schema(&services, at, &Schema::default()).0;
    let schemas = (0..services.services.len()).map(schema).collect();
    Given { services: Arc::new(services), schemas: Arc::new(schemas) }
}

pub(crate) fn read(given: &Given, mapping: &str) -> (Option<Conversion>, Diagnostics) {
    let parse = syntax::parse(FileId(0), mapping, &Limits::default());
    assert!(parse.diagnostics.is_empty(), "{mapping}\n{:#?}", parse.diagnostics);
    let (mapping, mut problems) = conversion::read(&parse.document, Span::at(FileId(0), 0));
    let Some(mapping) = mapping else { return (None, problems) };
    let (conversion, found) = Conversion::new(&mapping, given.services.clone(), given.schemas.clone());
    problems.extend(found);
    (conversion, problems)
}

pub(crate) fn vault() -> Conversion {
    let (conversion, problems) = read(&given(&[OLD, NEW]), MAPPING);
    assert!(problems.is_empty(), "{problems:#?}");
    conversion.expect("it has no errors")
}
