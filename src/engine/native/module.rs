//! Functions of a kernel into machine code: declares what is called, compiles what is asked for, once each, and tells where it
//! stands. What cannot be compiled becomes a function that gives up.

use crate::engine::native::baseline;
use crate::engine::native::call::{Aid, free};
use crate::engine::native::emit::Emit;
use crate::engine::native::ir::{Builder, Func, Memory, clif};
use crate::engine::native::links::{
    Linking, Links, Pending, given_of, given_of_extra, signature_of,
};
use crate::engine::native::tables::{Shared, statements};
use crate::engine::native::translate::{Machine, Translated, Written, translate};
use crate::program::kernel::{Fault, FuncId, Kernel, NARROW};
use cranelift_codegen::Context;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, UserFuncName};
use cranelift_codegen::isa::{OwnedTargetIsa, TargetFrontendConfig};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{ArenaMemoryProvider, JITBuilder, JITModule};
use cranelift_module::{FuncId as Declared, Linkage, Module};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The most bytes of machine code for a kernel. They are addresses that are set aside; memory is taken as it is needed.
const ARENA: usize = 64 << 20;

/// With more statements a kernel is long.
const LONG: usize = 40_000;

/// A function that is being compiled.
struct Begun {
    pending: Pending,
    declared: Declared,
    /// How many words it is given, and hands back.
    given: (u32, u32),
}

/// How code is generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Options {
    /// Whether every index is checked.
    pub(super) checked: bool,
    /// Whether registers are given out in one pass, which is quicker and gives slower code; where `baseline` suits the machine,
    /// it makes that code.
    pub(super) one_pass: bool,
    /// Whether code is made better before it is translated.
    pub(super) improved: bool,
    /// Whether it is wanted soon.
    pub(super) soon: bool,
    /// Whether one thread is enough.
    pub(super) alone: bool,
}

impl Options {
    /// What suits a kernel when its code is made once, as measured.
    ///
    /// Giving out registers in one pass takes a tenth of the time or less, and the code a sixth more or less. Improving the code
    /// first takes a fifth longer; wide sets, whose words go through the stack anyway, do not gain by it. A very long kernel
    /// is waited for too long otherwise.
    pub(super) fn suited(kernel: &Kernel, checked: bool) -> Options {
        let one_pass = length(kernel) > LONG;
        Options {
            checked,
            one_pass,
            improved: !one_pass && kernel.room.words as usize <= NARROW,
            soon: false,
            alone: false,
        }
    }

    /// What suits a kernel whose code is wanted soon, and is made again.
    pub(super) fn soon(kernel: &Kernel) -> Options {
        Options {
            checked: false,
            one_pass: true,
            improved: false,
            soon: true,
            // So quickly made that another thread comes too late.
            alone: baseline_knows(kernel),
        }
    }

    /// What suits a kernel whose code is made with care; `alone` behind code that runs already.
    pub(super) fn careful(kernel: &Kernel, alone: bool) -> Options {
        Options {
            checked: false,
            one_pass: false,
            improved: kernel.room.words as usize <= NARROW,
            soon: false,
            alone,
        }
    }
}

/// Whether the baseline can make a kernel's code here: it does not know the values of two words that wide sets are worked on with.
fn baseline_knows(kernel: &Kernel) -> bool {
    kernel.room.words as usize <= NARROW && baseline::suits()
}

/// How many statements a kernel has.
fn length(kernel: &Kernel) -> usize {
    kernel.functions.iter().map(|f| statements(&f.body)).sum()
}

/// This machine, that makes functions better or translates them as they are.
fn machine(options: Options, improving: bool) -> Result<OwnedTargetIsa, String> {
    let mut flags = settings::builder();
    let verified = cfg!(any(test, debug_assertions)) && options.checked;
    let set = [
        ("opt_level", if improving { "speed" } else { "none" }),
        (
            "regalloc_algorithm",
            if options.one_pass {
                "single_pass"
            } else {
                "backtracking"
            },
        ),
        ("enable_verifier", if verified { "true" } else { "false" }),
        ("unwind_info", "false"),
        ("use_colocated_libcalls", "false"),
        ("is_pic", "false"),
        ("enable_probestack", "false"),
    ];
    for (name, value) in set {
        flags.set(name, value).map_err(|e| e.to_string())?;
    }
    let builder = cranelift_native::builder()?;
    builder
        .finish(settings::Flags::new(flags))
        .map_err(|e| e.to_string())
}

/// The machine code of a kernel.
pub(super) struct Code {
    module: Option<JITModule>,
    links: Links,
    /// Memory in which the next function is written.
    spare: Func,
    builder: FunctionBuilderContext,
    options: Options,
    target: TargetFrontendConfig,
    isa: OwnedTargetIsa,
    /// The same with functions made better, if they are to be.
    improving: Option<OwnedTargetIsa>,
    trampoline: Declared,
    /// Why functions could not be compiled.
    pub(super) failures: Vec<String>,
    /// Whether nothing more can be compiled.
    closed: bool,
}

impl Code {
    /// An empty module with a trampoline. Says why when this machine cannot have one.
    pub(super) fn new(shared: &Shared, options: Options) -> Result<Code, String> {
        let isa = machine(options, false)?;
        let improving = options.improved.then(|| machine(options, true));
        if isa.pointer_bytes() != 8 {
            return Err("addresses of this machine are not 64 bits long".to_owned());
        }
        let mut builder =
            JITBuilder::with_isa(Arc::clone(&isa), cranelift_module::default_libcall_names());
        for aid in Aid::ALL {
            builder.symbol(format!("{aid:?}"), aid.entry().0);
        }
        let arena = ArenaMemoryProvider::new_with_size(ARENA).map_err(|e| e.to_string())?;
        builder.memory_provider(Box::new(arena));
        let module = JITModule::new(builder);
        let mut code = Code {
            spare: Func::default(),
            builder: FunctionBuilderContext::new(),
            target: module.target_config(),
            isa,
            improving: improving.transpose()?,
            module: Some(module),
            links: Links {
                functions: vec![None; shared.kernel.functions.len()],
                extras: FxHashMap::default(),
                aids: Vec::new(),
                pending: Vec::new(),
            },
            options,
            trampoline: Declared::from_u32(0),
            failures: Vec::new(),
            closed: false,
        };
        code.declare_aids()?;
        code.make_trampoline()?;
        Ok(code)
    }

    fn declare_aids(&mut self) -> Result<(), String> {
        let Some(module) = &mut self.module else {
            return Ok(());
        };
        for aid in Aid::ALL {
            let mut signature = module.make_signature();
            let words = aid.entry().1 + 1;
            (signature.params).extend((0..words).map(|_| AbiParam::new(I64)));
            signature.returns.push(AbiParam::new(I64));
            let id = module
                .declare_function(&format!("{aid:?}"), Linkage::Import, &signature)
                .map_err(|e| e.to_string())?;
            self.links.aids.push(id);
        }
        Ok(())
    }

    /// The function that all runs begin with: given memory, context and an address, calls what is there.
    fn make_trampoline(&mut self) -> Result<(), String> {
        let Some(module) = &mut self.module else {
            return Ok(());
        };
        let mut signature = module.make_signature();
        (signature.params).extend((0..3).map(|_| AbiParam::new(I64)));
        signature.returns.push(AbiParam::new(I64));
        let id = module
            .declare_anonymous_function(&signature)
            .map_err(|e| e.to_string())?;
        self.trampoline = id;
        if let Some(code) = baseline::trampoline() {
            return define(module, id, &code);
        }
        let mut context = module.make_context();
        context.func = Function::with_name_signature(UserFuncName::default(), signature);
        let mut b = FunctionBuilder::new(&mut context.func, &mut self.builder);
        let entry = b.create_block();
        b.append_block_params_for_function_params(entry);
        b.switch_to_block(entry);
        b.seal_block(entry);
        let [mem, ctx, function] = *b.block_params(entry) else {
            return Err("a trampoline without parameters".to_owned());
        };
        let called = b.import_signature(signature_of(2, 1));
        let call = b.ins().call_indirect(called, function, &[mem, ctx]);
        let result = b.inst_results(call)[0];
        b.ins().return_(&[result]);
        b.finalize(self.target);
        module
            .define_function(id, &mut context)
            .map_err(|e| e.to_string())
    }

    /// Compiles functions and all that they call, and tells where the trampoline and those stand that are new; nothing when
    /// no more can be compiled.
    pub(super) fn compile(
        &mut self,
        shared: &Shared,
        functions: &[FuncId],
    ) -> Option<(usize, Vec<(FuncId, usize)>)> {
        if self.closed {
            return None;
        }
        let mut module = self.module.take()?;
        let (mut made, mut placed) = (Vec::new(), None);
        // What is declared last is written first: the longest, which takes longest to translate.
        let mut functions = functions.to_vec();
        let long = |id: &FuncId| shared.kernel.functions.get(id.0 as usize);
        functions.sort_by_key(|id| long(id).map(|f| statements(&f.body)));
        for id in functions {
            self.links.declare(&mut module, shared, id);
        }
        match self.compile_pending(&mut module, shared) {
            Ok(some) => made.extend(some),
            Err(why) => {
                self.failures.push(why);
                self.closed = true;
            }
        }
        if !self.closed {
            match module.finalize_definitions() {
                Ok(()) => {
                    let stands = |declared| module.get_finalized_function(declared) as usize;
                    let places = made.into_iter().filter_map(|id: FuncId| {
                        let declared = self.links.functions.get(id.0 as usize)?;
                        Some((id, stands((*declared)?)))
                    });
                    let places = places.collect();
                    placed = Some((stands(self.trampoline), places));
                }
                Err(why) => {
                    self.failures.push(why.to_string());
                    self.closed = true;
                }
            }
        }
        self.module = Some(module);
        placed
    }

    /// Compiles the functions that are waiting, and all that they call; one that cannot be compiled gives up when it is called. An
    /// error closes the module.
    fn compile_pending(
        &mut self,
        module: &mut JITModule,
        shared: &Shared,
    ) -> Result<Vec<FuncId>, String> {
        if self.options.one_pass && baseline_knows(&shared.kernel) {
            self.by_baseline(module, shared)
        } else {
            self.by_cranelift(module, shared)
        }
    }

    /// The same in few passes, one function after the other.
    fn by_baseline(
        &mut self,
        module: &mut JITModule,
        shared: &Shared,
    ) -> Result<Vec<FuncId>, String> {
        let mut made = Vec::new();
        while let Some(pending) = self.links.pending.pop() {
            let (one, func) = self.begin(module, shared, pending)?;
            match baseline::translate(&func) {
                Ok(code) => define(module, one.declared, &code)?,
                // Cranelift knows more.
                Err(_) if !self.options.checked => self.define(module, one.declared, &func)?,
                Err(why) => self.give_up(module, shared, &one, why)?,
            }
            self.spare = func;
            made.push(one.pending);
        }
        Ok(kernels(&made))
    }

    /// The same by cranelift.
    fn by_cranelift(
        &mut self,
        module: &mut JITModule,
        shared: &Shared,
    ) -> Result<Vec<FuncId>, String> {
        let (isa, better) = (Arc::clone(&self.isa), self.improving.clone());
        let machine = Machine {
            improving: better.as_deref(),
            translating: isa.as_ref(),
        };
        let mut begun = Vec::new();
        let translated = translate(machine, self.options.alone, |used| {
            let Some(pending) = self.links.pending.pop() else {
                return Ok(None);
            };
            let mut context = used.unwrap_or_else(|| Box::new(module.make_context()));
            let (one, func) = self.begin(module, shared, pending)?;
            self.write(module, &func, &mut context);
            self.spare = func;
            let declared = one.declared;
            begun.push(one);
            Ok(Some(Written { declared, context }))
        })?;
        let mut made = Vec::new();
        for (one, translated) in begun.into_iter().zip(translated) {
            let done = translated.and_then(|code| define(module, one.declared, &code));
            if let Err(why) = done {
                self.give_up(module, shared, &one, why)?;
            }
            made.push(one.pending);
        }
        Ok(kernels(&made))
    }

    /// Writes a function, or one that gives up where it cannot be written.
    fn begin(
        &mut self,
        module: &mut JITModule,
        shared: &Shared,
        pending: Pending,
    ) -> Result<(Begun, Func), String> {
        let (declared, given) = match pending {
            Pending::Kernel(id) => {
                let declared = self.links.functions.get(id.0 as usize).copied().flatten();
                let function = shared.kernel.functions.get(id.0 as usize);
                let params = function.map_or(&[][..], |f| &f.params);
                (declared, given_of(params, shared.width))
            }
            Pending::Extra(extra) => (
                self.links.extras.get(&extra).copied(),
                given_of_extra(extra, shared.width),
            ),
        };
        let declared = declared.ok_or("a function that is not declared")?;
        let options = (self.options.checked, self.options.soon);
        let mut linking = Linking {
            module,
            links: &mut self.links,
            shared,
        };
        let b = Builder::new(given, std::mem::take(&mut self.spare));
        let emit = Emit::new(b, shared, &mut linking, options);
        let emitted = match pending {
            Pending::Kernel(id) => match shared.kernel.functions.get(id.0 as usize) {
                Some(function) => (emit.function(id, function))
                    .map_err(|why| format!("function `{}` has {why}", function.name)),
                None => Err("a call of no function".to_owned()),
            },
            Pending::Extra(extra) => emit.extra_function(extra),
        };
        let func = match (emitted, pending) {
            (Ok(func), _) => func,
            (Err(why), Pending::Kernel(_)) => {
                self.failures.push(why);
                giving_up(shared, given)
            }
            (Err(why), Pending::Extra(_)) => return Err(why),
        };
        let begun = Begun {
            pending,
            declared,
            given,
        };
        Ok((begun, func))
    }

    /// Has a function of the kernel give up, which cannot be made; others cannot say so to who calls them.
    fn give_up(
        &mut self,
        module: &mut JITModule,
        shared: &Shared,
        one: &Begun,
        why: String,
    ) -> Result<(), String> {
        match one.pending {
            Pending::Kernel(_) => {
                self.failures.push(why);
                self.define(module, one.declared, &giving_up(shared, one.given))
            }
            Pending::Extra(_) => Err(why),
        }
    }

    /// Writes a function in cranelift's language, into a context.
    fn write(&mut self, module: &mut JITModule, func: &Func, context: &mut Context) {
        context.clear();
        context.func.signature = signature_of(func.params, func.returns);
        clif::write(
            func,
            &mut context.func,
            &mut self.builder,
            module,
            self.target,
        );
    }

    /// Has cranelift make one function.
    fn define(
        &mut self,
        module: &mut JITModule,
        declared: Declared,
        func: &Func,
    ) -> Result<(), String> {
        let mut context = module.make_context();
        self.write(module, func, &mut context);
        module
            .define_function(declared, &mut context)
            .map_err(|e| e.to_string())
    }
}

/// Puts the code of a function where it is to be.
fn define(module: &mut JITModule, declared: Declared, code: &Translated) -> Result<(), String> {
    (module.define_function_bytes(declared, code.alignment, &code.code, &code.relocs))
        .map_err(|e| e.to_string())
}

/// The functions of the kernel among those that were made.
fn kernels(made: &[Pending]) -> Vec<FuncId> {
    let kernel = |pending: &Pending| match *pending {
        Pending::Kernel(id) => Some(id),
        Pending::Extra(_) => None,
    };
    made.iter().filter_map(kernel).collect()
}

/// A function of the kernel that gives up.
fn giving_up(shared: &Shared, given: (u32, u32)) -> Func {
    let returns = given.1;
    let mut b = Builder::new(given, Func::default());
    if let (1, Some(mem)) = (returns, b.given(0)) {
        let why = b.iconst(I64, Fault::Room as i64);
        let at = (shared.kernel.room.fault * 8) as i32;
        b.store(Memory::Words, why, mem, at);
    }
    let results: Vec<_> = (0..returns).map(|_| b.iconst(I64, 1)).collect();
    b.return_(&results);
    b.finish()
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            free(module);
        }
    }
}
