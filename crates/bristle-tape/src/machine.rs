//! Programs as machine code of this processor, by Cranelift.
//!
//! A program earns it: the interpreter counts its runs, and what has run often is compiled, once for all who share it. The code
//! carries out the instructions of the interpreter in their order, rounds after each, and calls the same functions, so that
//! results keep every bit. Where no code can be made the interpreter goes on.

// Code made while running is called through a pointer.
#![allow(unsafe_code)]

use crate::instruction::{Code, Deed, Instruction, Second};
use crate::operation::{Binary, Unary};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, MemFlags, SigRef, Signature, Value, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// So many runs of a program cost about as much more in the interpreter as its compilation (`examples/speed.rs`).
const EARNED: u32 = 20_000;

/// Longer programs are left to the interpreter: registers are allotted in more than linear time.
const LONGEST: usize = 10_000;

/// Whether machine code is used where it has been earned.
static IS_ALLOWED: AtomicBool = AtomicBool::new(true);

/// Says whether programs may become machine code, and run as such, from now on in all threads: for comparisons with the
/// interpreter.
pub fn allow_machine_code(is_allowed: bool) {
    IS_ALLOWED.store(is_allowed, Ordering::Relaxed);
}

/// The machine code of a program, once there is any, and how often the program has run before.
#[derive(Debug, Default)]
pub(crate) struct MachineSlot {
    runs: AtomicU32,
    code: OnceLock<Option<MachineCode>>,
}

/// A clone is another program, which has not run yet.
impl Clone for MachineSlot {
    fn clone(&self) -> Self {
        MachineSlot::default()
    }
}

impl MachineSlot {
    /// The code, made now if it has been earned.
    #[inline]
    pub fn earned(&self, program: &[Instruction<u16>], outputs: &[u32]) -> Option<&MachineCode> {
        match self.code.get() {
            _ if !IS_ALLOWED.load(Ordering::Relaxed) => None,
            Some(code) => code.as_ref(),
            None if self.runs.load(Ordering::Relaxed) < EARNED => None,
            None => self.made(program, outputs),
        }
    }

    /// The code, made now if there is none.
    #[cold]
    pub fn made(&self, program: &[Instruction<u16>], outputs: &[u32]) -> Option<&MachineCode> {
        let make = || (program.len() <= LONGEST).then(|| MachineCode::new(program, outputs)).flatten();
        self.code.get_or_init(make).as_ref()
    }

    /// Whether there is code.
    pub fn is_made(&self) -> bool {
        matches!(self.code.get(), Some(Some(_)))
    }

    /// Counts a run. Threads that count at the same time may lose some.
    #[inline]
    pub fn count(&self) {
        self.runs.store(self.runs.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }
}

/// The instructions of a program as a function on its numbers.
pub(crate) struct MachineCode {
    entry: unsafe extern "C" fn(*mut f64),
    /// One more than the last place it reads or writes.
    places: usize,
    /// Owns the code.
    module: Mutex<Option<JITModule>>,
}

impl fmt::Debug for MachineCode {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("MachineCode").field("places", &self.places).finish_non_exhaustive()
    }
}

impl Drop for MachineCode {
    fn drop(&mut self) {
        let module = self.module.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(module) = module {
            // SAFETY: whoever runs the code borrows `self`, so that nobody does so now or later.
            unsafe { module.free_memory() };
        }
    }
}

impl MachineCode {
    /// Nothing on processors that Cranelift does not know.
    fn new(program: &[Instruction<u16>], outputs: &[u32]) -> Option<MachineCode> {
        let mut flags = settings::builder();
        for (name, value) in [("use_colocated_libcalls", "false"), ("is_pic", "false")] {
            flags.set(name, value).ok()?;
        }
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let mut context = module.make_context();
        context.func.signature.params.push(AbiParam::new(module.isa().pointer_type()));
        let mut room = FunctionBuilderContext::new();
        let builder = FunctionBuilder::new(&mut context.func, &mut room);
        let places = Translation::new(builder, &module, program, outputs).translate(program);
        let function = module.declare_function("run", Linkage::Export, &context.func.signature).ok()?;
        module.define_function(function, &mut context).ok()?;
        module.finalize_definitions().ok()?;
        let code = module.get_finalized_function(function);
        // SAFETY: the function was compiled for the calling convention of C on this machine, takes one pointer and gives
        // nothing back.
        let entry = unsafe { std::mem::transmute::<*const u8, unsafe extern "C" fn(*mut f64)>(code) };
        Some(MachineCode { entry, places, module: Mutex::new(Some(module)) })
    }

    /// Carries out all instructions on these numbers.
    #[inline(always)]
    pub fn run(&self, numbers: &mut [f64]) {
        assert!(self.places <= numbers.len(), "a program runs in its own room");
        // SAFETY: the code reads and writes the first `places` numbers alone, which are there and borrowed for this call; it
        // lives as long as `self`.
        unsafe { (self.entry)(numbers.as_mut_ptr()) };
    }
}

/// A function of one number, as the code calls it.
type Function = extern "C" fn(f64) -> f64;

/// The function of the interpreter.
fn function(f: Unary) -> Function {
    macro_rules! functions {
        ($($name:ident)*) => {
            match f {
                $(Unary::$name => {
                    extern "C" fn called(a: f64) -> f64 {
                        Unary::$name.of(a)
                    }
                    called
                })*
            }
        };
    }
    functions!(Neg Abs Sign Sqrt Exp Ln Sin Cos Tanh SechSquared Atan Asinh Floor)
}

/// What is known while a program becomes code.
struct Translation<'a> {
    builder: FunctionBuilder<'a>,
    numbers: Value,
    pointer: types::Type,
    /// How functions of one number are called.
    unary: SigRef,
    /// Numbers that the program makes itself, by their places; all others wait in memory.
    made: BTreeMap<u16, Variable>,
    /// Places that are read after the run.
    is_output: Vec<bool>,
    places: usize,
}

impl<'a> Translation<'a> {
    fn new(
        mut builder: FunctionBuilder<'a>,
        module: &JITModule,
        program: &[Instruction<u16>],
        outputs: &[u32],
    ) -> Self {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let numbers = builder.block_params(entry)[0];
        let mut signature: Signature = module.make_signature();
        signature.params.push(AbiParam::new(types::F64));
        signature.returns.push(AbiParam::new(types::F64));
        let unary = builder.import_signature(signature);
        let mut made = BTreeMap::new();
        for i in program.iter().filter(|i| !i.code.is_skip()) {
            made.entry(i.out).or_insert_with(|| builder.declare_var(types::F64));
        }
        let mut is_output = vec![false; 1 << 16];
        outputs.iter().for_each(|place| is_output[*place as usize] = true);
        let pointer = module.isa().pointer_type();
        Translation { builder, numbers, pointer, unary, made, is_output, places: 0 }
    }

    /// Adds all instructions; gives the number of places they touch.
    fn translate(mut self, program: &[Instruction<u16>]) -> usize {
        let mut targets: BTreeMap<usize, Block> = BTreeMap::new();
        for (i, instruction) in program.iter().enumerate() {
            if instruction.code.is_skip() {
                let target = i + 1 + instruction.skipped();
                targets.entry(target).or_insert_with(|| self.builder.create_block());
            }
        }
        for (i, instruction) in program.iter().enumerate() {
            self.enter(targets.get(&i));
            match instruction.code.deed() {
                Some(deed) => self.perform(deed, instruction),
                None => {
                    let (next, target) =
                        (self.builder.create_block(), targets[&(i + 1 + instruction.skipped())]);
                    let is_less = self.is_less(instruction);
                    let (yes, no) =
                        if instruction.code == Code::SkipIf { (target, next) } else { (next, target) };
                    self.builder.ins().brif(is_less, yes, &[], no, &[]);
                    self.builder.switch_to_block(next);
                }
            }
        }
        self.enter(targets.get(&program.len()));
        self.builder.ins().return_(&[]);
        self.builder.seal_all_blocks();
        self.builder.finalize();
        self.places
    }

    /// Goes on in a block where a skip leads to.
    fn enter(&mut self, target: Option<&Block>) {
        if let Some(block) = target {
            self.builder.ins().jump(*block, &[]);
            self.builder.switch_to_block(*block);
        }
    }

    fn offset(&mut self, place: u16) -> i32 {
        self.places = self.places.max(usize::from(place) + 1);
        8 * i32::from(place)
    }

    fn read(&mut self, place: u16) -> Value {
        match self.made.get(&place) {
            Some(variable) => self.builder.use_var(*variable),
            None => {
                let offset = self.offset(place);
                self.builder.ins().load(types::F64, MemFlags::trusted(), self.numbers, offset)
            }
        }
    }

    fn is_less(&mut self, i: &Instruction<u16>) -> Value {
        let [a, b] = [i.a, i.b].map(|place| self.read(place));
        self.builder.ins().fcmp(FloatCC::LessThan, a, b)
    }

    fn perform(&mut self, deed: Deed, i: &Instruction<u16>) {
        let value = match deed {
            Deed::Unary(f) => {
                let a = self.read(i.a);
                self.unary(f, a)
            }
            Deed::Decay => {
                let a = self.read(i.a);
                let a = self.builder.ins().fneg(a);
                self.unary(Unary::Exp, a)
            }
            Deed::Binary(f) => {
                let [a, b] = [i.a, i.b].map(|place| self.read(place));
                self.binary(f, a, b)
            }
            Deed::Pair(first, second) => {
                let [a, b, c] = [i.a, i.b, i.c].map(|place| self.read(place));
                let r = self.binary(first, a, b);
                self.second(second, r, c)
            }
            Deed::Less => {
                let is_less = self.is_less(i);
                let [one, zero] = [1.0, 0.0].map(|number| self.builder.ins().f64const(number));
                self.builder.ins().select(is_less, one, zero)
            }
            Deed::Select => {
                let is_less = self.is_less(i);
                let [yes, no] = [i.c, i.d].map(|place| self.read(place));
                self.builder.ins().select(is_less, yes, no)
            }
        };
        if let Some(variable) = self.made.get(&i.out) {
            self.builder.def_var(*variable, value);
        }
        // The last to write a place that is read afterwards is the result; what it held before does no harm.
        if self.is_output[usize::from(i.out)] {
            let offset = self.offset(i.out);
            self.builder.ins().store(MemFlags::trusted(), value, self.numbers, offset);
        }
    }

    fn unary(&mut self, f: Unary, a: Value) -> Value {
        let ins = |all: &mut Self| all.builder.ins().f64const(0.0);
        match f {
            Unary::Neg => self.builder.ins().fneg(a),
            Unary::Sqrt => self.builder.ins().sqrt(a),
            Unary::Abs => {
                let zero = ins(self);
                let is_below = self.builder.ins().fcmp(FloatCC::LessThan, a, zero);
                let negative = self.builder.ins().fneg(a);
                self.builder.ins().select(is_below, negative, a)
            }
            _ => {
                let address = self.builder.ins().iconst(self.pointer, function(f) as usize as i64);
                let call = self.builder.ins().call_indirect(self.unary, address, &[a]);
                self.builder.inst_results(call)[0]
            }
        }
    }

    fn binary(&mut self, f: Binary, a: Value, b: Value) -> Value {
        let mut less = |x, y| self.builder.ins().fcmp(FloatCC::LessThan, x, y);
        match f {
            Binary::Add => self.builder.ins().fadd(a, b),
            Binary::Sub => self.builder.ins().fsub(a, b),
            Binary::Mul => self.builder.ins().fmul(a, b),
            Binary::Div => self.builder.ins().fdiv(a, b),
            Binary::Max => {
                let is_less = less(a, b);
                self.builder.ins().select(is_less, b, a)
            }
            Binary::Min => {
                let is_less = less(b, a);
                self.builder.ins().select(is_less, b, a)
            }
        }
    }

    fn second(&mut self, second: Second, r: Value, c: Value) -> Value {
        let (f, a, b) = match second {
            Second::Plus => (Binary::Add, r, c),
            Second::Minus => (Binary::Sub, r, c),
            Second::From => (Binary::Sub, c, r),
            Second::Times => (Binary::Mul, r, c),
            Second::Over => (Binary::Div, r, c),
            Second::Under => (Binary::Div, c, r),
        };
        self.binary(f, a, b)
    }
}
