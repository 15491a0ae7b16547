//! A kernel as readable text. Reads a kernel, changes nothing.

use crate::program::kernel::{Function, Kernel};

/// All functions of a kernel.
#[must_use]
pub fn dump(kernel: &Kernel) -> String {
    kernel.functions.iter().map(dump_function).collect()
}

/// One function.
#[must_use]
pub fn dump_function(function: &Function) -> String {
    format!("{function:#?}\n")
}
