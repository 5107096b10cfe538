//! The container of an MP4 film: boxes (ISO/IEC 14496-12) around H.264 frames (14496-15), with the table of contents first.

/// Ticks per second, the unit of all times.
const TICKS_PER_SECOND: u32 = 90_000;

/// A time in seconds as ticks.
pub(crate) fn ticks(seconds: f64) -> u32 {
    (f64::from(TICKS_PER_SECOND) * seconds).round().clamp(1.0, f64::from(u32::MAX / 2)) as u32
}

/// Types of H.264 units (ITU-T H.264, table 7-1).
const SEQUENCE_PARAMETERS: u8 = 7;
const PICTURE_PARAMETERS: u8 = 8;

/// One encoded frame.
#[derive(Debug, Default)]
pub(crate) struct Mp4Sample {
    /// Its units, each preceded by its length.
    pub data: Vec<u8>,
    /// Whether it can be shown without earlier frames.
    pub is_key: bool,
    /// Its duration in ticks.
    pub ticks: u32,
}

/// The frames of a film and their common parameters.
#[derive(Debug)]
pub(crate) struct Mp4Film {
    size: (usize, usize),
    sequence: Vec<u8>,
    picture: Vec<u8>,
    samples: Vec<Mp4Sample>,
}

/// Builds a box: its length, name and content.
fn boxed(name: &[u8; 4], content: &[&[u8]]) -> Vec<u8> {
    let length = 8 + content.iter().map(|part| part.len()).sum::<usize>();
    let mut bytes = Vec::with_capacity(length);
    bytes.extend((length as u32).to_be_bytes());
    bytes.extend(name);
    content.iter().for_each(|part| bytes.extend(*part));
    bytes
}

/// Builds a box with a version and flags.
fn full(name: &[u8; 4], flags: u32, content: &[&[u8]]) -> Vec<u8> {
    let head = flags.to_be_bytes();
    let parts: Vec<&[u8]> = std::iter::once(head.as_slice()).chain(content.iter().copied()).collect();
    boxed(name, &parts)
}

/// The bytes of 32-bit numbers.
fn words(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// The identity matrix in fixed point.
const IDENTITY: [u32; 9] = [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000];

impl Mp4Film {
    /// A film without frames.
    pub(crate) fn new(size: (usize, usize)) -> Self {
        Self { size, sequence: Vec::new(), picture: Vec::new(), samples: Vec::new() }
    }

    /// Sets the minimum duration of the last frame.
    pub(crate) fn hold(&mut self, ticks: u32) {
        self.samples.last_mut().into_iter().for_each(|last| last.ticks = last.ticks.max(ticks));
    }

    /// Adds a unit to a frame. Parameters of the whole film are stored separately, because the file contains them only once.
    pub(crate) fn add_unit(&mut self, sample: &mut Mp4Sample, unit: &[u8]) {
        let start = unit.iter().position(|byte| *byte != 0).map_or(unit.len(), |at| at + 1);
        let unit = &unit[start..];
        match unit.first().map(|head| head & 0x1f) {
            None => {}
            Some(SEQUENCE_PARAMETERS) => self.sequence = unit.to_vec(),
            Some(PICTURE_PARAMETERS) => self.picture = unit.to_vec(),
            Some(_) => {
                sample.data.extend((unit.len() as u32).to_be_bytes());
                sample.data.extend(unit);
            }
        }
    }

    /// Adds a frame. A frame that the encoder skipped has no data, and extends the previous frame.
    pub(crate) fn add(&mut self, sample: Mp4Sample) {
        self.samples.push(sample);
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// The film has no frames, or is larger than two gigabytes.
    pub(crate) fn file(&self) -> Result<Vec<u8>, String> {
        let [_, profile, compatibility, level, ..] = self.sequence.as_slice() else {
            return Err("the film has no frames".to_owned());
        };
        let kinds: [&[u8]; 6] = [b"isom", &512_u32.to_be_bytes(), b"isom", b"iso2", b"avc1", b"mp41"];
        let head = boxed(b"ftyp", &kinds);
        let data: usize = self.samples.iter().map(|sample| sample.data.len()).sum();
        if u32::try_from(data).map_or(true, |data| data > u32::MAX / 2) {
            return Err("the film has more than two gigabytes".to_owned());
        }
        let decoder = [&[1, *profile, *compatibility, *level, 0xff, 0xe1], self.sequence.as_slice()];
        let decoder = boxed(
            b"avcC",
            &[
                decoder[0],
                &(self.sequence.len() as u16).to_be_bytes(),
                decoder[1],
                &[1],
                &(self.picture.len() as u16).to_be_bytes(),
                &self.picture,
            ],
        );
        // The table of contents has the same length wherever the frames begin.
        let length = self.contents(&decoder, 0).len();
        let contents = self.contents(&decoder, (head.len() + length + 8) as u32);
        let mut file = [head, contents].concat();
        file.extend(((data + 8) as u32).to_be_bytes());
        file.extend(b"mdat");
        self.samples.iter().for_each(|sample| file.extend(&sample.data));
        Ok(file)
    }

    fn contents(&self, decoder: &[u8], first_frame_at: u32) -> Vec<u8> {
        let (width, height) = (self.size.0 as u32, self.size.1 as u32);
        // A skipped frame prolongs the previous frame.
        let mut times: Vec<(u32, &Mp4Sample)> = Vec::new();
        for sample in &self.samples {
            match times.last_mut() {
                Some((ticks, _)) if sample.data.is_empty() => *ticks = ticks.saturating_add(sample.ticks),
                _ => times.push((sample.ticks, sample)),
            }
        }
        let ticks = times.iter().fold(0_u32, |sum, (ticks, _)| sum.saturating_add(*ticks));
        let film = full(
            b"mvhd",
            0,
            &[
                &words(&[0, 0, TICKS_PER_SECOND, ticks, 0x1_0000, 0x0100_0000, 0, 0]),
                &words(&IDENTITY),
                &words(&[0, 0, 0, 0, 0, 0, 2]),
            ],
        );
        let track = full(
            b"tkhd",
            3,
            &[&words(&[0, 0, 1, 0, ticks, 0, 0, 0, 0]), &words(&IDENTITY), &words(&[width << 16, height << 16])],
        );
        // "und": no language, in three times five bits.
        let media = full(b"mdhd", 0, &[&words(&[0, 0, TICKS_PER_SECOND, ticks, 0x55c4_0000])]);
        let handler = full(b"hdlr", 0, &[&words(&[0]), b"vide", &words(&[0, 0, 0]), b"video\0"]);
        let references = full(b"dref", 0, &[&words(&[1]), &full(b"url ", 1, &[])]);
        let mut entry = vec![0; 6];
        entry.extend(1_u16.to_be_bytes());
        entry.extend([0; 16]);
        entry.extend((width as u16).to_be_bytes());
        entry.extend((height as u16).to_be_bytes());
        entry.extend(words(&[0x0048_0000, 0x0048_0000, 0]));
        entry.extend(1_u16.to_be_bytes());
        entry.extend([0; 32]);
        entry.extend(24_u16.to_be_bytes());
        entry.extend([0xff, 0xff]);
        let description = full(b"stsd", 0, &[&words(&[1]), &boxed(b"avc1", &[&entry, decoder])]);
        let durations = times.iter().flat_map(|(ticks, _)| [1, *ticks]).collect::<Vec<u32>>();
        let durations = full(b"stts", 0, &[&words(&[times.len() as u32]), &words(&durations)]);
        let keys = times.iter().enumerate().filter(|(_, (_, sample))| sample.is_key).map(|(i, _)| i as u32 + 1);
        let keys: Vec<u32> = keys.collect();
        let keys = full(b"stss", 0, &[&words(&[keys.len() as u32]), &words(&keys)]);
        // All frames are in one chunk.
        let chunks = full(b"stsc", 0, &[&words(&[1, 1, times.len() as u32, 1])]);
        let sizes: Vec<u32> = times.iter().map(|(_, sample)| sample.data.len() as u32).collect();
        let sizes = full(b"stsz", 0, &[&words(&[0, sizes.len() as u32]), &words(&sizes)]);
        let offsets = full(b"stco", 0, &[&words(&[1, first_frame_at])]);
        let table = boxed(b"stbl", &[&description, &durations, &keys, &chunks, &sizes, &offsets]);
        let video = full(b"vmhd", 1, &[&[0; 8]]);
        let information = boxed(b"minf", &[&video, &boxed(b"dinf", &[&references]), &table]);
        let media = boxed(b"mdia", &[&media, &handler, &information]);
        boxed(b"moov", &[&film, &boxed(b"trak", &[&track, &media])])
    }
}
