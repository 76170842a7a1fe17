use crate::Name;

use super::{ActiveVersion, NotServed};

/// A version of the API, compared with the one that the deployment operates on.
enum Age {
    /// Its requests are transformed and executed on the current storage.
    CurrentOrOlder,
    /// It has a storage that only follows.
    Newer,
}

impl<N: Name> ActiveVersion<N> {
    /// The version whose storage answers a request that reads, made in a version of the API.
    ///
    /// Older versions are answered from the current storage, so after a switch clients of the old version see what those of the
    /// new one write. A newer one is answered from its own storage, which may not be complete (source: Goten's guide, "Ensuring
    /// server and controller can work on two versions").
    ///
    /// # Errors
    /// Only that the version does not exist.
    pub fn read_from<'a>(&'a self, version: &'a N) -> Result<&'a N, NotServed<N>> {
        match self.age(version)? {
            Age::CurrentOrOlder => Ok(&self.current_version),
            Age::Newer => Ok(version),
        }
    }

    /// The version whose storage a request writes that is made in a version of the API.
    ///
    /// # Errors
    /// As [`NotServed`] says.
    pub fn write_to(&self, version: &N) -> Result<&N, NotServed<N>> {
        match self.age(version)? {
            Age::Newer => Err(NotServed::ReadOnly { current: self.current_version.clone() }),
            Age::CurrentOrOlder if self.is_frozen() => Err(NotServed::Unavailable),
            Age::CurrentOrOlder => Ok(&self.current_version),
        }
    }

    fn age(&self, version: &N) -> Result<Age, NotServed<N>> {
        let place = |version: &N| self.supported_versions.iter().position(|it| it == version);
        let Some(requested) = place(version) else { return Err(NotServed::Unsupported(version.clone())) };
        let is_newer = place(&self.current_version).is_some_and(|current| requested > current);
        Ok(if is_newer { Age::Newer } else { Age::CurrentOrOlder })
    }
}
