//! States in files, on servers and in clusters, with processes and members that die.

mod applying;
mod backing_etcd;
mod backing_file;
mod backing_support;
mod crash;
mod damage;
mod etcd;
mod file;
mod members;
mod place;
mod site;
mod terraform;
