mod cases;
mod causes;
mod changes;
mod laws;
mod notation;
mod secrets;
mod world;
