//! Decimal digits of every script.

/// The digits by their value.
pub(super) const LATIN: [char; 10] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];

/// The zeros of the scripts whose digits follow each other. Mathematical digits and those of other widths are compatible with
/// Latin ones, so that the decomposition of a text has none of them.
const ZEROS: [u32; 63] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6,
    0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50,
    0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x104a0, 0x10d30, 0x10d40, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0,
    0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11bf0, 0x11c50, 0x11d50, 0x11da0, 0x11f50,
    0x16a60, 0x16ac0, 0x16b50, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e950,
];

/// Returns the value of a decimal digit of any script.
pub(super) fn value(character: char) -> Option<u8> {
    if character.is_ascii() {
        return character.to_digit(10).and_then(|it| u8::try_from(it).ok());
    }
    let code = u32::from(character);
    let after = ZEROS.partition_point(|zero| *zero <= code);
    let zero = ZEROS.get(after.checked_sub(1)?)?;
    let value = u8::try_from(code.saturating_sub(*zero)).ok()?;
    (value < 10).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_have_their_values() {
        for (digits, values) in [
            ("0123456789", 0..10),
            ("٠١٢٣٤٥٦٧٨٩", 0..10),
            ("۰۱۲۳۴۵۶۷۸۹", 0..10),
            ("०१२३४५६७८९", 0..10),
            ("๐๑๒๓๔๕๖๗๘๙", 0..10),
            ("０１２３４５６７８９", 0..10),
        ] {
            assert!(digits.chars().map(value).eq(values.map(Some)), "{digits}");
        }
        assert!("a٪²½一".chars().all(|it| value(it).is_none()));
        assert!(ZEROS.is_sorted());
    }
}
