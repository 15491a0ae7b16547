//! What generated functions call: declared when it is first called, and noted to be compiled.

use crate::engine::native::call::Aid;
use crate::engine::native::emit::{Extra, Linker, by_address};
use crate::engine::native::tables::Shared;
use crate::program::kernel::{FuncId, NARROW, Value};
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, FuncRef, Function, Signature};
use cranelift_codegen::isa::CallConv;
use cranelift_jit::JITModule;
use cranelift_module::{FuncId as Declared, Module};
use rustc_hash::FxHashMap;

/// What is still to be compiled.
#[derive(Clone, Copy)]
pub(super) enum Pending {
    Kernel(FuncId),
    Extra(Extra),
}

/// What is declared.
pub(super) struct Links {
    pub(super) functions: Vec<Option<Declared>>,
    pub(super) extras: FxHashMap<Extra, Declared>,
    pub(super) aids: Vec<Declared>,
    pub(super) pending: Vec<Pending>,
}

/// The module and what is declared in it, while a function is made.
pub(super) struct Linking<'a> {
    pub(super) module: &'a mut JITModule,
    pub(super) links: &'a mut Links,
    pub(super) shared: &'a Shared,
}

/// How generated functions call each other. That of Unix is what `baseline` keeps to; elsewhere it is left to cranelift.
const CONVENTION: CallConv = if cfg!(all(target_arch = "x86_64", unix)) {
    CallConv::SystemV
} else {
    CallConv::Fast
};

/// The signature of a kernel's function: memory and context, then what it is given. Wide sets are handed over by address.
pub(super) fn signature_of(params: &[Value], width: usize) -> Signature {
    let mut signature = Signature::new(CONVENTION);
    let mut words = 2;
    for param in params {
        words += match param {
            Value::Set(_) if width <= NARROW => width,
            Value::Set(_) | Value::Word(_) => 1,
        };
    }
    (signature.params).extend((0..words).map(|_| AbiParam::new(I64)));
    signature.returns.push(AbiParam::new(I64));
    signature
}

pub(super) fn extra_signature(extra: Extra, width: usize) -> Signature {
    let set = if by_address(width) { 1 } else { width };
    let (params, returns) = match extra {
        Extra::Shift(_) | Extra::Around if by_address(width) => (2, 0),
        Extra::Shift(_) | Extra::Around => (width, width),
        Extra::Part | Extra::Found => (set + 2, 1),
    };
    let words = |many| (0..many).map(|_| AbiParam::new(I64));
    let mut signature = Signature::new(CONVENTION);
    signature.params.extend(words(params));
    signature.returns.extend(words(returns));
    signature
}

impl Links {
    /// Declares a function of the kernel, to be compiled when it is new.
    pub(super) fn declare(
        &mut self,
        module: &mut JITModule,
        shared: &Shared,
        id: FuncId,
    ) -> Option<Declared> {
        let function = shared.kernel.functions.get(id.0 as usize)?;
        let known = self.functions.get_mut(id.0 as usize)?;
        if known.is_none() {
            let signature = signature_of(&function.params, shared.width);
            *known = module.declare_anonymous_function(&signature).ok();
            self.pending.push(Pending::Kernel(id));
        }
        *known
    }
}

impl Linker for Linking<'_> {
    fn function(&mut self, into: &mut Function, id: FuncId) -> FuncRef {
        match self.links.declare(self.module, self.shared, id) {
            Some(declared) => self.module.declare_func_in_func(declared, into),
            None => self.aid(into, Aid::Undo),
        }
    }

    fn extra(&mut self, into: &mut Function, extra: Extra) -> FuncRef {
        if let Some(&declared) = self.links.extras.get(&extra) {
            return self.module.declare_func_in_func(declared, into);
        }
        let signature = extra_signature(extra, self.shared.width);
        match self.module.declare_anonymous_function(&signature) {
            Ok(declared) => {
                self.links.extras.insert(extra, declared);
                self.links.pending.push(Pending::Extra(extra));
                self.module.declare_func_in_func(declared, into)
            }
            Err(_) => self.aid(into, Aid::Undo),
        }
    }

    fn aid(&mut self, into: &mut Function, aid: Aid) -> FuncRef {
        self.module
            .declare_func_in_func(self.links.aids[aid as usize], into)
    }
}
