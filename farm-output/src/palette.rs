//! A film's colours, which are selected once for all frames.

use std::collections::HashMap;
use std::sync::OnceLock;

/// A colour: red, green, blue.
pub type Color = [u8; 3];

/// Maximum number of colours in a GIF file; one more is reserved for unchanged pixels.
const MOST: usize = 255;
/// Number of bits per channel for looking up colours.
const BITS: usize = 5;

/// A palette of at most 255 colours, which finds the nearest palette colour for any other colour.
#[derive(Debug, Clone)]
pub struct Palette {
    colors: Vec<Color>,
    /// The index of the nearest colour, by the highest bits of the channels. It is computed on first use. Colours that are in the palette
    /// take precedence.
    nearest: Vec<OnceLock<u8>>,
    exact: HashMap<Color, u8>,
}

/// The frequency of each colour.
#[derive(Debug, Clone, Default)]
pub struct Counted(HashMap<Color, u64>);

impl Counted {
    /// Counts pixels, each with a weight.
    pub fn add(&mut self, pixels: &[u8], weight: u64) {
        for (color, times) in runs(pixels) {
            *self.0.entry(color).or_default() += weight * times as u64;
        }
    }

    /// The palette for the counted colours. It repeatedly divides the box with the most varied colours in two, until there are enough boxes
    /// (Heckbert 1982). The most frequent colour in a box represents the box, so flat colours stay unchanged.
    pub fn palette(self) -> Palette {
        // Sorted, so that equal counts give equal palettes.
        let mut all: Vec<(Color, u64)> = self.0.into_iter().filter(|(_, n)| *n > 0).collect();
        all.sort_unstable();
        let mut boxes = vec![all];
        while boxes.len() < MOST {
            let widest = boxes.iter().enumerate().filter(|(_, colors)| colors.len() > 1);
            let Some((index, _)) = widest.max_by_key(|(i, colors)| (spread(colors).1, usize::MAX - i)) else { break };
            let mut colors = boxes.swap_remove(index);
            let channel = spread(&colors).0;
            colors.sort_by_key(|(color, _)| (color[channel], *color));
            let half = colors.iter().map(|(_, n)| (*n as f64).sqrt()).sum::<f64>() / 2.0;
            let mut so_far = 0.0;
            let cut = colors.iter().position(|(_, n)| {
                so_far += (*n as f64).sqrt();
                so_far >= half
            });
            let cut = cut.unwrap_or(0).clamp(1, colors.len() - 1);
            let rest = colors.split_off(cut);
            boxes.push(colors);
            boxes.push(rest);
        }
        let most =
            |colors: &Vec<(Color, u64)>| colors.iter().max_by_key(|(color, n)| (*n, *color)).map(|(color, _)| *color);
        let mut colors: Vec<Color> = boxes.iter().filter_map(most).collect();
        colors.sort_unstable();
        Palette::new(colors)
    }
}

/// The channel in which a box's colours differ most, and this difference, weighted by the number of pixels.
fn spread(colors: &[(Color, u64)]) -> (usize, u64) {
    let of = |channel: usize| {
        let values = colors.iter().map(|(color, _)| u64::from(color[channel]));
        values.clone().max().unwrap_or(0) - values.min().unwrap_or(0)
    };
    // The eye distinguishes green best and blue worst.
    let weighed = [3 * of(0), 4 * of(1), 2 * of(2)];
    let channel = (0..3).max_by_key(|c| weighed[*c]).unwrap_or(0);
    let count: u64 = colors.iter().map(|(_, n)| *n).sum();
    (channel, weighed[channel] * (1.0 + (count as f64).sqrt()) as u64)
}

/// The colours of consecutive pixels, each with its run length, because most of a picture is flat.
fn runs(pixels: &[u8]) -> impl Iterator<Item = (Color, usize)> {
    pixels.as_chunks::<3>().0.chunk_by(|a, b| a == b).map(|run| (run[0], run.len()))
}

impl Palette {
    /// Starts counting colours.
    pub fn count() -> Counted {
        Counted::default()
    }

    fn new(colors: Vec<Color>) -> Self {
        let exact = colors.iter().enumerate().map(|(i, color)| (*color, i as u8)).collect();
        Self { nearest: vec![OnceLock::new(); 1 << (3 * BITS)], exact, colors }
    }

    /// The colours, three bytes each.
    pub fn bytes(&self) -> Vec<u8> {
        self.colors.concat()
    }

    /// The number of colours.
    pub fn len(&self) -> usize {
        self.colors.len()
    }

    /// Whether there are no colours.
    pub fn is_empty(&self) -> bool {
        self.colors.is_empty()
    }

    /// The index of the nearest colour for each pixel. Each pixel has three bytes.
    pub fn indices(&self, pixels: &[u8]) -> Vec<u8> {
        let mut indices = Vec::with_capacity(pixels.len() / 3);
        for (color, times) in runs(pixels) {
            indices.resize(indices.len() + times, self.index(color));
        }
        indices
    }

    /// The index of the nearest colour.
    fn index(&self, color: Color) -> u8 {
        if let Some(exact) = self.exact.get(&color) {
            return *exact;
        }
        let steps = color.map(|channel| usize::from(channel) >> (8 - BITS));
        let cell = (steps[0] << (2 * BITS)) | (steps[1] << BITS) | steps[2];
        *self.nearest[cell]
            .get_or_init(|| self.nearest_to(steps.map(|step| (step << (8 - BITS)) as i32 + (1 << (7 - BITS)))))
    }

    /// The index of the colour nearest to the channels, by perceived difference.
    fn nearest_to(&self, wanted: [i32; 3]) -> u8 {
        let distance = |color: &Color| {
            let [red, green, blue] = std::array::from_fn(|c| (i32::from(color[c]) - wanted[c]).pow(2));
            3 * red + 4 * green + 2 * blue
        };
        let best = self.colors.iter().enumerate().min_by_key(|(_, color)| distance(color));
        best.map_or(0, |(i, _)| i as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_stay_as_they_are() {
        let mut counted = Palette::count();
        let colors = [[1, 2, 3], [250, 0, 0], [0, 250, 9]];
        colors.iter().for_each(|color| counted.add(color, 1));
        let palette = counted.palette();
        assert_eq!(palette.len(), 3);
        for color in colors {
            assert_eq!(palette.colors[usize::from(palette.index(color))], color);
        }
    }

    #[test]
    fn of_many_colours_each_has_one_near_it_and_frequent_ones_stay() {
        let mut counted = Palette::count();
        counted.add(&[200, 100, 50], 1_000_000);
        for i in 0..4096_u32 {
            counted.add(&[(i % 16 * 16) as u8, (i / 16 % 16 * 16) as u8, (i / 256 * 16) as u8], 1);
        }
        let palette = counted.palette();
        assert_eq!(palette.len(), MOST);
        assert_eq!(palette.colors[usize::from(palette.index([200, 100, 50]))], [200, 100, 50]);
        let far = (0..=255_u8).map(|grey| {
            let found = palette.colors[usize::from(palette.index([grey, grey, grey]))];
            found.iter().map(|c| c.abs_diff(grey)).max().unwrap_or(0)
        });
        assert!(far.max().unwrap_or(0) <= 48);
    }
}
