mod linear;
mod orbits;
