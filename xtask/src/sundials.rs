//! CVODE at native speed, for the benches: the program `benches/cvode.c`, with SUNDIALS optimised for this machine and with that
//! of the system.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The package that carries the sources of SUNDIALS; only its sources are used, it is never compiled itself.
const CARRIER: &str = "sundials-sys";
const CARRIER_VERSION: &str = "0.6.2";

/// Nothing but CVODE and what it needs, without checks, logs and profiles that would cost time.
const SETTINGS: [&str; 14] = [
    "-DCMAKE_BUILD_TYPE=Release",
    "-DCMAKE_C_FLAGS_RELEASE=-O3 -march=native -DNDEBUG",
    "-DCMAKE_INSTALL_LIBDIR=lib",
    "-DBUILD_SHARED_LIBS=OFF",
    "-DBUILD_ARKODE=OFF",
    "-DBUILD_CVODES=OFF",
    "-DBUILD_IDA=OFF",
    "-DBUILD_IDAS=OFF",
    "-DBUILD_KINSOL=OFF",
    "-DBUILD_TESTING=OFF",
    "-DEXAMPLES_ENABLE_C=OFF",
    "-DEXAMPLES_INSTALL=OFF",
    "-DSUNDIALS_ENABLE_ERROR_CHECKS=OFF",
    "-DSUNDIALS_LOGGING_LEVEL=0",
];

/// What the program is linked with; the last has another name before version 7.
const LIBRARIES: [&str; 7] = [
    "-lsundials_cvode",
    "-lsundials_nvecserial",
    "-lsundials_sunmatrixdense",
    "-lsundials_sunmatrixband",
    "-lsundials_sunlinsoldense",
    "-lsundials_sunlinsolband",
    "-lsundials_sunnonlinsolfixedpoint",
];

/// Compiles the program with SUNDIALS made for this machine, below `target`; gives its path or says what is missing.
pub fn made(root: &Path) -> Result<&'static str, String> {
    let program = "target/cvode";
    library(root)
        .and_then(|folder| compile(root, Some(&folder), program))
        .map(|()| program)
        .map_err(|why| format!("CVODE made for this machine left out ({why}): needs a C compiler and CMake (`apt-get install gcc cmake`)"))
}

/// Compiles the program with SUNDIALS as the system has it.
pub fn packaged(root: &Path) -> Result<&'static str, String> {
    let program = "target/cvode_packaged";
    compile(root, None, program).map(|()| program).map_err(|why| {
        format!("CVODE as packaged left out ({why}): needs a C compiler and SUNDIALS with its headers (`apt-get install gcc libsundials-dev`)")
    })
}

/// SUNDIALS compiled for this machine, below `target`; made on the first run.
fn library(root: &Path) -> Result<PathBuf, String> {
    let home = root.join("target/sundials");
    let installed = home.join("installed");
    if installed.join("lib/libsundials_cvode.a").exists() {
        return Ok(installed);
    }
    succeeds(Command::new("cmake").arg("--version"))?;
    let sources = sources(&home)?;
    let build = home.join("build");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(sources).arg("-B").arg(&build).args(SETTINGS);
    configure.arg(format!("-DCMAKE_INSTALL_PREFIX={}", installed.display()));
    succeeds(&mut configure)?;
    succeeds(Command::new("cmake").arg("--build").arg(&build).args([
        "--target",
        "install",
        "--parallel",
        "2",
    ]))?;
    Ok(installed)
}

/// Fetches the sources of SUNDIALS: a package that does nothing asks for the one that carries them.
fn sources(home: &Path) -> Result<PathBuf, String> {
    let folder = home.join("fetch");
    let manifest = folder.join("Cargo.toml");
    let text = format!(
        "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{CARRIER} = \"={CARRIER_VERSION}\"\n\n[workspace]\n"
    );
    let written = fs::create_dir_all(folder.join("src"))
        .and_then(|()| fs::write(folder.join("src/lib.rs"), ""))
        .and_then(|()| fs::write(&manifest, text));
    written.map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--manifest-path"]).arg(&manifest);
    let output = succeeds(&mut command)?;
    let listing = String::from_utf8_lossy(&output.stdout).into_owned();
    let end = format!("{CARRIER}-{CARRIER_VERSION}/Cargo.toml");
    let mut manifests = listing.split("\"manifest_path\":\"").filter_map(|rest| rest.split('"').next());
    let carrier = manifests.find(|path| path.ends_with(&end)).and_then(|path| Path::new(path).parent());
    carrier.map(|folder| folder.join("vendor")).ok_or_else(|| format!("{CARRIER} is not listed"))
}

/// Compiles the program against SUNDIALS in a folder, or else the system's.
fn compile(root: &Path, folder: Option<&Path>, program: &str) -> Result<(), String> {
    let with_core = |core: &str| {
        let mut command = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_owned()));
        command
            .args(["-std=gnu11", "-O3", "-march=native", "benches/cvode.c", "-o", program])
            .current_dir(root);
        if let Some(folder) = folder {
            command.arg("-I").arg(folder.join("include")).arg("-L").arg(folder.join("lib"));
        }
        succeeds(command.args(LIBRARIES).args([core, "-lm"])).map(|_| ())
    };
    with_core("-lsundials_core").or_else(|_| with_core("-lsundials_generic"))
}

/// Runs silently; on failure says which program and its last words.
fn succeeds(command: &mut Command) -> Result<Output, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name}: {error}"))?;
    if output.status.success() {
        return Ok(output);
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(format!("{name}: {}", text.trim().lines().last().unwrap_or("failed")))
}
