use super::{law_named, laws_of_file};
use crate::failure::Failure;
use crate::reply::Reply;
use bristle::Scenario;
use bristle::export::{self, CFiles};
use std::path::{Path, PathBuf};

/// Write a friction law or the mechanism of a scenario as C99 or as FMU, for embedded use and other simulators.
#[derive(Debug, clap::Args)]
pub struct Export {
    /// The language.
    #[arg(value_enum)]
    language: Language,
    /// A law, such as `lugre`, or a scenario file; its own laws are printed as well.
    what: String,
    /// Version of the standard of an FMU: 2 for FMI 2.0, as unless given, 3 for FMI 3.0.
    #[cfg(feature = "fmu")]
    #[arg(long, value_name = "VERSION", value_parser = clap::value_parser!(u8).range(2..=3))]
    fmi: Option<u8>,
    /// Folder for the files, or the FMU itself; the present folder unless given.
    #[arg(long, value_name = "PATH", default_value = ".")]
    out: PathBuf,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Language {
    /// C99.
    C,
    /// FMU of FMI 2.0 or 3.0, Model Exchange and Co-Simulation in one file.
    #[cfg(feature = "fmu")]
    Fmu,
}

/// How our files begin; only such a file is replaced.
const MARK: &str = "/* Printed by bristle; changes are lost when it is printed again. */\n";

impl Export {
    pub fn obey(self) -> Result<Reply, Failure> {
        match self.language {
            Language::C => self.write_c(),
            #[cfg(feature = "fmu")]
            Language::Fmu => self.write_fmu(),
        }
    }

    #[cfg(feature = "fmu")]
    fn write_fmu(self) -> Result<Reply, Failure> {
        use bristle_fmu::{FmiVersion, Runtimes};
        let version = if self.fmi == Some(3) { FmiVersion::Three } else { FmiVersion::Two };
        if !self.what.ends_with(".toml") {
            let name = law_named(&self.what)?.card().name;
            let to = fmu_path(self.out, name);
            let runtimes = Runtimes::beside_program().map_err(of_fmu)?;
            bristle_fmu::write_law(name, version, &runtimes, &to).map_err(of_fmu)?;
            return Ok(Reply::new(written(&to, &runtimes)));
        }
        let path = Path::new(&self.what);
        let scenario = Scenario::from_file(path)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let to = fmu_path(self.out, &stem);
        let runtimes = Runtimes::beside_program().map_err(of_fmu)?;
        bristle_fmu::write(&scenario, version, &runtimes, &to).map_err(of_fmu)?;
        let inputs = scenario.live().map_err(Failure::of_run)?.inputs().len();
        let mut reply = written(&to, &runtimes);
        if inputs == 0 {
            reply += "it has no inputs: a signal of kind `input` makes one\n";
        }
        Ok(Reply::new(reply))
    }

    fn write_c(self) -> Result<Reply, Failure> {
        #[cfg(feature = "fmu")]
        if let Some(version) = self.fmi {
            let missing = format!("`--fmi {version}` is said of FMUs, and C was asked for");
            let hint = "leave it out, or write `bristle export fmu …`".to_owned();
            return Err(Failure::Missing { missing, hint });
        }
        let mut all = Vec::new();
        if self.what.ends_with(".toml") {
            let path = Path::new(&self.what);
            let scenario = Scenario::from_file(path)?;
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            all.push(export::scenario(&scenario, &stem).map_err(Failure::of_run)?);
            if !scenario.laws.is_empty() {
                for law in laws_of_file(&self.what)?.unwrap_or_default() {
                    all.push(export::law(law).map_err(Failure::of_run)?);
                }
            }
        } else {
            all.push(export::law(law_named(&self.what)?).map_err(Failure::of_run)?);
        }
        let files: Vec<(PathBuf, String)> = all.iter().flat_map(|one| named(&self.out, one)).collect();
        std::fs::create_dir_all(&self.out).map_err(|e| Failure::unwritable(&self.out, &e))?;
        // All are looked at before one is written.
        for (path, _) in &files {
            match std::fs::read_to_string(path) {
                Ok(text) if text.starts_with(MARK) => {}
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                _ => return Err(Failure::Exists { path: path.clone() }),
            }
        }
        let mut reply = String::new();
        for (path, text) in &files {
            let part = path.with_extension("part");
            let write = std::fs::write(&part, text).and_then(|()| std::fs::rename(&part, path));
            write.map_err(|e| Failure::unwritable(path, &e))?;
            reply += &format!("wrote {}\n", path.display());
        }
        reply += "compile with: cc -std=c99 -ffp-contract=off -c\n";
        Ok(Reply::new(reply))
    }
}

/// Where an FMU goes: a file of that name, or one in that folder.
#[cfg(feature = "fmu")]
fn fmu_path(out: PathBuf, name: &str) -> PathBuf {
    if out.extension().is_some_and(|end| end == "fmu") { out } else { out.join(format!("{name}.fmu")) }
}

/// What was written, and where it runs.
#[cfg(feature = "fmu")]
fn written(to: &Path, runtimes: &bristle_fmu::Runtimes) -> String {
    format!("wrote {} for {}\n", to.display(), runtimes.platforms().join(" and "))
}

fn named(folder: &Path, files: &CFiles) -> [(PathBuf, String); 2] {
    [("h", &files.header), ("c", &files.source)]
        .map(|(end, text)| (folder.join(format!("{}.{end}", files.name)), format!("{MARK}{text}")))
}

#[cfg(feature = "fmu")]
fn of_fmu(error: bristle_fmu::FmuError) -> Failure {
    use bristle_fmu::FmuError;
    match error {
        FmuError::Run(error) => Failure::of_run(error),
        FmuError::Files(error) => {
            Failure::Scenario(error.hint("write the values into the scenario, for example as a polyline"))
        }
        FmuError::Foreign { path } => Failure::Exists { path },
        FmuError::Unwritable { path, reason } => Failure::Unwritable { path, reason },
        other => {
            let hint = "build it with `cargo build --release -p bristle-fmu`, or say where it is by BRISTLE_FMU_RUNTIME".to_owned();
            Failure::Missing { missing: other.to_string(), hint }
        }
    }
}
