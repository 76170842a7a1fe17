//! The codes of diagnostics.

use diag::Code;

pub(crate) const ADDON: Code = Code("bosh/addon");
pub(crate) const BAD_LABEL: Code = Code("bosh/dns-label");
pub(crate) const BAD_SHAPE: Code = Code("bosh/wrong-kind");
pub(crate) const CONSUMER: Code = Code("bosh/consumer");
pub(crate) const CUSTOM: Code = Code("bosh/custom-provider");
pub(crate) const DOTTED: Code = Code("bosh/from-dotted");
pub(crate) const DUPLICATE: Code = Code("bosh/duplicate");
pub(crate) const EXPOSED: Code = Code("bosh/link-property");
pub(crate) const FEATURES: Code = Code("bosh/features");
pub(crate) const INSTANCES: Code = Code("bosh/instances");
pub(crate) const LIFECYCLE: Code = Code("bosh/lifecycle");
pub(crate) const MISSING: Code = Code("bosh/missing");
pub(crate) const NETWORK: Code = Code("bosh/network");
pub(crate) const NETWORK_DEFAULT: Code = Code("bosh/network-default");
pub(crate) const OLDER_KEY: Code = Code("bosh/older-key");
pub(crate) const OPS: Code = Code("bosh/ops");
pub(crate) const OPS_DROPS: Code = Code("bosh/ops-drops");
pub(crate) const OPS_KEY: Code = Code("bosh/ops-unknown-key");
pub(crate) const OPS_NOWHERE: Code = Code("bosh/ops-nowhere");
pub(crate) const OPS_PATH: Code = Code("bosh/ops-path");
pub(crate) const OPS_TARGET: Code = Code("bosh/ops-target");
pub(crate) const OPS_TEST: Code = Code("bosh/ops-test");
pub(crate) const PROVIDER: Code = Code("bosh/provider");
pub(crate) const SPEC: Code = Code("bosh/spec");
pub(crate) const STATIC_IPS: Code = Code("bosh/static-ips");
pub(crate) const UNDEFINED_VARIABLE: Code = Code("bosh/undefined-variable");
pub(crate) const UNKNOWN_KEY: Code = Code("bosh/unknown-key");
pub(crate) const UNKNOWN_LINK: Code = Code("bosh/unknown-link");
pub(crate) const UNUSED_VARIABLE: Code = Code("bosh/unused-variable");
pub(crate) const VARIABLE: Code = Code("bosh/variable");
pub(crate) const VARIABLE_VALUE: Code = Code("bosh/variable-value");
