//! What a call answers, and the words for it.

use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::fmt::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a call answers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// Done, and there is none: no limit at rest, no step of fixed length.
    None = 1,
    /// A pointer that must not be null is null.
    Null = 2,
    /// The handle was never made by `bristle_law_init`.
    NotInitialised = 3,
    /// No law, parameter, option, input or output of that name; the words name the nearest.
    UnknownName = 4,
    /// A number that cannot be: not finite, outside its range, a negative load, numbers that do not go together.
    BadValue = 5,
    /// A fault of the library itself; please report it.
    Fault = 6,
    /// A scenario that cannot be read or does not fit together; the words name file and line, what is wrong and a way out.
    BadScenario = 7,
    /// A run that cannot go on from where it is.
    Failed = 8,
}

/// The words for what went wrong last, on this thread; room for some sentences, since errors allocate nothing.
struct Words {
    text: [u8; ROOM],
    used: usize,
}

/// Bytes for words, with the zero at their end.
const ROOM: usize = 2048;

thread_local! {
    static WORDS: RefCell<Words> = const { RefCell::new(Words { text: [0; ROOM], used: 0 }) };
}

impl Write for Words {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // The last byte stays zero, and a letter is never cut in two.
        let room = self.text.len() - 1 - self.used;
        let mut length = text.len().min(room);
        while !text.is_char_boundary(length) {
            length -= 1;
        }
        self.text[self.used..self.used + length].copy_from_slice(&text.as_bytes()[..length]);
        self.used += length;
        Ok(())
    }
}

/// Something that went wrong: the answer, and its words already noted.
pub(crate) type Refusal = Status;

/// Notes the words and gives the answer back.
pub(crate) fn refuse(status: Status, words: fmt::Arguments) -> Refusal {
    WORDS.with_borrow_mut(|noted| {
        noted.text.fill(0);
        noted.used = 0;
        let _ = noted.write_fmt(words);
    });
    status
}

/// Runs the body of a call: nothing unwinds into C.
pub(crate) fn guarded(body: impl FnOnce() -> Result<Status, Refusal>) -> Status {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(status) | Err(status)) => status,
        Err(_) => refuse(Status::Fault, format_args!("a fault of the library itself; please report it")),
    }
}

/// The text behind a pointer of the caller.
///
/// # Safety
/// The pointer is null or points to a text that ends with a zero byte and lives as long as the answer is used.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<&'a str, Refusal> {
    if pointer.is_null() {
        return Err(refuse(Status::Null, format_args!("{what} is a null pointer")));
    }
    // SAFETY: not null, and by the caller's promise a text that ends with a zero byte.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    bytes.to_str().map_err(|_| refuse(Status::UnknownName, format_args!("{what} is not UTF-8")))
}

/// What went wrong in the last call on this thread that did not answer `BRISTLE_STATUS_OK`; valid until the next such call.
#[unsafe(no_mangle)]
pub extern "C" fn bristle_error() -> *const c_char {
    WORDS.with_borrow(|words| words.text.as_ptr().cast())
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn bristle_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
