//! States in files, on servers and in clusters, with all that can die on the way.

mod applying;
mod crash;
mod damage;
mod etcd;
mod file;
mod members;
mod place;
mod site;
mod terraform;
