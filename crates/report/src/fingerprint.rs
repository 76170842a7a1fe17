//! The fingerprint by which a finding is recognised in the next report, although lines moved.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::finding::Finding;

/// Gives each finding its fingerprint: a digest of its code, its file and what it is about. Lines are no part of it. Of
/// several that are the same, the order counts.
#[derive(Debug, Default)]
pub(crate) struct Fingerprints<'f> {
    seen: BTreeMap<(&'f str, Option<&'f str>, &'f str), u32>,
}

impl<'f> Fingerprints<'f> {
    pub(crate) fn of(&mut self, finding: &'f Finding) -> String {
        let file = finding.place.as_ref().map(|it| it.file.path());
        let same = self.seen.entry((&finding.code, file, &finding.subject)).or_default();
        *same += 1;
        let parts = [&*finding.code, file.unwrap_or_default(), &finding.subject, &same.to_string()];
        let digest = parts.iter().fold(Sha256::new(), |it, part| it.chain_update(part).chain_update([0]));
        digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}
