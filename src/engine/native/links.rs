//! What generated functions call: declared when it is first called, and noted to be compiled.

use crate::engine::native::call::Aid;
use crate::engine::native::emit::{Extra, Linker, by_address};
use crate::engine::native::ir::Called;
use crate::engine::native::tables::Shared;
use crate::program::kernel::{FuncId, NARROW, Value};
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Signature};
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

/// The signature of a function that is given, and hands back, so many words.
pub(super) fn signature_of(params: u32, returns: u32) -> Signature {
    let words = |many| (0..many).map(|_| AbiParam::new(I64));
    let mut signature = Signature::new(CONVENTION);
    signature.params.extend(words(params));
    signature.returns.extend(words(returns));
    signature
}

/// How many words a kernel's function is given, and hands back: memory and context, then what it is given. Wide sets are handed over by
/// address.
pub(super) fn given_of(params: &[Value], width: usize) -> (u32, u32) {
    let mut words = 2;
    for param in params {
        words += match param {
            Value::Set(_) if width <= NARROW => width,
            Value::Set(_) | Value::Word(_) => 1,
        };
    }
    (words as u32, 1)
}

/// The same of a function beside those of the kernel.
pub(super) fn given_of_extra(extra: Extra, width: usize) -> (u32, u32) {
    let set = if by_address(width) { 1 } else { width };
    let (params, returns) = match extra {
        Extra::Shift(_) | Extra::Around if by_address(width) => (2, 0),
        Extra::Shift(_) | Extra::Around => (width, width),
        Extra::Part | Extra::Found => (set + 2, 1),
    };
    (params as u32, returns as u32)
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
            let (params, returns) = given_of(&function.params, shared.width);
            let signature = signature_of(params, returns);
            *known = module.declare_anonymous_function(&signature).ok();
            self.pending.push(Pending::Kernel(id));
        }
        *known
    }
}

impl Linker for Linking<'_> {
    fn function(&mut self, id: FuncId) -> Called {
        match self.links.declare(self.module, self.shared, id) {
            Some(declared) => {
                let function = self.shared.kernel.functions.get(id.0 as usize);
                let params = function.map_or(&[][..], |f| &f.params);
                let (params, returns) = given_of(params, self.shared.width);
                Called::near(declared, params, returns)
            }
            None => self.aid(Aid::Undo),
        }
    }

    fn extra(&mut self, extra: Extra) -> Called {
        let (params, returns) = given_of_extra(extra, self.shared.width);
        if let Some(&declared) = self.links.extras.get(&extra) {
            return Called::near(declared, params, returns);
        }
        let signature = signature_of(params, returns);
        match self.module.declare_anonymous_function(&signature) {
            Ok(declared) => {
                self.links.extras.insert(extra, declared);
                self.links.pending.push(Pending::Extra(extra));
                Called::near(declared, params, returns)
            }
            Err(_) => self.aid(Aid::Undo),
        }
    }

    fn aid(&mut self, aid: Aid) -> Called {
        Called {
            declared: self.links.aids[aid as usize],
            near: false,
            params: aid.entry().1 as u32 + 1,
            returns: 1,
        }
    }
}
