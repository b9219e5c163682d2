//! Code for the processor at hand.

/// Runs a loop compiled for the best instructions that this processor has (on x86-64 AVX2 and
/// BMI2, else what every processor of the architecture has). The results are the same.
///
/// What the loop calls must be inlined into it.
#[inline]
pub(crate) fn dispatch<R>(f: impl FnOnce() -> R) -> R {
    pulp::Arch::new().dispatch(f)
}
