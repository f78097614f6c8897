//! Programs as code of the processor, by Cranelift.
//!
//! A program that has run some thousand times is compiled: the numbers between its inputs and its results stay in registers. Every
//! operation rounds as the interpreter's does, nothing is fused or put into another order, and functions such as `exp` are the same
//! ones, so that results keep their bits.

use crate::instruction::{Code, Deed, Instruction, Place, Second};
use crate::operation::{Binary, Unary};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, MemFlags, SigRef, Signature, Type, Value, types};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, default_libcall_names};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// After so many runs, counted by the steps they are bound for, compiling costs less than what has been spent already.
const EARNED: u32 = 4096;

/// So many runs a room counts by itself.
const STRIDE: u32 = 64;

/// Longer programs take longer to compile than they are likely to run.
const LONGEST: usize = 4000;

/// Runs of a room that have not been told yet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Runs(u32);

/// How often a program has run, and its code once that pays; an empty place where it cannot be compiled.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    runs: AtomicU32,
    code: OnceLock<Option<Arc<MachineCode>>>,
}

impl Clone for Machine {
    fn clone(&self) -> Self {
        Machine { runs: AtomicU32::new(self.runs.load(Ordering::Relaxed)), code: self.code.clone() }
    }
}

impl Machine {
    /// The code, made now if it has been earned.
    #[inline(always)]
    pub fn code(&self, runs: &mut Runs, make: impl FnOnce() -> Option<MachineCode>) -> Option<&MachineCode> {
        if let Some(known) = self.code.get() {
            return known.as_deref();
        }
        runs.0 += 1;
        if runs.0 == STRIDE {
            runs.0 = 0;
            self.earn(make);
        }
        None
    }

    #[cold]
    fn earn(&self, make: impl FnOnce() -> Option<MachineCode>) {
        if self.runs.fetch_add(STRIDE, Ordering::Relaxed) + STRIDE >= EARNED {
            self.compile(make);
        }
    }

    /// Makes the code now, if there is none yet; whether there is any.
    pub fn compile(&self, make: impl FnOnce() -> Option<MachineCode>) -> bool {
        self.code.get_or_init(|| make().map(Arc::new)).is_some()
    }
}

/// A function that reads the inputs of a program among its numbers and writes the results there.
pub(crate) struct MachineCode {
    run: extern "C" fn(*mut f64),
    /// Numbers it reads or writes lie below this place.
    places: usize,
    /// Where the function lives; nobody asks for it again before it is dropped.
    module: Mutex<Option<JITModule>>,
}

impl std::fmt::Debug for MachineCode {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("MachineCode").field("places", &self.places).finish_non_exhaustive()
    }
}

impl Drop for MachineCode {
    fn drop(&mut self) {
        if let Ok(Some(module)) = self.module.get_mut().map(Option::take) {
            // SAFETY: whoever runs the code borrows what is being dropped here, so that nobody does any more.
            #[allow(unsafe_code)]
            unsafe {
                module.free_memory();
            }
        }
    }
}

impl MachineCode {
    /// Compiles the second of two stages, whose inputs are the first places and what the first stage makes; nothing where this processor
    /// is unknown or the program is long.
    pub fn new(stages: &[Vec<Instruction<u16>>; 2], inputs: usize, outputs: &[u32]) -> Option<MachineCode> {
        let [head, body] = stages;
        if body.len() > LONGEST {
            return None;
        }
        let mut flags = settings::builder();
        flags.set("opt_level", "speed").ok()?;
        flags.set("use_colocated_libcalls", "false").ok()?;
        flags.set("is_pic", "false").ok()?;
        let isa = cranelift_native::builder().ok()?.finish(settings::Flags::new(flags)).ok()?;
        let mut module = JITModule::new(JITBuilder::with_isa(isa, default_libcall_names()));
        let pointer = module.target_config().pointer_type();
        let mut function = module.make_context();
        function.func.signature.params.push(AbiParam::new(pointer));
        let id = module.declare_function("run", Linkage::Local, &function.func.signature).ok()?;
        let mut unary = module.make_signature();
        unary.params.push(AbiParam::new(types::F64));
        unary.returns.push(AbiParam::new(types::F64));
        let is_input = |place: usize| place < inputs || head.iter().any(|i| i.out.index() == place);
        let places = {
            let mut context = FunctionBuilderContext::new();
            let builder = FunctionBuilder::new(&mut function.func, &mut context);
            Translation::of(builder, [pointer, types::F64], unary, is_input).function(body, outputs)
        };
        module.define_function(id, &mut function).ok()?;
        module.finalize_definitions().ok()?;
        let address = module.get_finalized_function(id);
        // SAFETY: the function was declared with one pointer as its argument, in the usual convention of this machine, and lives as
        // long as the module that is kept beside it.
        #[allow(unsafe_code)]
        let run = unsafe { std::mem::transmute::<*const u8, extern "C" fn(*mut f64)>(address) };
        Some(MachineCode { run, places, module: Mutex::new(Some(module)) })
    }

    /// Carries out the program.
    #[inline(always)]
    pub fn run(&self, numbers: &mut [f64]) {
        assert!(numbers.len() >= self.places, "a room holds all numbers of its program");
        (self.run)(numbers.as_mut_ptr());
    }
}

/// A program on its way into code.
struct Translation<'a, F> {
    builder: FunctionBuilder<'a>,
    pointer: Type,
    number: Type,
    unary: SigRef,
    is_input: F,
    base: Value,
    /// What stands for each place.
    variables: BTreeMap<usize, Variable>,
}

impl<'a, F: Fn(usize) -> bool> Translation<'a, F> {
    fn of(
        mut builder: FunctionBuilder<'a>,
        [pointer, number]: [Type; 2],
        unary: Signature,
        is_input: F,
    ) -> Self {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let base = builder.block_params(entry)[0];
        let unary = builder.import_signature(unary);
        Translation { builder, pointer, number, unary, is_input, base, variables: BTreeMap::new() }
    }

    /// The whole function; gives the number of places it needs.
    fn function(mut self, body: &[Instruction<u16>], outputs: &[u32]) -> usize {
        let mut used: Vec<usize> = outputs.iter().map(|place| *place as usize).collect();
        for i in body {
            let of = if i.code.is_skip() { vec![i.a, i.b] } else { vec![i.out, i.a, i.b, i.c, i.d] };
            used.extend(of.iter().map(|place| place.index()));
        }
        used.sort_unstable();
        used.dedup();
        used.iter().for_each(|place| self.enter(*place));
        let targets = body.iter().enumerate().filter(|(_, i)| i.code.is_skip());
        let mut blocks: BTreeMap<usize, Block> = BTreeMap::new();
        for (at, i) in targets {
            let to = at + 1 + i.skipped();
            blocks.entry(to).or_insert_with(|| self.builder.create_block());
        }
        for (at, i) in body.iter().enumerate() {
            self.begin(&blocks, at);
            match i.code.deed() {
                Some(deed) => {
                    let value = self.value(deed, i);
                    self.set(i.out, value);
                }
                None => self.skip(i, &blocks, at),
            }
        }
        self.begin(&blocks, body.len());
        let mut written: Vec<usize> = outputs.iter().map(|place| *place as usize).collect();
        written.sort_unstable();
        written.dedup();
        let is_made = |place: &usize| body.iter().any(|i| !i.code.is_skip() && i.out.index() == *place);
        for place in written.into_iter().filter(is_made) {
            let value = self.get(place);
            self.builder.ins().store(MemFlags::trusted(), value, self.base, 8 * place as i32);
        }
        self.builder.ins().return_(&[]);
        self.builder.seal_all_blocks();
        self.builder.finalize();
        used.last().map_or(0, |last| last + 1)
    }

    /// Makes a variable of a place: an input is read, what is made on the way begins as nothing.
    fn enter(&mut self, place: usize) {
        let variable = self.builder.declare_var(self.number);
        let value = if (self.is_input)(place) {
            self.builder.ins().load(self.number, MemFlags::trusted(), self.base, 8 * place as i32)
        } else {
            self.builder.ins().f64const(0.0)
        };
        self.builder.def_var(variable, value);
        self.variables.insert(place, variable);
    }

    /// Goes on in the block that begins here, if one does.
    fn begin(&mut self, blocks: &BTreeMap<usize, Block>, at: usize) {
        if let Some(block) = blocks.get(&at) {
            self.builder.ins().jump(*block, &[]);
            self.builder.switch_to_block(*block);
        }
    }

    fn skip(&mut self, i: &Instruction<u16>, blocks: &BTreeMap<usize, Block>, at: usize) {
        let (a, b) = (self.get(i.a.index()), self.get(i.b.index()));
        let less = self.builder.ins().fcmp(FloatCC::LessThan, a, b);
        let goes_on = self.builder.create_block();
        let Some(beyond) = blocks.get(&(at + 1 + i.skipped())) else { return };
        let [yes, no] = if i.code == Code::SkipUnless { [goes_on, *beyond] } else { [*beyond, goes_on] };
        self.builder.ins().brif(less, yes, &[], no, &[]);
        self.builder.switch_to_block(goes_on);
    }

    fn get(&mut self, place: usize) -> Value {
        match self.variables.get(&place) {
            Some(variable) => self.builder.use_var(*variable),
            None => self.builder.ins().f64const(0.0),
        }
    }

    fn set(&mut self, place: u16, value: Value) {
        if let Some(variable) = self.variables.get(&place.index()) {
            self.builder.def_var(*variable, value);
        }
    }

    /// What an instruction makes.
    fn value(&mut self, deed: Deed, i: &Instruction<u16>) -> Value {
        let of = |all: &mut Self, place: u16| all.get(place.index());
        match deed {
            Deed::Unary(f) => {
                let a = of(self, i.a);
                self.one(f, a)
            }
            Deed::Decay => {
                let a = of(self, i.a);
                let minus = self.builder.ins().fneg(a);
                self.one(Unary::Exp, minus)
            }
            Deed::Binary(f) => {
                let (a, b) = (of(self, i.a), of(self, i.b));
                self.two(f, a, b)
            }
            Deed::Pair(first, second) => {
                let (a, b, c) = (of(self, i.a), of(self, i.b), of(self, i.c));
                let r = self.two(first, a, b);
                match second {
                    Second::Plus => self.two(Binary::Add, r, c),
                    Second::Minus => self.two(Binary::Sub, r, c),
                    Second::From => self.two(Binary::Sub, c, r),
                    Second::Times => self.two(Binary::Mul, r, c),
                    Second::Over => self.two(Binary::Div, r, c),
                    Second::Under => self.two(Binary::Div, c, r),
                }
            }
            Deed::Less => {
                let (a, b) = (of(self, i.a), of(self, i.b));
                let truths = [1.0, 0.0].map(|x| self.builder.ins().f64const(x));
                self.lesser(a, b, truths)
            }
            Deed::Select => {
                let [a, b, yes, no] = [i.a, i.b, i.c, i.d].map(|place| of(self, place));
                self.lesser(a, b, [yes, no])
            }
        }
    }

    fn two(&mut self, f: Binary, a: Value, b: Value) -> Value {
        match f {
            Binary::Add => self.builder.ins().fadd(a, b),
            Binary::Sub => self.builder.ins().fsub(a, b),
            Binary::Mul => self.builder.ins().fmul(a, b),
            Binary::Div => self.builder.ins().fdiv(a, b),
            Binary::Max => self.lesser(a, b, [b, a]),
            Binary::Min => self.lesser(b, a, [b, a]),
        }
    }

    /// The first where `a < b`, else the second.
    fn lesser(&mut self, a: Value, b: Value, [yes, no]: [Value; 2]) -> Value {
        let less = self.builder.ins().fcmp(FloatCC::LessThan, a, b);
        self.builder.ins().select(less, yes, no)
    }

    fn one(&mut self, f: Unary, a: Value) -> Value {
        match f {
            Unary::Neg => self.builder.ins().fneg(a),
            Unary::Sqrt => self.builder.ins().sqrt(a),
            Unary::Abs => {
                let zero = self.builder.ins().f64const(0.0);
                let minus = self.builder.ins().fneg(a);
                self.lesser(a, zero, [minus, a])
            }
            Unary::Sign => {
                let [zero, one, minus] = [0.0, 1.0, -1.0].map(|x| self.builder.ins().f64const(x));
                let below = self.lesser(a, zero, [minus, zero]);
                self.lesser(zero, a, [one, below])
            }
            _ => {
                let address = self.builder.ins().iconst(self.pointer, function(f) as usize as i64);
                let call = self.builder.ins().call_indirect(self.unary, address, &[a]);
                self.builder.inst_results(call)[0]
            }
        }
    }
}

/// The interpreter's own function, with a calling convention that others know.
fn function(f: Unary) -> extern "C" fn(f64) -> f64 {
    macro_rules! plain {
        ($($f:ident)*) => {
            match f {
                $(Unary::$f => {
                    extern "C" fn plain(a: f64) -> f64 {
                        Unary::$f.of(a)
                    }
                    plain
                })*
            }
        };
    }
    plain!(Neg Abs Sign Sqrt Exp Ln Sin Cos Tanh SechSquared Atan Asinh Floor)
}
