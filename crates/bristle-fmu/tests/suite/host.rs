//! A small importer.

use bristle::Scenario;
use bristle_fmu::model::{FmuModel, ScenarioModel};
use libloading::{Library, Symbol};
use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// A block on a belt whose speed is an input, a push on the block that is one too.
pub const BELT: &str = r#"
title = "A block on a belt"
[parts.block]
kind = "mass"
mass = "1 kg"
[parts.belt]
kind = "drive"
velocity = { kind = "input", value = "0.1 m/s" }
[parts.tie]
kind = "spring"
between = ["block", "ground"]
k = "10 N/m"
[parts.pad]
kind = "contact"
between = ["block", "belt"]
load = "10 N"
law = { kind = "coulomb", mu_s = 0.5, mu_d = 0.4 }
[parts.push]
kind = "force"
on = "block"
value = { kind = "input" }
[solver]
rtol = 1e-9
[studies.run]
kind = "simulate"
duration = "20 s"
"#;

pub fn scenario(text: &str) -> Scenario {
    Scenario::from_text(text, "scenario.toml", ".".as_ref()).unwrap()
}

/// The shared library that was built with this test.
pub fn library() -> PathBuf {
    let here = std::env::current_exe().unwrap();
    let path = here.parent().unwrap().join("libbristle_fmu.so");
    assert!(path.is_file(), "no {}", path.display());
    path
}

/// What importers were told.
static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());

extern "C" fn note(_: *mut c_void, _: *const c_char, _: c_int, _: *const c_char, text: *const c_char) {
    LOG.lock().unwrap().push(unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned());
}

pub fn log() -> String {
    LOG.lock().unwrap().join("\n")
}

#[repr(C)]
struct Callbacks {
    logger: extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char),
    rest: [*const c_void; 4],
}

#[repr(C)]
#[derive(Default)]
pub struct EventInfo {
    pub flags: [c_int; 5],
    pub next: f64,
}

/// A scenario inside the shared library.
pub struct Host {
    library: Library,
    pub component: *mut c_void,
    _folder: tempfile::TempDir,
    _callbacks: Box<Callbacks>,
}

pub const MODEL_EXCHANGE: c_int = 0;
pub const CO_SIMULATION: c_int = 1;

type Component = *mut c_void;

impl Host {
    pub fn new(text: &str, kind: c_int) -> Host {
        Host::with_guid(text, kind, &bristle_fmu::archive::guid(text))
    }

    /// A law alone.
    pub fn law(name: &str, kind: c_int) -> Host {
        Host::of("law.txt", name, kind, &bristle_fmu::archive::guid(name))
    }

    pub fn with_guid(text: &str, kind: c_int, guid: &str) -> Host {
        Host::of("scenario.toml", text, kind, guid)
    }

    fn of(file: &str, text: &str, kind: c_int, guid: &str) -> Host {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(file), text).unwrap();
        let library = unsafe { Library::new(library()) }.unwrap();
        let callbacks = Box::new(Callbacks { logger: note, rest: [std::ptr::null(); 4] });
        let uri = CString::new(format!("file://{}", folder.path().display())).unwrap();
        let guid = CString::new(guid).unwrap();
        type Make = unsafe extern "C" fn(
            *const c_char,
            c_int,
            *const c_char,
            *const c_char,
            *const Callbacks,
            c_int,
            c_int,
        ) -> Component;
        let component = unsafe {
            let make: Symbol<Make> = library.get(b"fmi2Instantiate").unwrap();
            make(c"model".as_ptr(), kind, guid.as_ptr(), uri.as_ptr(), &*callbacks, 0, 0)
        };
        Host { library, component, _folder: folder, _callbacks: callbacks }
    }

    pub fn call(&self, name: &str) -> c_int {
        type Plain = unsafe extern "C" fn(Component) -> c_int;
        unsafe { (self.library.get::<Plain>(name.as_bytes()).unwrap())(self.component) }
    }

    pub fn begin(&self) {
        assert_eq!(self.call("fmi2EnterInitializationMode"), 0);
        assert_eq!(self.call("fmi2ExitInitializationMode"), 0, "{}", log());
    }

    pub fn get(&self, reference: u32) -> f64 {
        type Get = unsafe extern "C" fn(Component, *const c_uint, usize, *mut f64) -> c_int;
        let mut value = f64::NAN;
        let status = unsafe {
            (self.library.get::<Get>(b"fmi2GetReal").unwrap())(self.component, &reference, 1, &mut value)
        };
        assert_eq!(status, 0, "{}", log());
        value
    }

    pub fn set(&self, reference: u32, value: f64) -> c_int {
        type Set = unsafe extern "C" fn(Component, *const c_uint, usize, *const f64) -> c_int;
        unsafe { (self.library.get::<Set>(b"fmi2SetReal").unwrap())(self.component, &reference, 1, &value) }
    }

    /// Lets an input change evenly.
    pub fn slope(&self, reference: u32, slope: f64) -> c_int {
        type Set = unsafe extern "C" fn(Component, *const c_uint, usize, *const c_int, *const f64) -> c_int;
        let set = unsafe { self.library.get::<Set>(b"fmi2SetRealInputDerivatives") }.unwrap();
        unsafe { set(self.component, &reference, 1, &1, &slope) }
    }

    pub fn step(&self, t: f64, h: f64) -> c_int {
        type Step = unsafe extern "C" fn(Component, f64, f64, c_int) -> c_int;
        unsafe { (self.library.get::<Step>(b"fmi2DoStep").unwrap())(self.component, t, h, 1) }
    }

    pub fn set_time(&self, t: f64) {
        type SetTime = unsafe extern "C" fn(Component, f64) -> c_int;
        assert_eq!(unsafe { (self.library.get::<SetTime>(b"fmi2SetTime").unwrap())(self.component, t) }, 0);
    }

    pub fn set_states(&self, x: &[f64]) {
        assert_eq!(self.try_states(x), 0, "{}", log());
    }

    pub fn try_states(&self, x: &[f64]) -> c_int {
        type Set = unsafe extern "C" fn(Component, *const f64, usize) -> c_int;
        unsafe {
            (self.library.get::<Set>(b"fmi2SetContinuousStates").unwrap())(
                self.component,
                x.as_ptr(),
                x.len(),
            )
        }
    }

    pub fn fill(&self, name: &str, out: &mut [f64]) {
        type Fill = unsafe extern "C" fn(Component, *mut f64, usize) -> c_int;
        let fill = unsafe { self.library.get::<Fill>(name.as_bytes()) }.unwrap();
        assert_eq!(unsafe { fill(self.component, out.as_mut_ptr(), out.len()) }, 0, "{}", log());
    }

    pub fn event(&self) -> EventInfo {
        type New = unsafe extern "C" fn(Component, *mut EventInfo) -> c_int;
        assert_eq!(self.call("fmi2EnterEventMode"), 0);
        let mut info = EventInfo::default();
        let new = unsafe { self.library.get::<New>(b"fmi2NewDiscreteStates") }.unwrap();
        assert_eq!(unsafe { new(self.component, &mut info) }, 0, "{}", log());
        info
    }

    /// Tells that a step is complete; whether that asks for an event.
    pub fn completed(&self) -> bool {
        type Completed = unsafe extern "C" fn(Component, c_int, *mut c_int, *mut c_int) -> c_int;
        let (mut enter, mut terminate) = (0, 0);
        let completed = unsafe { self.library.get::<Completed>(b"fmi2CompletedIntegratorStep") }.unwrap();
        assert_eq!(unsafe { completed(self.component, 1, &mut enter, &mut terminate) }, 0, "{}", log());
        enter != 0
    }

    pub fn save(&self) -> *mut c_void {
        type Get = unsafe extern "C" fn(Component, *mut *mut c_void) -> c_int;
        let mut state = std::ptr::null_mut();
        assert_eq!(
            unsafe { (self.library.get::<Get>(b"fmi2GetFMUstate").unwrap())(self.component, &mut state) },
            0
        );
        state
    }

    pub fn restore(&self, state: *mut c_void) -> c_int {
        type Set = unsafe extern "C" fn(Component, *mut c_void) -> c_int;
        unsafe { (self.library.get::<Set>(b"fmi2SetFMUstate").unwrap())(self.component, state) }
    }

    pub fn free(&self, mut state: *mut c_void) {
        type Free = unsafe extern "C" fn(Component, *mut *mut c_void) -> c_int;
        assert_eq!(
            unsafe { (self.library.get::<Free>(b"fmi2FreeFMUstate").unwrap())(self.component, &mut state) },
            0
        );
        assert!(state.is_null());
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        type Free = unsafe extern "C" fn(Component);
        unsafe { (self.library.get::<Free>(b"fmi2FreeInstance").unwrap())(self.component) };
    }
}

/// A scenario as an FMU has it.
pub fn model(text: &str) -> ScenarioModel {
    ScenarioModel::new(scenario(text)).unwrap()
}

/// The reference of a variable of a scenario by its name.
pub fn reference(text: &str, name: &str) -> u32 {
    reference_of(&model(text), name)
}

/// The same of any model.
pub fn reference_of(model: &dyn FmuModel, name: &str) -> u32 {
    let all = bristle_fmu::variables::variables(model);
    let found = all.iter().find(|v| v.name == name);
    found
        .unwrap_or_else(|| panic!("no {name} in {:?}", all.iter().map(|v| &v.name).collect::<Vec<_>>()))
        .role
        .reference()
}

pub fn read(path: &Path, entry: &str) -> Vec<u8> {
    use std::io::Read;
    let mut archive = zip::ZipArchive::new(std::fs::File::open(path).unwrap()).unwrap();
    let mut bytes = Vec::new();
    archive.by_name(entry).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}
