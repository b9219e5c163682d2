//! Reading rows.

use pgrx::PgTupleDesc;
use pgrx::pg_sys::{self, Datum, Oid, TypeCacheEntry};
use pgrx::varlena::varsize_any;
use sketch::hash::{Encoder, Sink};

use super::part::Part;
use crate::error::SqlResult;

/// The row types that a place in a query has seen last; a column of type record may mix them.
pub struct RowTypes<T>(Vec<RowType<T>>);

impl<T> Default for RowTypes<T> {
    fn default() -> Self {
        RowTypes(Vec::new())
    }
}

/// How many are remembered.
const MAX_ROW_TYPES: usize = 8;

/// The columns of a row type.
struct RowType<T> {
    /// The type and its modifier, which together name it.
    key: (Oid, i32),
    description: Description,
    /// The columns' types; `None` for a dropped column.
    columns: Vec<Option<T>>,
    /// Room for the columns of a row.
    values: Vec<Datum>,
    nulls: Vec<bool>,
}

/// Where the server keeps the description of a row type.
enum Description {
    /// That of an anonymous row, which is as it is until the session ends.
    Anonymous(pg_sys::TupleDesc),
    /// That of a type, which can change: it has another number then, which is never used again.
    Named(*const TypeCacheEntry, u64),
}

impl<T: Part> RowTypes<T> {
    /// The place of the row type, and its description, which is the server's own.
    fn find(&mut self, key: (Oid, i32)) -> SqlResult<(&mut RowType<T>, Pinned)> {
        let place = self.0.iter().position(|known| known.key == key);
        if let Some(place) = place
            && let Some(description) = self.0[place].description.current()
        {
            return Ok((&mut self.0[place], Pinned::ByServer(description)));
        }
        // SAFETY: a catalog look-up; the description is pinned.
        let description =
            unsafe { PgTupleDesc::from_pg(pg_sys::lookup_rowtype_tupdesc(key.0, key.1)) };
        let row_type = RowType::new(key, &description)?;
        match place {
            Some(place) => drop(self.0.remove(place)),
            None => self.0.truncate(MAX_ROW_TYPES - 1),
        }
        self.0.insert(0, row_type);
        Ok((&mut self.0[0], Pinned::Here(description)))
    }
}

/// A description that cannot go while a row is taken apart.
enum Pinned {
    /// The server reads nothing from the catalog in the meantime.
    ByServer(pg_sys::TupleDesc),
    Here(PgTupleDesc<'static>),
}

impl Pinned {
    fn as_ptr(&self) -> pg_sys::TupleDesc {
        match self {
            Pinned::ByServer(description) => *description,
            Pinned::Here(description) => description.as_ptr(),
        }
    }
}

impl<T: Part> RowType<T> {
    fn new(key: (Oid, i32), description: &PgTupleDesc<'_>) -> SqlResult<Self> {
        // Before the columns, whose types may be changed while they are looked up.
        let place = Description::new(key, description);
        let columns = description.iter().map(column_type).collect::<SqlResult<Vec<_>>>()?;
        let len = columns.len();
        let (values, nulls) = (vec![Datum::null(); len], vec![true; len]);
        Ok(RowType { key, description: place, columns, values, nulls })
    }

    /// Takes a row apart.
    ///
    /// # Safety
    ///
    /// `row` must be a row of the type, and `description` that of which this was made.
    unsafe fn take(&mut self, row: pg_sys::HeapTupleHeader, description: pg_sys::TupleDesc) {
        let mut tuple = pg_sys::HeapTupleData {
            // SAFETY: a row begins with a length word.
            t_len: unsafe { varsize_any(row.cast()) } as u32,
            t_data: row,
            ..Default::default()
        };
        let (values, nulls) = (self.values.as_mut_ptr(), self.nulls.as_mut_ptr());
        // SAFETY: there is room for as many columns as the description has.
        unsafe { pg_sys::heap_deform_tuple(&mut tuple, description, values, nulls) };
    }
}

impl Description {
    fn new((oid, _): (Oid, i32), description: &PgTupleDesc<'_>) -> Self {
        if oid == pg_sys::RECORDOID {
            return Description::Anonymous(description.as_ptr());
        }
        // SAFETY: a catalog look-up. The entry lasts as long as the session, and holds the
        // description that was just looked up.
        unsafe {
            let entry = pg_sys::lookup_type_cache(oid, pg_sys::TYPECACHE_TUPDESC as i32);
            Description::Named(entry, (*entry).tupDesc_identifier)
        }
    }

    /// The description, if it is what it was.
    fn current(&self) -> Option<pg_sys::TupleDesc> {
        match *self {
            Description::Anonymous(description) => Some(description),
            Description::Named(entry, number) => {
                // SAFETY: the entry lasts as long as the session.
                let entry = unsafe { &*entry };
                (entry.tupDesc_identifier == number).then_some(entry.tupDesc)
            }
        }
    }
}

fn column_type<T: Part>(column: &pg_sys::FormData_pg_attribute) -> SqlResult<Option<T>> {
    if column.attisdropped {
        return Ok(None);
    }
    T::of(column.atttypid, column.attcollation).map(Some)
}

/// Writes the number of columns, then the columns.
///
/// # Safety
///
/// `row` must be a row with a plain length word.
pub unsafe fn encode<T: Part, S: Sink>(
    row_types: &mut RowTypes<T>,
    row: pg_sys::HeapTupleHeader,
    to: &mut Encoder<S>,
) -> SqlResult<()> {
    // SAFETY: a row carries its type.
    let header = unsafe { (*row).t_choice.t_datum };
    let (row_type, description) = row_types.find((header.datum_typeid, header.datum_typmod))?;
    // SAFETY: the row is of this type, which was made of this description.
    unsafe { row_type.take(row, description.as_ptr()) };
    drop(description);
    to.count(row_type.columns.iter().flatten().count());
    let values = row_type.values.iter().zip(&row_type.nulls);
    for (column, (&value, &is_null)) in row_type.columns.iter_mut().zip(values) {
        if let Some(column) = column {
            // SAFETY: the value is of the column's type.
            unsafe { column.encode((!is_null).then_some(value), to)? };
        }
    }
    Ok(())
}
