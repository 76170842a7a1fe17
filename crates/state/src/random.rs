/// Where random bytes come from: a host's source for secrets, never a reproducible one outside of tests.
///
/// A source that has none must not return: bytes that come twice give encrypted states away.
pub trait Random {
    /// Fills all of it.
    fn fill(&self, bytes: &mut [u8]);
}
