//! Calls of functions that were joined: each tells whose it is.

use crate::compile::kernel::sides::Side;
use crate::program::kernel::{Body, FuncId, Stmt, Value, W, Word};

/// Lets calls go to what is joined.
pub struct Caller<'f, F> {
    /// How many words the function has.
    pub words: u32,
    /// The function of both players that a function has become part of, and whose part it was.
    pub of: &'f F,
    /// How many parameters functions had.
    pub params: &'f [usize],
    /// Whose functions are.
    pub pairs: &'f [Option<Side>],
}

impl<F: Fn(FuncId) -> Option<(FuncId, u64)>> Caller<'_, F> {
    /// Lets the calls of a function go where they belong.
    pub fn body(&mut self, body: &mut Body) {
        if !body.iter().any(|stmt| matches!(stmt, Stmt::Call(..))) {
            let inner = body.iter_mut().flat_map(Stmt::bodies_mut);
            return inner.for_each(|body| self.body(body));
        }
        let mut out = Vec::with_capacity(body.len());
        for mut stmt in std::mem::take(body) {
            if let Stmt::Call(id, args, result) = stmt {
                self.call(id, args, result, &mut out);
                continue;
            }
            for inner in stmt.bodies_mut() {
                self.body(inner);
            }
            out.push(stmt);
        }
        *body = out;
    }

    fn call(&mut self, id: FuncId, mut args: Vec<Value>, result: Option<W>, out: &mut Body) {
        // What both players have is called only where it is asked for from outside.
        let Some(many) = self.params.get(id.0 as usize) else {
            return out.push(Stmt::Call(id, args, result));
        };
        let told = args.len() > *many;
        match ((self.of)(id), self.pairs[id.0 as usize]) {
            (Some((both, side)), _) if !told => {
                let w = W(self.words);
                self.words += 1;
                out.push(Stmt::Let(w, Word::Const(side)));
                args.push(Value::Word(w));
                out.push(Stmt::Call(both, args, result));
            }
            (Some((both, _)), _) => out.push(Stmt::Call(both, args, result)),
            (None, Some(side)) if told => {
                let Some(Value::Word(w)) = args.pop() else {
                    return;
                };
                let second = vec![Stmt::Call(side.other, args.clone(), result)];
                let first = vec![Stmt::Call(id, args, result)];
                out.push(Stmt::If(w, second, first));
            }
            _ => out.push(Stmt::Call(id, args, result)),
        }
    }
}
