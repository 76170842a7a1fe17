//! The texts that views show parts of.

use std::rc::Rc;

/// One file's text; copies share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    /// The file's name.
    pub name: Rc<str>,
    /// Its text.
    pub text: Rc<str>,
}
