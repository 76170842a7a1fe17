//! Protobuf files to message types and resources.

mod cases;
mod comments;
mod fields;
mod hostile;
mod mistakes;
mod options;
mod real;
mod references;
mod support;
