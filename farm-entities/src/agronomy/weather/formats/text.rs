//! From bytes to text: the encodings that stations, spreadsheets and old programs write.

/// Text with its assumed encoding.
#[derive(Debug, PartialEq)]
pub(super) struct Decoded {
    pub text: String,
    /// The encoding, if it is not UTF-8.
    pub encoding: Option<&'static str>,
}

/// Decodes UTF-8 and UTF-16 in both byte orders (recognised by the byte-order mark, or by the zeros between letters). Other bytes are
/// decoded as Latin-1, in which every byte is a character.
pub(super) fn decode(bytes: Vec<u8>) -> Decoded {
    let utf_16 = |bytes: &[u8], order: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| order([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units)
    };
    let zeros = |first: usize| {
        let shown = &bytes[..bytes.len().min(64)];
        shown.len() >= 4 && shown.iter().skip(first).step_by(2).all(|byte| *byte == 0)
    };
    let (text, encoding) = match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => (utf_16(rest, u16::from_le_bytes), Some("UTF-16")),
        [0xfe, 0xff, rest @ ..] => (utf_16(rest, u16::from_be_bytes), Some("UTF-16")),
        all if zeros(1) => (utf_16(all, u16::from_le_bytes), Some("UTF-16")),
        all if zeros(0) => (utf_16(all, u16::from_be_bytes), Some("UTF-16")),
        _ => match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => (error.as_bytes().iter().map(|byte| char::from(*byte)).collect(), Some("Latin-1")),
        },
    };
    // Spreadsheet programs often write a byte order mark first.
    let text = match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    Decoded { text, encoding }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_encodings_come_to_the_same_text() {
        let text = "Tmin (°C),Tmax\n1,2\n";
        let latin: Vec<u8> = text.chars().map(|c| c as u8).collect();
        let units = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect::<Vec<u8>>();
        let marked = |mark: &[u8], bytes: Vec<u8>| [mark, &bytes].concat();
        for (bytes, encoding) in [
            (text.as_bytes().to_vec(), None),
            (marked(&[0xef, 0xbb, 0xbf], text.as_bytes().to_vec()), None),
            (latin, Some("Latin-1")),
            (marked(&[0xff, 0xfe], units(u16::to_le_bytes)), Some("UTF-16")),
            (marked(&[0xfe, 0xff], units(u16::to_be_bytes)), Some("UTF-16")),
        ] {
            assert_eq!(decode(bytes), Decoded { text: text.to_owned(), encoding });
        }
        let plain: Vec<u8> = "Tmin,Tmax\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(plain).text, "Tmin,Tmax\n");
        assert_eq!(decode(Vec::new()).text, "");
    }
}
