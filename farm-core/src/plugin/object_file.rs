//! Checks that a library file is as long as its own headers state.
//!
//! The system loader maps a file into memory, using the lengths in its headers. If the file is shorter, for example after an interrupted
//! copy, the process ends with a bus error when it first accesses the missing part.
//! The lengths are therefore compared before the file is loaded. This applies only to ELF (Linux, BSD); the loaders of macOS and Windows
//! check the files themselves.
//!
//! In most files, the section table comes last. No loader reads this table, but a file without it has also been truncated.

/// The number of bytes missing from an ELF file, according to its own headers. `None` if no bytes are missing or the file has another
/// format.
pub(super) fn missing_bytes(file: &[u8]) -> Option<u64> {
    let length = file.len() as u64;
    let needed = if file.starts_with(b"\x7fELF") { needed_bytes(file).max(needed_header(file)) } else { 0 };
    needed.checked_sub(length).filter(|missing| *missing > 0)
}

/// The positions and sizes of a header's fields, by address width.
struct ObjectFormat {
    header: usize,
    /// The start of the program header table, and the width of an offset.
    table: usize,
    width: usize,
    /// The size and the number of the table's entries, two bytes each.
    entry_size: usize,
    entries: usize,
    /// Within an entry: the offset in the file, and the size in the file.
    offset: usize,
    size: usize,
    /// The same fields for the section header table.
    sections: usize,
    section_size: usize,
    section_entries: usize,
}

const FORM_32: ObjectFormat = ObjectFormat {
    header: 52,
    table: 28,
    width: 4,
    entry_size: 42,
    entries: 44,
    offset: 4,
    size: 16,
    sections: 32,
    section_size: 46,
    section_entries: 48,
};
const FORM_64: ObjectFormat = ObjectFormat {
    header: 64,
    table: 32,
    width: 8,
    entry_size: 54,
    entries: 56,
    offset: 8,
    size: 32,
    sections: 40,
    section_size: 58,
    section_entries: 60,
};

fn form(file: &[u8]) -> &'static ObjectFormat {
    if file.get(4) == Some(&1) { &FORM_32 } else { &FORM_64 }
}

fn needed_header(file: &[u8]) -> u64 {
    form(file).header as u64
}

/// The end of the header tables and of all segments in the program headers, as far as the file contains these headers.
fn needed_bytes(file: &[u8]) -> u64 {
    let form = form(file);
    let is_big_endian = file.get(5) == Some(&2);
    let number = |at: usize, width: usize| -> Option<u64> {
        let bytes = file.get(at..at.checked_add(width)?)?;
        let add = |sum: u64, byte: &u8| (sum << 8) | u64::from(*byte);
        Some(if is_big_endian { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) })
    };
    let table = |start: usize, size: usize, entries: usize| {
        Some((number(start, form.width)?, number(size, 2)?, number(entries, 2)?))
    };
    let end = |(start, size, entries): (u64, u64, u64)| start.saturating_add(size * entries);
    let sections = table(form.sections, form.section_size, form.section_entries).map_or(0, end);
    let Some((table, entry_size, entries)) = table(form.table, form.entry_size, form.entries) else { return sections };
    let mut needed = sections.max(end((table, entry_size, entries)));
    for entry in 0..entries {
        let start = usize::try_from(table.saturating_add(entry * entry_size)).unwrap_or(usize::MAX);
        let field = |at: usize| number(start.checked_add(at)?, form.width);
        let Some((offset, size)) = field(form.offset).zip(field(form.size)) else { break };
        needed = needed.max(offset.saturating_add(size));
    }
    needed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(file: &mut [u8], is_big_endian: bool, at: usize, width: usize, value: u64) {
        let bytes = if is_big_endian {
            value.to_be_bytes()[8 - width..].to_vec()
        } else {
            value.to_le_bytes()[..width].to_vec()
        };
        file[at..at + width].copy_from_slice(&bytes);
    }

    /// A file with one program header, whose segment starts at 200 and has 100 bytes.
    fn elf(form: &ObjectFormat, class: u8, is_big_endian: bool) -> Vec<u8> {
        let mut file = vec![0; 300];
        file[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', class, if is_big_endian { 2 } else { 1 }]);
        let mut set = |at, width, value| write(&mut file, is_big_endian, at, width, value);
        set(form.table, form.width, form.header as u64);
        set(form.entry_size, 2, 56);
        set(form.entries, 2, 1);
        set(form.header + form.offset, form.width, 200);
        set(form.header + form.size, form.width, 100);
        file
    }

    #[test]
    fn a_file_that_was_cut_is_noticed_wherever_it_was_cut() {
        for (form, class) in [(&FORM_32, 1), (&FORM_64, 2)] {
            for is_big_endian in [false, true] {
                let file = elf(form, class, is_big_endian);
                assert_eq!(missing_bytes(&file), None);
                assert_eq!(missing_bytes(&file[..299]), Some(1));
                assert!((4..300).all(|length| missing_bytes(&file[..length]).is_some()));
                let mut with_sections = file.clone();
                // Two headers of 40 bytes at the end of 300 bytes.
                for (at, width, value) in
                    [(form.sections, form.width, 300), (form.section_size, 2, 40), (form.section_entries, 2, 2)]
                {
                    write(&mut with_sections, is_big_endian, at, width, value);
                }
                assert_eq!(missing_bytes(&with_sections), Some(80));
                with_sections.resize(380, 0);
                assert_eq!(missing_bytes(&with_sections), None);
            }
        }
        assert_eq!(missing_bytes(b"MZ, of another system"), None);
        let mut absurd = elf(&FORM_64, 2, false);
        absurd[FORM_64.header + FORM_64.size..][..8].fill(0xff);
        assert!(missing_bytes(&absurd).is_some());
    }
}
