//! The file: a zip archive with description, scenario and shared libraries.

use crate::description::{Description, FmiVersion, IDENTIFIER};
use crate::instance::indicator_count;
use crate::law::{LawModel, TOLERANCE};
use crate::model::ScenarioModel;
use crate::variables::variables;
use bristle::{RunError, Scenario, ScenarioError};
use sha2::{Digest, Sha256};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// Why no FMU was written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FmuError {
    /// A scenario that cannot be stepped by others.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A scenario that names files.
    #[error("the scenario cannot be packed without the files it names: {0}")]
    Files(ScenarioError),
    /// A law that cannot stand alone.
    #[error("{0}")]
    Law(String),
    /// The shared library is not there.
    #[error("the shared library for FMUs was not found in {looked}")]
    NoRuntime {
        /// Where it was looked for.
        looked: String,
    },
    /// A file that somebody else has made is in the way.
    #[error("{} was not written by bristle", .path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The disk refuses.
    #[error("cannot write {}: {reason}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

/// A platform that FMUs run on.
#[derive(Debug)]
struct Platform {
    /// What both versions of FMI call it.
    names: [&'static str; 2],
    /// What the shared library is called where it is built, and how its file ends.
    library: &'static str,
    end: &'static str,
    is_own: bool,
}

/// All of them, each library with a name of its own, so that they may lie side by side.
const PLATFORMS: [Platform; 3] = [
    Platform {
        names: ["linux64", "x86_64-linux"],
        library: "libbristle_fmu.so",
        end: "so",
        is_own: cfg!(target_os = "linux"),
    },
    Platform {
        names: ["win64", "x86_64-windows"],
        library: "bristle_fmu.dll",
        end: "dll",
        is_own: cfg!(windows),
    },
    Platform {
        names: ["darwin64", "x86_64-darwin"],
        library: "libbristle_fmu.dylib",
        end: "dylib",
        is_own: cfg!(target_os = "macos"),
    },
];

/// The shared libraries that an FMU carries: one for each platform it runs on.
#[derive(Debug)]
pub struct Runtimes(Vec<(&'static Platform, PathBuf)>);

impl Runtimes {
    /// Those that lie beside the program, among its libraries, or where cargo leaves them; that of the program's own platform at least.
    /// The environment variable `BRISTLE_FMU_RUNTIME` names its library, and goes before all other places.
    ///
    /// # Errors
    /// [`FmuError::NoRuntime`].
    pub fn beside_program() -> Result<Runtimes, FmuError> {
        let given = std::env::var_os("BRISTLE_FMU_RUNTIME").map(PathBuf::from);
        let here = std::env::current_exe().ok();
        let here = here.as_deref().and_then(Path::parent);
        let folders = [".", "deps", "../lib/bristle", "../lib", ".."];
        let (mut found, mut missing) = (Vec::new(), String::new());
        for platform in &PLATFORMS {
            let looked: Vec<PathBuf> = match &given {
                Some(path) if platform.is_own => vec![path.clone()],
                _ => here.iter().flat_map(|h| folders.map(|f| h.join(f).join(platform.library))).collect(),
            };
            match looked.iter().find(|path| path.is_file()) {
                Some(path) => found.push((platform, path.clone())),
                None if platform.is_own => {
                    missing = looked.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ");
                }
                None => {}
            }
        }
        if found.iter().any(|(platform, _)| platform.is_own) {
            Ok(Runtimes(found))
        } else {
            Err(FmuError::NoRuntime { looked: missing })
        }
    }

    /// The library of this program's own platform alone.
    pub fn of(library: &Path) -> Runtimes {
        Runtimes(PLATFORMS.iter().filter(|p| p.is_own).map(|p| (p, library.to_owned())).collect())
    }

    /// The platforms, by their names in FMI 2.0.
    pub fn platforms(&self) -> Vec<&'static str> {
        self.0.iter().map(|(platform, _)| platform.names[0]).collect()
    }
}

/// What tells a scenario from every other: the library checks that description and scenario belong together.
pub fn guid(text: &str) -> String {
    let hash = Sha256::digest(format!("{}\n{text}", env!("CARGO_PKG_VERSION")));
    let hex: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{{{}-{}-{}-{}-{}}}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// Where the scenario of an FMU lies among its resources.
pub const SCENARIO: &str = "scenario.toml";

/// Where the name of its law lies, if it is a law alone.
pub const LAW: &str = "law.txt";

/// How long a law is tried by default, s.
const LAW_DURATION: f64 = 1.0;

/// Writes a scenario as an FMU, whole or not at all; a file of somebody else is left alone.
///
/// # Errors
/// [`FmuError`].
pub fn write(
    scenario: &Scenario,
    version: FmiVersion,
    runtimes: &Runtimes,
    to: &Path,
) -> Result<(), FmuError> {
    let unwritable = |reason: String| FmuError::Unwritable { path: to.to_owned(), reason };
    let folder = tempfile::tempdir().map_err(|e| unwritable(e.to_string()))?;
    // What is read from the archive alone must be the same scenario.
    Scenario::from_text(&scenario.text, SCENARIO, folder.path()).map_err(FmuError::Files)?;
    let model = ScenarioModel::new(scenario.clone())?;
    let about = Description {
        title: &scenario.title,
        guid: &guid(&scenario.text),
        variables: &variables(&model),
        indicators: indicator_count(&model),
        stop: duration(scenario),
        tolerance: scenario.solver.rtol,
    };
    write_whole(&about.xml(version), version, (SCENARIO, &scenario.text), runtimes, to)
}

/// Writes a law of the catalogue as an FMU: slip rate and load in, force out.
///
/// # Errors
/// [`FmuError`].
pub fn write_law(name: &str, version: FmiVersion, runtimes: &Runtimes, to: &Path) -> Result<(), FmuError> {
    let model = LawModel::named(name).map_err(FmuError::Law)?;
    let about = Description {
        title: name,
        guid: &guid(name),
        variables: &variables(&model),
        indicators: indicator_count(&model),
        stop: LAW_DURATION,
        tolerance: TOLERANCE,
    };
    write_whole(&about.xml(version), version, (LAW, name), runtimes, to)
}

/// Puts description, resource and shared libraries together.
fn write_whole(
    description: &str,
    version: FmiVersion,
    (resource, text): (&str, &str),
    runtimes: &Runtimes,
    to: &Path,
) -> Result<(), FmuError> {
    let unwritable = |reason: String| FmuError::Unwritable { path: to.to_owned(), reason };
    if to.exists() && !is_ours(to) {
        return Err(FmuError::Foreign { path: to.to_owned() });
    }
    let mut files = vec![
        ("modelDescription.xml".to_owned(), description.as_bytes().to_vec()),
        (format!("resources/{resource}"), text.as_bytes().to_vec()),
    ];
    for (platform, path) in &runtimes.0 {
        let library =
            std::fs::read(path).map_err(|e| unwritable(format!("cannot read {}: {e}", path.display())))?;
        let name = platform.names[usize::from(version == FmiVersion::Three)];
        files.push((format!("binaries/{name}/{IDENTIFIER}.{}", platform.end), library));
    }
    let packed = pack(&files).map_err(|e| unwritable(e.to_string()))?;
    let parent = to.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(parent).map_err(|e| unwritable(e.to_string()))?;
    let mut part = tempfile::NamedTempFile::new_in(parent).map_err(|e| unwritable(e.to_string()))?;
    part.write_all(&packed).map_err(|e| unwritable(e.to_string()))?;
    part.persist(to).map_err(|e| unwritable(e.to_string()))?;
    Ok(())
}

fn pack(files: &[(String, Vec<u8>)]) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        archive.start_file(name.as_str(), SimpleFileOptions::default())?;
        archive.write_all(content)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// Whether a file is an FMU that bristle has written.
fn is_ours(path: &Path) -> bool {
    let Ok(file) = std::fs::File::open(path) else { return false };
    let Ok(mut archive) = ZipArchive::new(file) else { return false };
    let Ok(mut description) = archive.by_name("modelDescription.xml") else { return false };
    let mut text = String::new();
    description.read_to_string(&mut text).is_ok() && text.contains("generationTool=\"bristle ")
}

/// How long the first simulation of the scenario lasts, s; ten seconds where there is none.
fn duration(scenario: &Scenario) -> f64 {
    let duration = |study: &bristle::scenario::Study| {
        let place = study.kind.card().numbers().position(|field| field.name == "duration")?;
        study.spec.numbers.get(place).copied()
    };
    scenario.studies.iter().filter_map(duration).find(|t| t.is_finite() && *t > 0.0).unwrap_or(10.0)
}
