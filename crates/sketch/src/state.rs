//! The working form: what the states of all types have in common.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0-2 | the header |
//! | 3 | the mode: what the body is, a number of the type's own |
//! | 4-5 | zero: room for the check of a key |
//! | 6 | one parameter of the type |
//! | 7 | zero |
//! | 8-11 | a count (u32) |
//! | 12 | further fields of the type, then the body |
//!
//! A state never leaves the program that made it but on the way between the workers of one query,
//! so this layout is no promise: what is stored is the form at rest.

use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::codec::{Form, Header, SketchType};
use crate::error::{Error, Result};
use crate::hash::{Value, ValueClass};

/// The length of a new state. With a length word of four bytes, 64.
pub const INITIAL_LEN: usize = 60;

/// The fields of a type behind the common ones.
pub trait Fields: FromBytes + IntoBytes + KnownLayout + Immutable + Unaligned {}

impl<F: FromBytes + IntoBytes + KnownLayout + Immutable + Unaligned> Fields for F {}

/// A sketch in the working form, made by this crate: unlike bytes from outside it is trusted.
///
/// It is its bytes, in memory that the caller owns.
#[derive(FromBytes, IntoBytes, KnownLayout, Immutable, Unaligned)]
#[repr(C)]
pub struct State<F> {
    kind: u8,
    layout: u8,
    class: u8,
    pub(crate) mode: u8,
    key: [u8; 2],
    pub(crate) parameter: u8,
    spare: u8,
    count: U32,
    pub(crate) fields: F,
    pub(crate) body: [u8],
}

impl<F: Fields> State<F> {
    /// Where the body begins.
    pub(crate) const BODY_AT: usize = 12 + size_of::<F>();

    /// The state in bytes that [`init`](crate::Sketch::init), [`thaw`](crate::Sketch::thaw) or
    /// [`grow`](crate::Sketch::grow) has filled, or that one of them is to fill.
    ///
    /// # Panics
    ///
    /// If there are fewer bytes than a head has.
    #[inline(always)]
    pub fn of(bytes: &mut [u8]) -> &mut Self {
        Self::mut_from_bytes(bytes).expect("a state has a head")
    }

    /// The state in such bytes, to be read.
    ///
    /// # Panics
    ///
    /// If there are fewer bytes than a head has.
    #[inline(always)]
    pub fn trusted(bytes: &[u8]) -> &Self {
        Self::ref_from_bytes(bytes).expect("a state has a head")
    }

    /// A state that may have come from anywhere: the head is checked, but for the type's own
    /// fields.
    pub(crate) fn read(bytes: &[u8], kind: SketchType) -> Result<&Self> {
        let (header, _) = Header::read(bytes, kind)?;
        match Self::ref_from_bytes(bytes) {
            Ok(state)
                if header.form == Form::Working && (state.key, state.spare) == ([0; 2], 0) =>
            {
                Ok(state)
            }
            _ => Err(Error::bytes(format!("{} bytes are no working state", bytes.len()))),
        }
    }

    /// Makes zero bytes an empty state.
    pub(crate) fn begin(&mut self, kind: SketchType) {
        [self.kind, self.layout, self.class] =
            Header { form: Form::Working, class: None }.to_bytes(kind);
    }

    /// Takes over all but the body from a state that is to grow into this one.
    pub(crate) fn begin_as(&mut self, smaller: &Self) {
        let head = ..Self::BODY_AT;
        self.as_mut_bytes()[head].copy_from_slice(&smaller.as_bytes()[head]);
    }

    /// The bytes, as any reader of sketches takes them.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.as_bytes()
    }

    /// How many entries the body has.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.count.get() as usize
    }

    #[inline(always)]
    pub(crate) fn set_count(&mut self, count: usize) {
        self.count.set(count as u32);
    }

    /// The class of the values, once there are any.
    pub(crate) fn class(&self) -> Result<Option<ValueClass>> {
        ValueClass::from_stored(self.class)
    }

    /// Takes the class of a value, or says that it is another than that of the values held.
    #[inline(always)]
    pub(crate) fn meet(&mut self, value: Value) -> Result<()> {
        if self.class == value.class() as u8 { Ok(()) } else { self.meet_first(value) }
    }

    #[cold]
    fn meet_first(&mut self, value: Value) -> Result<()> {
        self.expect(value)?;
        self.class = value.class() as u8;
        Ok(())
    }

    /// Checks that no values of another class are held.
    #[inline]
    pub(crate) fn expect(&self, value: Value) -> Result<()> {
        if self.class == value.class() as u8 {
            return Ok(());
        }
        value.class().expect_held(self.class()?)
    }

    /// Takes the class of a sketch that is merged in, or says that the classes differ.
    pub(crate) fn meet_class(&mut self, class: Option<ValueClass>) -> Result<()> {
        let class = ValueClass::unite(self.class()?, class)?;
        self.class = class.map_or(0, |class| class as u8);
        Ok(())
    }

    /// Takes the class from a state that holds no values any more.
    pub(crate) fn clear_class(&mut self) {
        self.class = 0;
    }

    /// The length of a state whose body has at least `body_len` bytes: with a length word of four
    /// bytes it is a power of two, the size in which memory comes.
    pub(crate) fn len_for(body_len: usize) -> usize {
        (Self::BODY_AT + body_len + 4).next_power_of_two().max(INITIAL_LEN + 4) - 4
    }
}
