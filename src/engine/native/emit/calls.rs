//! Calls of the kernel's functions, and what each costs. A function with parameters pays when it begins, so that this stands once;
//! one without can be called from outside too, which costs nothing, and is paid for where it is called.

use crate::engine::native::call::LOWEST;
use crate::engine::native::emit::{Emit, Exit};
use crate::engine::native::ir::{I64, IntCC, Memory, Value};
use crate::program::kernel::{FuncId, Function, MAX_DEPTH, Value as Given, W};
use smallvec::SmallVec;

impl Emit<'_> {
    /// Calls a function of the kernel.
    pub(super) fn call(&mut self, id: FuncId, arguments: &[Given], result: Option<W>) {
        let kernel = &self.shared.kernel;
        let room = kernel.room;
        let alike = |(a, b): (&Given, &Given)| {
            matches!(
                (a, b),
                (Given::Word(_), Given::Word(_)) | (Given::Set(_), Given::Set(_))
            )
        };
        let fits = (kernel.functions.get(id.0 as usize)).is_some_and(|f| {
            f.params.len() == arguments.len() && f.params.iter().zip(arguments).all(alike)
        });
        if !fits {
            return self.wrong("a call that no function takes");
        }
        let mut all: SmallVec<[Value; 8]> = SmallVec::from_slice(&[self.mem, self.ctx]);
        for argument in arguments {
            match *argument {
                Given::Word(word) => all.push(self.get(word)),
                Given::Set(set) if self.wide() => all.push(self.address(set)),
                Given::Set(set) => all.extend(self.set_words(set)),
            }
        }
        let depth = match arguments {
            [] => self.pay(id),
            _ => None,
        };
        let known = self.calls.iter().find(|(f, _)| *f == id).map(|(_, f)| *f);
        let function = known.unwrap_or_else(|| {
            let called = self.linker.function(id);
            let function = self.b.callee(called);
            self.calls.push((id, function));
            function
        });
        let value = self.b.call(function, &all)[0];
        if let Some(depth) = depth {
            self.set_room(room.depth, depth);
        }
        let fault = self.room(room.fault);
        self.exit_if(fault, Exit::One, &[]);
        if let Some(word) = result {
            self.put(word, value);
        }
    }

    /// Begins a function: takes what it is given, and pays when nobody else does.
    pub(super) fn begin(&mut self, id: FuncId, function: &Function) {
        self.parameters(function);
        if !function.params.is_empty() {
            self.depth = self.pay(id);
        }
    }

    /// Ends a function with a result.
    pub(super) fn give_back(&mut self, result: Value) {
        if let Some(depth) = self.depth {
            self.set_room(self.shared.kernel.room.depth, depth);
        }
        self.b.return_(&[result]);
        self.dead = true;
    }

    /// Pays for a call of a function, or gives up; how many calls were open, when that is to be said again behind it.
    fn pay(&mut self, id: FuncId) -> Option<Value> {
        let room = self.shared.kernel.room;
        let fuel = self.room(room.fuel);
        let less = self.b.iadd_imm_s(fuel, -1);
        self.set_room(room.fuel, less);
        let empty = self.is_zero(fuel);
        let counted = self.shared.counted.get(id.0 as usize).copied();
        if counted == Some(false) {
            self.exit_if(empty, Exit::Calls, &[]);
            return None;
        }
        let open = self.room(room.depth);
        let cond = IntCC::UnsignedGreaterThanOrEqual;
        let deep = self.b.icmp_imm_s(cond, open, MAX_DEPTH.cast_signed());
        let over = self.b.bor(empty, deep);
        let stack = self.b.get_stack_pointer();
        let lowest = self.b.load(I64, Memory::Other, self.ctx, LOWEST);
        let low = self.b.icmp(IntCC::UnsignedLessThan, stack, lowest);
        let over = self.b.bor(over, low);
        self.exit_if(over, Exit::Calls, &[]);
        let deeper = self.b.iadd_imm_s(open, 1);
        self.set_room(room.depth, deeper);
        Some(open)
    }
}
