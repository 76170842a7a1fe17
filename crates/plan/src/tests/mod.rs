mod cases;
mod changes;
mod laws;
mod notation;
mod world;
