mod rigs;
mod search;
