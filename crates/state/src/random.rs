/// A source of random bytes: a host's source for secrets, never a reproducible one outside of tests.
///
/// A source that has no random bytes must not return: repeated bytes would break the encryption of states.
pub trait Random {
    /// Fills the whole buffer.
    fn fill(&self, bytes: &mut [u8]);
}
