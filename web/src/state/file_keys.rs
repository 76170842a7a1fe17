//! Sets of a few files.

use serde::{Deserialize, Serialize};

use super::FileKey;

/// A few files, each once, in the order of their keys. A sorted list: a tree takes more code than all that is done with it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<FileKey>")]
pub struct FileKeys(Vec<FileKey>);

impl FileKeys {
    /// True if it is one of them.
    pub fn contains(&self, key: FileKey) -> bool {
        self.0.contains(&key)
    }

    /// The number of keys.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// True if there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes one out, if it is there.
    pub fn remove(&mut self, key: FileKey) {
        self.0.retain(|it| *it != key);
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = FileKey> {
        self.0.iter().copied()
    }

    fn insert(&mut self, key: FileKey) {
        let at = self.0.iter().take_while(|it| **it < key).count();
        if self.0.get(at) != Some(&key) {
            self.0.insert(at, key);
        }
    }
}

impl FromIterator<FileKey> for FileKeys {
    fn from_iter<I: IntoIterator<Item = FileKey>>(keys: I) -> Self {
        let mut all = Self::default();
        keys.into_iter().for_each(|it| all.insert(it));
        all
    }
}

impl From<Vec<FileKey>> for FileKeys {
    fn from(keys: Vec<FileKey>) -> Self {
        keys.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_there_once_and_in_order() {
        let keys = |all: &[u32]| all.iter().map(|it| FileKey(*it)).collect::<FileKeys>();
        let mut some = keys(&[3, 1, 2, 3]);
        assert_eq!(some, keys(&[1, 2, 3]));
        assert!(some.contains(FileKey(2)) && !some.contains(FileKey(4)) && !some.is_empty());
        some.remove(FileKey(2));
        assert_eq!(serde_json::to_string(&some).unwrap(), "[1,3]");
        assert_eq!(serde_json::from_str::<FileKeys>("[3, 1, 1]").unwrap(), some);
    }
}
