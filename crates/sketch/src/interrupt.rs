//! A way out of long work.

use std::sync::OnceLock;

/// Work on this many bytes takes a few milliseconds at most.
const PACE: usize = 1 << 20;

static CHECK: OnceLock<fn()> = OnceLock::new();

/// Sets a function that is called every few milliseconds while an operation on a large sketch goes
/// on. It may unwind, to end the operation; what was to be changed is then in no defined state. Only
/// the first call has an effect.
pub fn set_interrupt_check(check: fn()) {
    let _ = CHECK.set(check);
}

/// Checks for interrupts.
pub(crate) fn check() {
    if let Some(check) = CHECK.get() {
        check();
    }
}

/// Checks for interrupts as work goes on.
#[derive(Clone, Default)]
pub(crate) struct Pace {
    done: usize,
}

impl Pace {
    /// Counts work on as many bytes.
    #[inline(always)]
    pub(crate) fn step(&mut self, bytes: usize) {
        count_step();
        self.done += bytes;
        if self.done >= PACE {
            self.done = 0;
            check();
        }
    }
}

/// Counts a step of work, for the tests of how much there is.
#[inline(always)]
pub(crate) fn count_step() {
    #[cfg(test)]
    crate::testing::count_step();
}
