//! Golden vectors: the canonical encoding and the hash of values of every class.
//!
//! They are part of the stored format. A change that makes one of these tests fail makes every
//! sketch that was ever stored count its values twice; add new vectors, and never edit one.

use sketch::hash::{self, Encoder, ValueClass, ValueClass::*, scalar};

/// A hash that an extension's type, or a collation, is taken to give.
const NUMBER: i64 = 0x0123_4567_89ab_cdef;

#[track_caller]
fn check(what: &str, encoding: impl AsRef<[u8]>, hex: &str, expected: u64) {
    let encoding = encoding.as_ref();
    let written: String = encoding.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(written, hex, "{what}");
    assert_eq!(hash::bytes(encoding), expected, "{what}");
}

#[track_caller]
fn nested(what: &str, write: impl FnOnce(&mut Encoder), hex: &str, expected: u64) {
    let mut encoder = Encoder::new();
    write(&mut encoder);
    assert_eq!(encoder.finish(), expected, "{what}");
    let encoding: Vec<u8> = (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect();
    check(what, encoding, hex, expected);
}

fn decimal(negative: bool, weight: i32, digits: &[u16]) -> Vec<u8> {
    let digits = digits.iter().copied();
    scalar::numeric(scalar::Decimal { negative, weight, digits }).as_ref().to_vec()
}

fn one(number: i64) -> [u8; 8] {
    number.to_le_bytes()
}

/// Length and lower bound of each dimension of an array.
fn shape(to: &mut Encoder, dimensions: &[(i32, i32)]) {
    to.count(dimensions.len());
    for &(length, lower) in dimensions {
        to.i32(length);
        to.i32(lower);
    }
}

#[test]
fn the_seed() {
    assert_eq!(hash::SEED, 0x7067_736b_6574_6368);
}

#[test]
fn classes() {
    let stored: Vec<_> = ValueClass::ALL.iter().map(|&class| (class as u8, class.name())).collect();
    let expected = [
        (1, "number"),
        (2, "float"),
        (3, "text"),
        (4, "bytea"),
        (5, "uuid"),
        (6, "bool"),
        (7, "bit"),
        (8, "macaddr"),
        (9, "inet"),
        (10, "money"),
        (11, "pg_lsn"),
        (12, "date"),
        (13, "time"),
        (14, "timetz"),
        (15, "timestamp"),
        (16, "timestamptz"),
        (17, "interval"),
        (18, "jsonb"),
        (19, "record"),
        (20, "array"),
        (21, "range"),
        (22, "multirange"),
        (23, "other"),
        (24, "collated text"),
    ];
    assert_eq!(stored, expected);
}

#[test]
fn scalars() {
    check("number, whole number", 42i64.to_le_bytes(), "2a00000000000000", 0x97aa_5d1f_ffc9_483a);
    check(
        "number, negative whole number",
        (-1i64).to_le_bytes(),
        "ffffffffffffffff",
        0xabba_bfb0_b31c_eef0,
    );
    check(
        "number, smallest of 64 bits",
        i64::MIN.to_le_bytes(),
        "0000000000000080",
        0xa9b0_aa12_9870_3713,
    );
    check(
        "number, above 64 bits",
        decimal(false, 4, &[922, 3372, 368, 5477, 5808]),
        "00040000009a032c0d70016515b016",
        0x8262_0707_1d08_f46d,
    );
    check(
        "number, above 64 bits, without a sign",
        scalar::unsigned(1 << 63),
        "00040000009a032c0d70016515b016",
        0x8262_0707_1d08_f46d,
    );
    check(
        "number, trailing zeros cut",
        decimal(false, 5, &[1, 0, 0, 0, 0, 0]),
        "00050000000100",
        0x1357_bd25_fd10_de72,
    );
    check(
        "number, fraction",
        decimal(false, 0, &[1, 5000]),
        "000000000001008813",
        0x441a_a82c_fbed_5704,
    );
    check(
        "number, negative small fraction",
        decimal(true, -1, &[1, 2000]),
        "01ffffffff0100d007",
        0x9de8_f25c_dce3_fee3,
    );
    check("number, not a number", scalar::NUMERIC_NAN, "02", 0x0b4f_ef2a_1d80_2d54);
    check("number, infinity", scalar::NUMERIC_INFINITY, "03", 0x165a_3b1b_7f86_f4fd);
    check(
        "number, negative infinity",
        scalar::NUMERIC_NEGATIVE_INFINITY,
        "04",
        0x2a7b_13cc_7566_9105,
    );
    check("float, number", scalar::float(1.5), "000000000000f83f", 0x6440_d5b8_d0e4_da55);
    check("float, zero", scalar::float(-0.0), "0000000000000000", 0xc8ca_86c1_7ff0_6487);
    check(
        "float, not a number",
        scalar::float(-f64::NAN),
        "000000000000f87f",
        0xfbe2_8772_798b_075b,
    );
    check(
        "float, negative infinity",
        scalar::float(f64::NEG_INFINITY),
        "000000000000f0ff",
        0xe2a1_d3b8_236e_30bd,
    );
    check("text, empty", b"", "", 0x426f_382e_a43c_6294);
    check("text, three bytes", b"abc", "616263", 0x601c_8b1f_1fcd_9bcf);
    check("text, padding cut", scalar::unpadded(b"abc       "), "616263", 0x601c_8b1f_1fcd_9bcf);
    check("text, two bytes a letter", "\u{e9}t\u{e9}", "c3a974c3a9", 0xc2ce_0fcd_9d96_f350);
    check(
        "text, 300 bytes",
        "0123456789".repeat(30),
        &"30313233343536373839".repeat(30),
        0xbbc6_e683_cbba_fb3c,
    );
    check("text, a single byte", scalar::single_byte(b'a'), "61", 0x903e_ff23_69a5_ecd2);
    check(
        "text, a single byte beyond ASCII",
        scalar::single_byte(0xff),
        "5c333737",
        0x3692_51a0_788a_6e71,
    );
    check("bytea, bytes", [0, 0xff], "00ff", 0x3b12_9a31_463e_55cf);
    check(
        "uuid, identifier",
        0xa0eebc99_9c0b_4ef8_bb6d_6bb9bd380a11_u128.to_be_bytes(),
        "a0eebc999c0b4ef8bb6d6bb9bd380a11",
        0x6b9c_6cdc_19bd_a788,
    );
    check("bool, true", [1], "01", 0xe914_87b5_eb80_1988);
    check("bool, false", [0], "00", 0x13d4_e7de_99df_669d);
    check("bit, three bits", [3, 0, 0, 0, 0b1010_0000], "03000000a0", 0x7d7e_4ee1_62d1_82fb);
    check("bit, none", [0; 4], "00000000", 0x4a02_153d_d8d5_d853);
    check(
        "macaddr, six bytes",
        scalar::macaddr([8, 0, 0x2b, 1, 2, 3]),
        "08002bfffe010203",
        0xa1f4_77f0_0846_674c,
    );
    check(
        "macaddr, eight bytes",
        [8, 0, 0x2b, 1, 2, 3, 4, 5],
        "08002b0102030405",
        0x9fd5_9827_ca0e_dade,
    );
    check("inet, version 4", [4, 24, 192, 168, 0, 1], "0418c0a80001", 0x4b96_4bad_4388_64df);
    check(
        "inet, version 6",
        [6, 128, 0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        "068020010db8000000000000000000000001",
        0x798b_2c14_bc18_f102,
    );
    check("money, amount", 1_234i64.to_le_bytes(), "d204000000000000", 0xc52f_87ce_afe0_3757);
    check(
        "pg_lsn, position",
        0x16_b374_d848u64.to_le_bytes(),
        "48d874b316000000",
        0x7232_a258_cd18_6b48,
    );
    check("date, day", 8825i64.to_le_bytes(), "7922000000000000", 0x8b6e_16d2_8ffd_7b72);
    check(
        "date, infinity",
        i64::from(i32::MAX).to_le_bytes(),
        "ffffff7f00000000",
        0x4931_0580_0592_b4f6,
    );
    check(
        "time, microseconds",
        45_296_789_000i64.to_le_bytes(),
        "0826e68b0a000000",
        0x7bbd_16d4_dd0b_ba69,
    );
    check(
        "timetz, microseconds, seconds west",
        scalar::timetz(45_296_789_000, -7200),
        "0826e68b0a000000e0e3ffff",
        0xfc42_2a9e_f2b4_381b,
    );
    check(
        "timestamp, microseconds",
        762_525_296_789_000i64.to_le_bytes(),
        "0886724183b50200",
        0xe0ce_cf0d_851b_8464,
    );
    check(
        "timestamptz, microseconds",
        762_525_296_789_000i64.to_le_bytes(),
        "0886724183b50200",
        0xe0ce_cf0d_851b_8464,
    );
    check(
        "timestamptz, infinity",
        i64::MAX.to_le_bytes(),
        "ffffffffffffff7f",
        0x1af7_57af_1b3e_f11b,
    );
    check(
        "interval, a month and a day",
        scalar::interval(1, 2, 3),
        "0300ecba830200000000000000000000",
        0xe461_d00e_9acd_b101,
    );
    check(
        "interval, negative",
        scalar::interval(0, 0, -1),
        "ffffffffffffffffffffffffffffffff",
        0x7ad6_9508_fc24_a579,
    );
    check(
        "other, name and hash",
        [b"sketch_other\0", &NUMBER.to_le_bytes()[..]].concat(),
        "736b657463685f6f7468657200efcdab8967452301",
        0x78e6_a1a3_f876_c9ee,
    );
    check(
        "other, access privilege",
        scalar::aclitem(10, 16384, 2, 1),
        "61636c6974656d000a000000004000000200000001000000",
        0xb393_acc2_cd81_2ad2,
    );
    check(
        "collated, hash of 64 bits",
        NUMBER.to_le_bytes(),
        "efcdab8967452301",
        0x37e5_cf3e_f943_afc0,
    );
}

#[test]
fn nested_values() {
    nested(
        "jsonb, number",
        |to| to.scalar(Number, &one(5)),
        "01080000000500000000000000",
        0x17d8_0c9c_50f2_e4d0,
    );
    nested("jsonb, null", |to| to.null(), "00", 0x13d4_e7de_99df_669d);
    nested(
        "jsonb, document",
        |to| {
            to.byte(b'{');
            to.count(2);
            to.scalar(Text, b"id");
            to.scalar(Number, &one(7));
            to.scalar(Text, b"tags");
            to.byte(b'[');
            to.count(4);
            to.scalar(Text, b"x");
            to.null();
            to.scalar(Bool, &[1]);
            to.scalar(Number, &decimal(false, 0, &[1, 5000]));
        },
        concat!(
            "7b02000000030200000069640108000000070000000000000003040000007461",
            "67735b0400000003010000007800060100000001010900000000000000000100",
            "8813"
        ),
        0x91a6_1c11_8aeb_42e6,
    );
    nested(
        "record, row",
        |to| {
            to.count(3);
            to.scalar(Number, &one(1));
            to.scalar(Text, b"a");
            to.null();
        },
        "030000000108000000010000000000000003010000006100",
        0x6fc6_bb85_399b_a916,
    );
    nested(
        "record, nested row",
        |to| {
            to.count(2);
            to.class(Record);
            to.count(1);
            to.scalar(Number, &one(1));
            to.class(Jsonb);
            to.scalar(Number, &one(5));
        },
        "020000001301000000010800000001000000000000001201080000000500000000000000",
        0x945d_0381_10ca_e139,
    );
    nested("array, none", |to| to.count(0), "00000000", 0x4a02_153d_d8d5_d853);
    nested(
        "array, numbers",
        |to| {
            shape(to, &[(3, 1)]);
            to.scalar(Number, &one(1));
            to.null();
            to.scalar(Number, &one(3));
        },
        "010000000300000001000000010800000001000000000000000001080000000300000000000000",
        0xd5af_5c25_3d49_92f7,
    );
    nested(
        "array, strings",
        |to| {
            shape(to, &[(3, 1)]);
            to.scalar(Text, b"abc");
            to.scalar(Text, b"de");
            to.scalar(Text, b"");
        },
        "0100000003000000010000000303000000616263030200000064650300000000",
        0x21a8_05e4_f01e_73bf,
    );
    nested(
        "array, two dimensions",
        |to| {
            shape(to, &[(2, 0), (1, 5)]);
            to.scalar(Number, &one(1));
            to.scalar(Number, &one(2));
        },
        concat!(
            "0200000002000000000000000100000005000000010800000001000000000000",
            "0001080000000200000000000000"
        ),
        0xad31_0ac0_ff6f_a99b,
    );
    nested(
        "range, numbers",
        |to| {
            to.byte(2);
            to.scalar(Number, &one(1));
            to.scalar(Number, &one(5));
        },
        "020108000000010000000000000001080000000500000000000000",
        0xea0f_85f4_b01a_b67e,
    );
    nested(
        "range, no lower bound",
        |to| {
            to.byte(4 | 8);
            to.scalar(Number, &decimal(false, 0, &[1, 5000]));
        },
        "0c0109000000000000000001008813",
        0x8e76_4ddc_c805_b5da,
    );
    nested("range, empty", |to| to.byte(1), "01", 0xe914_87b5_eb80_1988);
    nested("range, all", |to| to.byte(8 | 16), "18", 0x1cfc_0224_7473_c138);
    nested(
        "multirange, two ranges",
        |to| {
            to.count(2);
            for (lower, upper) in [(1, 3), (5, 7)] {
                to.byte(2);
                to.scalar(Number, &one(lower));
                to.scalar(Number, &one(upper));
            }
        },
        concat!(
            "0200000002010800000001000000000000000108000000030000000000000002",
            "0108000000050000000000000001080000000700000000000000"
        ),
        0xd458_1214_3f31_3e5e,
    );
    nested("multirange, none", |to| to.count(0), "00000000", 0x4a02_153d_d8d5_d853);
}

/// XXH3 has code of its own for each of these ranges of lengths.
#[test]
fn lengths() {
    let bytes: Vec<u8> = (0..=255).cycle().take(2000).collect();
    for (len, expected) in [
        (0, 0x426f_382e_a43c_6294),
        (1, 0x13d4_e7de_99df_669d),
        (3, 0xa993_27dd_8845_9922),
        (4, 0x47d7_f100_5daa_2b21),
        (8, 0x6b7a_e614_fe56_9454),
        (9, 0x10e3_d338_bf15_9e1a),
        (16, 0x5484_663d_5252_40d9),
        (17, 0xd798_0e6b_f3ff_6b1b),
        (128, 0x9c92_11ea_e4b4_8ef6),
        (129, 0x700a_6b0c_1327_cef0),
        (240, 0x22b9_1738_9b05_c51b),
        (241, 0x9fb0_209f_aa2c_0990),
        (256, 0xe35e_5f2d_439e_9722),
        (1024, 0x0f74_5e73_4708_72a9),
        (1025, 0x6eec_fe95_e7fb_eefc),
        (2000, 0xa8bf_b036_a7d7_c413),
    ] {
        assert_eq!(hash::bytes(&bytes[..len]), expected, "{len}");
        let mut encoder = Encoder::new();
        bytes[..len].iter().for_each(|&byte| encoder.byte(byte));
        assert_eq!(encoder.finish(), expected, "{len}");
    }
}
