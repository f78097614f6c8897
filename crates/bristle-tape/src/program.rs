//! Straight-line code.

use crate::batch::Batch;
use crate::branches::{Item, branched};
use crate::graph::{Graph, Node, Reach, Term};
use crate::instruction::{Instruction, Numbers, Threaded, execute, execute_in, execute_threaded};
#[cfg(feature = "jit")]
use crate::machine::{MachineCode, MachineSlot};
use crate::places::Places;
use crate::schedule::chains;
use crate::{block::LaneBlock, c};
use bristle_core::{Lanes, Scalar};

/// The most numbers a program can hold at a time, and the most that a byte can name.
pub(crate) const MOST: usize = 1 << 16;
const FEW: usize = 1 << 8;

/// Why terms cannot become a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProgramError {
    /// More numbers at a time than a program can hold.
    #[error(
        "the terms need {needed} numbers at a time, a program holds {most}: evaluate the equations as they are"
    )]
    TooLarge {
        /// Numbers alive at the same time.
        needed: usize,
        /// The most a program can hold.
        most: usize,
    },
}

/// The values of some terms as straight-line code, for one state or for several at once.
///
/// What depends on parameters alone is evaluated when they are set, the rest with every run. Results have the bits that the
/// equations give in plain numbers; lanes differ from them by the last digits of their own `exp`, `ln` and `tanh`.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) graph: Graph,
    pub(crate) roots: Vec<Node>,
    pub(crate) variables: usize,
    pub(crate) parameters: usize,
    constants: Vec<f64>,
    first_parameter: usize,
    first_variable: usize,
    places: usize,
    outputs: Vec<u32>,
    /// What a change of parameters takes, and what a run does.
    wide: [Vec<Instruction<u16>>; 2],
    /// The same with places of one byte, where those are enough.
    narrow: Option<[Vec<Threaded>; 2]>,
    /// The same in groups, where these are large.
    batch: Option<Box<Batch>>,
    /// The same as machine code, once that is worth it.
    #[cfg(feature = "jit")]
    machine: MachineSlot,
}

/// The numbers of a program while it runs, with the parameters it runs for.
#[derive(Clone, Debug)]
pub struct Room(pub(crate) RoomKind);

/// The numbers of a program that runs in another number than plain ones.
#[derive(Clone, Debug)]
pub struct RoomIn<S> {
    numbers: Vec<S>,
}

#[derive(Clone, Debug)]
pub(crate) enum RoomKind {
    Few(Box<Numbers>),
    Many(Box<[f64; MOST]>),
    Batch(Vec<f64>),
}

impl Program {
    /// Code for the values of `roots`.
    pub(crate) fn new(
        graph: &Graph,
        roots: &[Node],
        variables: usize,
        parameters: usize,
    ) -> Result<Program, ProgramError> {
        let (graph, roots) = graph.values_of(roots);
        let [head, body] = chains(&graph, &roots);
        let batch = Batch::new(&graph, &roots, variables, parameters).map(Box::new);
        // The head is seldom run, and not all of its readers are in it.
        let body = match &batch {
            None => branched(&graph, &roots, &body),
            Some(_) => body.into_iter().map(Item::Do).collect(),
        };
        let stages = [head.into_iter().map(Item::Do).collect(), body];
        let places = Places::assign(&graph, &roots, &stages, variables, parameters)?;
        let wide = stages.map(|stage| places.instructions(&stage));
        let narrow = match [&wide[0], &wide[1]]
            .map(|stage| stage.iter().map(|i| i.narrow().map(Threaded::new)).collect())
        {
            [Some(head), Some(body)] => Some([head, body]),
            _ => None,
        };
        let outputs = roots.iter().map(|root| u32::from(places.of(*root))).collect();
        Ok(Program {
            constants: places.constants,
            first_parameter: places.first_parameter,
            first_variable: places.first_variable,
            places: places.count,
            outputs,
            wide,
            narrow,
            batch,
            #[cfg(feature = "jit")]
            machine: MachineSlot::default(),
            graph,
            roots,
            variables,
            parameters,
        })
    }

    /// How many numbers it gives.
    pub fn outputs(&self) -> usize {
        self.outputs.len()
    }

    /// How many variables it takes.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// How many parameters it takes.
    pub fn parameters(&self) -> usize {
        self.parameters
    }

    /// How many instructions a run takes, and how many more a change of parameters.
    pub fn instructions(&self) -> [usize; 2] {
        [self.wide[1].len(), self.wide[0].len()]
    }

    /// How many numbers it holds at a time.
    pub fn places(&self) -> usize {
        self.places
    }

    /// Whether any result depends on a variable.
    pub fn uses_variables(&self) -> bool {
        self.roots.iter().any(|root| self.graph.reach(*root) == Reach::Variables)
    }

    /// Room for runs with these parameters.
    pub fn room(&self, parameters: &[f64]) -> Room {
        if let Some(batch) = &self.batch {
            let mut numbers = vec![0.0; batch.places];
            numbers[..batch.constants.len()].copy_from_slice(&batch.constants);
            let mut room = Room(RoomKind::Batch(numbers));
            self.set_parameters(&mut room, parameters);
            return room;
        }
        let mut room = Room(if self.narrow.is_some() {
            RoomKind::Few(Box::new([0.0; FEW]))
        } else {
            // Made on the heap at once: it would not fit on the stack of a thread.
            let numbers: Result<Box<[f64; MOST]>, _> = vec![0.0; MOST].into_boxed_slice().try_into();
            RoomKind::Many(numbers.unwrap_or_else(|_| Box::new([0.0; MOST])))
        });
        room.numbers()[..self.constants.len()].copy_from_slice(&self.constants);
        self.set_parameters(&mut room, parameters);
        room
    }

    /// Sets other parameters.
    pub fn set_parameters(&self, room: &mut Room, parameters: &[f64]) {
        assert_eq!(parameters.len(), self.parameters, "a program takes as many parameters as its recording");
        let first = self.batch.as_ref().map_or(self.first_parameter, |batch| batch.first_parameter);
        room.numbers()[first..first + self.parameters].copy_from_slice(parameters);
        self.stage(room, 0);
    }

    /// Evaluates the results at these variables. Allocates nothing.
    #[inline]
    pub fn run(&self, room: &mut Room, variables: &[f64], out: &mut [f64]) {
        assert_eq!(variables.len(), self.variables, "a program takes as many variables as its recording");
        self.set(room, 0, variables);
        self.run_again(room, out);
    }

    /// Sets some of the variables, from `first` on; the others stay as they are.
    #[inline]
    pub fn set(&self, room: &mut Room, first: usize, variables: &[f64]) {
        self.bind(room).set(first, variables);
    }

    /// Evaluates the results at the variables that were set last. Allocates nothing.
    #[inline]
    pub fn run_again(&self, room: &mut Room, out: &mut [f64]) {
        self.bind(room).run(out);
    }

    /// The program in its room, for many runs in a row.
    #[inline]
    pub fn bind<'a>(&'a self, room: &'a mut Room) -> Bound<'a> {
        #[cfg(feature = "jit")]
        if self.batch.is_none()
            && let Some(code) = self.machine.earned(&self.wide[1], &self.outputs)
        {
            return self.bound(BoundNumbers::Machine(room.numbers(), code));
        }
        self.bound(match (&mut room.0, &self.narrow) {
            (RoomKind::Few(numbers), Some(narrow)) => BoundNumbers::Few(numbers, &narrow[1]),
            (RoomKind::Many(numbers), _) => BoundNumbers::Many(numbers, &self.wide[1]),
            (RoomKind::Batch(numbers), _) => return self.bind_batch(numbers),
            (RoomKind::Few(_), None) => BoundNumbers::None,
        })
    }

    #[inline]
    fn bound<'a>(&'a self, numbers: BoundNumbers<'a>) -> Bound<'a> {
        Bound {
            first: self.first_variable,
            variables: self.variables,
            outputs: &self.outputs,
            numbers,
            #[cfg(feature = "jit")]
            machine: &self.machine,
        }
    }

    /// Makes machine code now, whether it has been earned or not; false where there can be none.
    #[cfg(feature = "jit")]
    pub fn compile(&self) -> bool {
        self.batch.is_none() && self.machine.made(&self.wide[1], &self.outputs).is_some()
    }

    /// Whether there is machine code.
    #[cfg(feature = "jit")]
    pub fn is_compiled(&self) -> bool {
        self.machine.is_made()
    }

    fn bind_batch<'a>(&'a self, numbers: &'a mut [f64]) -> Bound<'a> {
        match self.batch.as_deref() {
            Some(batch) => Bound {
                first: batch.first_variable,
                outputs: &batch.outputs,
                ..self.bound(BoundNumbers::Batch(numbers, batch))
            },
            None => self.bound(BoundNumbers::None),
        }
    }

    fn stage(&self, room: &mut Room, stage: usize) {
        if let (RoomKind::Batch(numbers), Some(batch)) = (&mut room.0, &self.batch) {
            return batch.run(stage, numbers);
        }
        match (&mut room.0, &self.narrow) {
            (RoomKind::Few(numbers), Some(narrow)) => execute_threaded(&narrow[stage], numbers),
            (RoomKind::Many(numbers), _) => execute(&self.wide[stage], numbers),
            _ => {}
        }
    }

    /// Room for runs in another number, such as bounds, with these parameters.
    pub fn room_in<S: Scalar>(&self, parameters: &[f64]) -> RoomIn<S> {
        assert_eq!(parameters.len(), self.parameters, "a program takes as many parameters as its recording");
        let mut numbers = vec![S::zero(); self.places];
        let known = self.constants.iter().chain(parameters);
        numbers.iter_mut().zip(known).for_each(|(slot, value)| *slot = S::from(*value));
        execute_in(&self.wide[0], &mut numbers);
        RoomIn { numbers }
    }

    /// Evaluates the results in another number. Allocates nothing.
    pub fn run_in<S: Scalar>(&self, room: &mut RoomIn<S>, variables: &[S], out: &mut [S]) {
        assert_eq!(variables.len(), self.variables, "a program takes as many variables as its recording");
        assert_eq!(out.len(), self.outputs.len(), "a program gives as many results as it has terms");
        let first = self.first_variable;
        room.numbers[first..first + variables.len()].copy_from_slice(variables);
        execute_in(&self.wide[1], &mut room.numbers);
        for (out, place) in out.iter_mut().zip(&self.outputs) {
            *out = room.numbers[*place as usize];
        }
    }

    /// A block of lanes, each with parameters of its own.
    pub fn block<const N: usize>(&self) -> LaneBlock<N> {
        LaneBlock::new(self.places, &self.constants)
    }

    /// Sets the parameters of a block.
    pub fn set_block_parameters<const N: usize>(&self, block: &mut LaneBlock<N>, parameters: &[Lanes<N>]) {
        assert_eq!(parameters.len(), self.parameters, "a program takes as many parameters as its recording");
        block.set(self.first_parameter, parameters);
        block.run(&self.wide[0]);
    }

    /// Sets the parameters of a lane, for lanes that change one by one.
    pub fn set_lane_parameters<const N: usize>(
        &self,
        block: &mut LaneBlock<N>,
        lane: usize,
        parameters: &[f64],
    ) {
        assert_eq!(parameters.len(), self.parameters, "a program takes as many parameters as its recording");
        block.set_lane(self.first_parameter, lane, parameters);
    }

    /// Evaluates what depends on parameters alone for a lane and those that lie in the same vectors.
    pub fn refresh_block_beside<const N: usize>(&self, block: &mut LaneBlock<N>, lane: usize) {
        block.run_beside(&self.wide[0], lane);
    }

    /// Evaluates the results for a lane and those that lie in the same vectors; all others stay as they are.
    pub fn run_block_beside<const N: usize>(&self, block: &mut LaneBlock<N>, lane: usize) {
        block.run_beside(&self.wide[1], lane);
    }

    /// Sets some of the variables of a block, from `first` on; the others stay as they are.
    #[inline]
    pub fn set_block<const N: usize>(&self, block: &mut LaneBlock<N>, first: usize, variables: &[Lanes<N>]) {
        assert!(first + variables.len() <= self.variables, "a program takes the variables of its recording");
        block.set(self.first_variable + first, variables);
    }

    /// Evaluates the results in all lanes at the variables that were set last. Allocates nothing.
    #[inline]
    pub fn run_block<const N: usize>(&self, block: &mut LaneBlock<N>) {
        block.run(&self.wide[1]);
    }

    /// A result in all lanes.
    #[inline]
    pub fn block_result<'b, const N: usize>(&self, block: &'b LaneBlock<N>, index: usize) -> &'b Lanes<N> {
        block.get(self.outputs[index] as usize)
    }

    /// The program as a function in C99: `void name(const double *x, const double *p, double *y)`.
    ///
    /// Compiled without contraction (`-ffp-contract=off`) it gives the same bits, given the same mathematical library.
    pub fn c_text(&self, name: &str) -> String {
        c::function(self, name)
    }

    /// The same without what it needs, for a file with several programs.
    pub fn c_function(&self, name: &str) -> String {
        c::body(self, name)
    }

    /// What these programs need beside `math.h`, for a file with several of them.
    pub fn c_helpers(programs: &[&Program]) -> String {
        c::helpers(programs)
    }
}

impl Room {
    #[inline]
    fn numbers(&mut self) -> &mut [f64] {
        match &mut self.0 {
            RoomKind::Few(numbers) => &mut **numbers,
            RoomKind::Many(numbers) => &mut **numbers,
            RoomKind::Batch(numbers) => numbers,
        }
    }
}

/// A program in its room.
pub struct Bound<'a> {
    first: usize,
    variables: usize,
    outputs: &'a [u32],
    numbers: BoundNumbers<'a>,
    #[cfg(feature = "jit")]
    machine: &'a MachineSlot,
}

enum BoundNumbers<'a> {
    Few(&'a mut Numbers, &'a [Threaded]),
    Many(&'a mut [f64; MOST], &'a [Instruction<u16>]),
    Batch(&'a mut [f64], &'a Batch),
    #[cfg(feature = "jit")]
    Machine(&'a mut [f64], &'a MachineCode),
    /// A room of another program.
    None,
}

impl Bound<'_> {
    /// Sets some of the variables, from `first` on; the others stay as they are.
    #[inline(always)]
    pub fn set(&mut self, first: usize, variables: &[f64]) {
        let (first, end) = (self.first + first, self.first + self.variables);
        let numbers: &mut [f64] = match &mut self.numbers {
            BoundNumbers::Few(numbers, _) => &mut numbers[..],
            BoundNumbers::Many(numbers, _) => &mut numbers[..],
            BoundNumbers::Batch(numbers, _) => numbers,
            #[cfg(feature = "jit")]
            BoundNumbers::Machine(numbers, _) => numbers,
            BoundNumbers::None => return,
        };
        copy(variables, &mut numbers[..end][first..first + variables.len()]);
    }

    /// Evaluates the results at the variables that were set last. Allocates nothing.
    #[inline(always)]
    pub fn run(&mut self, out: &mut [f64]) {
        assert_eq!(out.len(), self.outputs.len(), "a program gives as many results as it has terms");
        self.run_for::<0>(out);
    }

    /// The same for those who [read](Bound::result) the results one by one.
    #[inline(always)]
    pub fn evaluate(&mut self) {
        match &mut self.numbers {
            BoundNumbers::Few(numbers, code) => {
                #[cfg(feature = "jit")]
                self.machine.count();
                execute_threaded(code, numbers);
            }
            BoundNumbers::Many(numbers, code) => {
                #[cfg(feature = "jit")]
                self.machine.count();
                execute(code, numbers);
            }
            BoundNumbers::Batch(numbers, batch) => batch.run(1, numbers),
            #[cfg(feature = "jit")]
            BoundNumbers::Machine(numbers, code) => code.run(numbers),
            BoundNumbers::None => {}
        }
    }

    /// How many results there are.
    #[inline(always)]
    pub fn results(&self) -> usize {
        self.outputs.len()
    }

    /// Result `i` of the last run.
    #[inline(always)]
    pub fn result(&self, i: usize) -> f64 {
        let place = self.outputs[i] as usize;
        match &self.numbers {
            BoundNumbers::Few(numbers, _) => numbers[place % FEW],
            BoundNumbers::Many(numbers, _) => numbers[place],
            BoundNumbers::Batch(numbers, _) => numbers[place],
            #[cfg(feature = "jit")]
            BoundNumbers::Machine(numbers, _) => numbers[place],
            BoundNumbers::None => f64::NAN,
        }
    }

    /// The first `N` results at the time `t` and the `N` variables behind it; `rest` takes the other results.
    #[inline(always)]
    pub fn run_at<const N: usize>(&mut self, t: f64, x: &[f64; N], rest: &mut [f64]) -> [f64; N] {
        let is_whole = N < self.variables && N + rest.len() <= self.outputs.len();
        // One decision on where the numbers are, instead of one for each of them.
        if let (BoundNumbers::Few(numbers, code), true) = (&mut self.numbers, is_whole) {
            #[cfg(feature = "jit")]
            self.machine.count();
            numbers[self.first % FEW] = t;
            for i in 0..N {
                numbers[(self.first + 1 + i) % FEW] = x[i];
            }
            execute_threaded(code, numbers);
            let mut first = [0.0; N];
            for i in 0..N {
                first[i] = numbers[self.outputs[i] as usize % FEW];
            }
            for i in 0..rest.len() {
                rest[i] = numbers[self.outputs[N + i] as usize % FEW];
            }
            return first;
        }
        self.set(0, &[t]);
        self.set(1, x);
        self.run_for(rest)
    }

    /// The same with the first `N` results by themselves; `rest` takes the others.
    #[inline(always)]
    fn run_for<const N: usize>(&mut self, rest: &mut [f64]) -> [f64; N] {
        self.evaluate();
        for (i, out) in rest.iter_mut().enumerate() {
            *out = self.result(N + i);
        }
        let mut first = [0.0; N];
        for i in 0..N {
            first[i] = self.result(i);
        }
        first
    }
}

/// Whether a term is a number or an input.
pub(crate) fn is_leaf(term: Term) -> bool {
    matches!(term, Term::Constant(_) | Term::Variable(_) | Term::Parameter(_) | Term::Truth(_))
}

/// Copies a few numbers without a call.
#[inline(always)]
fn copy(from: &[f64], to: &mut [f64]) {
    macro_rules! of_length {
        ($($n:literal)*) => {
            match from.len() {
                $($n => {
                    if let (Some(from), Some(to)) = (from.first_chunk::<$n>(), to.first_chunk_mut::<$n>()) {
                        *to = *from;
                    }
                })*
                _ => to.copy_from_slice(from),
            }
        };
    }
    of_length!(1 2 3 4 5 6 7 8);
}
