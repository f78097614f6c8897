//! Where the page and the module exchange bytes. The page asks for room, writes its question there, asks, and reads the answer; it never
//! calls from two threads, since a worker has one.

use crate::session::Session;
use crate::{LabAnswer, answer};
use std::cell::RefCell;

/// What stays between two calls.
#[derive(Default)]
struct Desk {
    question: Vec<u8>,
    words: Vec<u8>,
    numbers: Vec<f64>,
    complaint: Vec<u8>,
    session: Option<Session>,
}

thread_local! {
    static DESK: RefCell<Desk> = RefCell::default();
}

/// Room for a question of so many bytes; valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    // What cannot go on says why before it ends.
    std::panic::set_hook(Box::new(|panic| {
        let words = panic.to_string().into_bytes();
        DESK.with(|desk| {
            if let Ok(mut desk) = desk.try_borrow_mut() {
                desk.complaint = words;
            }
        });
    }));
    DESK.with_borrow_mut(|desk| {
        desk.question = vec![0; length];
        desk.question.as_mut_ptr()
    })
}

/// Answers the question that was written.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    let (question, mut session) =
        DESK.with_borrow_mut(|desk| (std::mem::take(&mut desk.question), desk.session.take()));
    let LabAnswer { words, numbers } = answer(&String::from_utf8_lossy(&question), &mut session);
    DESK.with_borrow_mut(|desk| {
        desk.words = words.to_string().into_bytes();
        (desk.numbers, desk.session) = (numbers, session);
    });
}

/// Where the words of the answer are.
#[unsafe(no_mangle)]
pub extern "C" fn words() -> *const u8 {
    DESK.with_borrow(|desk| desk.words.as_ptr())
}

/// How many bytes they are.
#[unsafe(no_mangle)]
pub extern "C" fn words_length() -> usize {
    DESK.with_borrow(|desk| desk.words.len())
}

/// Where the numbers of the answer are.
#[unsafe(no_mangle)]
pub extern "C" fn numbers() -> *const f64 {
    DESK.with_borrow(|desk| desk.numbers.as_ptr())
}

/// How many there are.
#[unsafe(no_mangle)]
pub extern "C" fn numbers_length() -> usize {
    DESK.with_borrow(|desk| desk.numbers.len())
}

/// Where the last words are of a call that did not come back.
#[unsafe(no_mangle)]
pub extern "C" fn complaint() -> *const u8 {
    DESK.with_borrow(|desk| desk.complaint.as_ptr())
}

/// How many bytes they are.
#[unsafe(no_mangle)]
pub extern "C" fn complaint_length() -> usize {
    DESK.with_borrow(|desk| desk.complaint.len())
}
