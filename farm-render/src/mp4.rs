//! MP4 films: H.264 frames from Cisco's OpenH264, in a file that browsers can play before it is fully loaded.

use farm_output::{Image, OutputError};
use openh264::OpenH264API;
use openh264::encoder::{
    Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, RateControlMode, SpsPpsStrategy, UsageType,
    VuiConfig,
};
use openh264::formats::{RgbSliceU8, YUVBuffer};

use crate::error::{RenderError, check_frame};
use crate::gif::HOLD;
use crate::mp4_boxes::{Mp4Film, Mp4Sample, ticks};

/// Number of frames between key frames: seeking decodes at most this number of frames.
const SEEKABLE_AFTER: u32 = 60;
/// Encodes a film. The bytes stay in memory until they are saved.
pub struct Mp4 {
    encoder: Encoder,
    size: (usize, usize),
    yuv: YUVBuffer,
    seconds_per_frame: f64,
    film: Mp4Film,
}

impl std::fmt::Debug for Mp4 {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mp4").field("size", &self.size).finish_non_exhaustive()
    }
}

fn encode(error: impl std::fmt::Display) -> OutputError {
    OutputError::Encode { what: "MP4", message: error.to_string() }
}

impl Mp4 {
    /// Creates a film with frames of this size at this rate.
    ///
    /// # Errors
    /// The width or height is odd or above 4096, or the encoder can't be created.
    pub fn new(size: (usize, usize), frames_per_second: f64) -> Result<Self, RenderError> {
        let fits = |edge: usize| edge > 0 && edge.is_multiple_of(2) && edge <= 4096;
        if !fits(size.0) || !fits(size.1) {
            let found = format!("{} × {} pixels: edges must be even and at most 4096", size.0, size.1);
            return Err(encode(found).into());
        }
        // Without rate control each frame has the same quality, and flat colours need few bits anyway.
        let config = EncoderConfig::new()
            .usage_type(UsageType::ScreenContentRealTime)
            .rate_control_mode(RateControlMode::Off)
            .adaptive_quantization(false)
            .background_detection(false)
            .max_frame_rate(FrameRate::from_hz(frames_per_second.clamp(0.1, 60.0) as f32))
            .sps_pps_strategy(SpsPpsStrategy::ConstantId)
            .skip_frames(false)
            .intra_frame_period(IntraFramePeriod::from_num_frames(SEEKABLE_AFTER))
            .vui(VuiConfig::bt601())
            .num_threads(1);
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config).map_err(encode)?;
        let (film, seconds_per_frame) = (Mp4Film::new(size), 1.0 / frames_per_second);
        Ok(Self { encoder, size, yuv: YUVBuffer::new(size.0, size.1), seconds_per_frame, film })
    }

    /// Adds a frame.
    ///
    /// # Errors
    /// The frame has a different size, or the encoder fails.
    pub fn frame(&mut self, image: &Image) -> Result<(), RenderError> {
        self.frame_for(image, self.seconds_per_frame)
    }

    /// Adds a frame with its duration in seconds.
    ///
    /// # Errors
    /// The frame has a different size, or the encoder fails.
    pub fn frame_for(&mut self, image: &Image, seconds: f64) -> Result<(), RenderError> {
        check_frame(image, self.size)?;
        self.yuv.read_rgb8(RgbSliceU8::new(image.pixels(), self.size));
        let stream = self.encoder.encode(&self.yuv).map_err(encode)?;
        let is_key = matches!(stream.frame_type(), FrameType::IDR);
        let mut sample = Mp4Sample { data: Vec::new(), is_key, ticks: ticks(seconds) };
        for layer in (0..stream.num_layers()).filter_map(|i| stream.layer(i)) {
            for unit in (0..layer.nal_count()).filter_map(|i| layer.nal_unit(i)) {
                self.film.add_unit(&mut sample, unit);
            }
        }
        self.film.add(sample);
        Ok(())
    }

    /// The bytes of the file. The last frame lasts at least 2.5 s.
    ///
    /// # Errors
    /// The film has no frames, or is larger than two gigabytes.
    pub fn finish(mut self) -> Result<Vec<u8>, RenderError> {
        self.film.hold(ticks(HOLD));
        Ok(self.film.file().map_err(encode)?)
    }
}
