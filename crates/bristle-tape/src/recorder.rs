//! Where symbols write what is done to them: one recorder per thread, while it records.

use crate::graph::{Graph, Node, Reach};
use crate::recording::RecordingError;
use std::cell::{Cell, RefCell};

thread_local! {
    static CURRENT: RefCell<Option<Recorder>> = const { RefCell::new(None) };
    static NEXT: Cell<u32> = const { Cell::new(1) };
}

/// A recording that is going on.
pub(crate) struct Recorder {
    /// Tells its symbols from those of other recordings.
    pub number: u32,
    pub graph: Graph,
    pub variables: Vec<f64>,
    pub parameters: Vec<f64>,
    /// Values of the terms at the point of the recording, as far as somebody has asked for them.
    values: Vec<f64>,
    /// Conditions that were decided, and how.
    pub assumptions: Vec<(Node, bool)>,
    pub fault: Option<RecordingError>,
}

impl Recorder {
    /// Begins a recording at this point.
    pub fn begin(variables: &[f64], parameters: &[f64]) -> Result<u32, RecordingError> {
        CURRENT.with_borrow_mut(|current| {
            if current.is_some() {
                return Err(RecordingError::Nested);
            }
            let number = NEXT.get();
            NEXT.set(number.wrapping_add(1).max(1));
            *current = Some(Recorder {
                number,
                graph: Graph::default(),
                variables: variables.to_vec(),
                parameters: parameters.to_vec(),
                values: Vec::new(),
                assumptions: Vec::new(),
                fault: None,
            });
            Ok(number)
        })
    }

    /// Ends the recording of this thread.
    pub fn end() -> Option<Recorder> {
        CURRENT.with_borrow_mut(Option::take)
    }

    /// Does something with the recorder of this thread; nothing if none records.
    pub fn with<R>(act: impl FnOnce(&mut Recorder) -> R) -> Option<R> {
        CURRENT.with_borrow_mut(|current| current.as_mut().map(act))
    }

    /// Remembers what went wrong first.
    pub fn blame(&mut self, fault: RecordingError) {
        self.fault.get_or_insert(fault);
    }

    /// The value of a term at the point of the recording; truth is one.
    pub fn value(&mut self, node: Node) -> f64 {
        for i in self.values.len()..=node.index() {
            let term = self.graph.term_at(i);
            let value = self.graph.evaluated(term, &self.variables, &self.parameters, &self.values);
            self.values.push(value);
        }
        self.values[node.index()]
    }

    /// Decides a condition by its value at the point of the recording, and notes that as an assumption.
    pub fn decide(&mut self, mask: Node) -> bool {
        if let Some((_, truth)) = self.assumptions.iter().find(|(noted, _)| *noted == mask) {
            return *truth;
        }
        let truth = self.value(mask) != 0.0;
        if self.graph.reach(mask) != Reach::Constant {
            self.assumptions.push((mask, truth));
        }
        truth
    }

    /// How the condition has been decided, if it has.
    pub fn decided(&self, mask: Node) -> Option<bool> {
        self.assumptions.iter().find(|(noted, _)| *noted == mask).map(|(_, truth)| *truth)
    }
}

/// Ends the recording even if the equations panic.
pub(crate) struct Ending;

impl Drop for Ending {
    fn drop(&mut self) {
        Recorder::end();
    }
}
