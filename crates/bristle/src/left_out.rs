//! What a build for a quick start leaves out.

/// What this build leaves out of results and methods; nothing in a full build.
pub fn left_out() -> Vec<&'static str> {
    let parts = [
        (cfg!(feature = "parquet"), "data as Parquet"),
        (cfg!(feature = "png"), "figures as PNG"),
        (cfg!(feature = "diffsol"), "the methods `bdf`, `esdirk34` and `tsit45`"),
    ];
    parts.iter().filter(|(is_in, _)| !is_in).map(|(_, what)| *what).collect()
}
