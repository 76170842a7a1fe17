//! A requestor that uses the REST API of its daemon only, against providers that are honest and others.

mod flow;
mod requestor;
mod vpn;
