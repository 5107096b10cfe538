//! The settings and the addresses of a class, and the QR code of the pupils' address.

use std::path::PathBuf;

use qrcode::render::unicode::Dense1x2;
use qrcode::{Color, QrCode};
use serde_json::{Value as Json, json};

/// The settings of a class.
#[derive(Debug, Clone)]
pub struct ClassSettings {
    /// The name of the class, which pupils and the teacher see.
    pub name: String,
    /// The file that keeps the class over a restart. If it exists, the class continues.
    pub file: PathBuf,
}

/// The addresses of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassAddress {
    /// The address for pupils. It contains everything that they need.
    pub pupils: String,
    /// The teacher's address. It contains a secret.
    pub teacher: String,
}

impl ClassAddress {
    /// The addresses on a server: `host` with its port, the code of the class, the teacher's secret.
    pub(crate) fn new(host: &str, code: &str, secret: &str) -> Self {
        Self { pupils: format!("http://{host}/{code}"), teacher: format!("http://{host}/teacher#token={secret}") }
    }

    /// The pupils' address as a QR code of characters for a terminal; none if the address is too long. Light characters on a dark ground.
    pub fn qr_text(&self) -> Option<String> {
        let code = QrCode::new(&self.pupils).ok()?;
        let (dark, light) = (Dense1x2::Light, Dense1x2::Dark);
        Some(code.render::<Dense1x2>().dark_color(dark).light_color(light).build())
    }
}

/// An address as a QR code for the page: its width in modules, with a margin, and the path of an SVG.
pub(super) fn qr_path(address: &str) -> Option<Json> {
    /// The margin that readers need, in modules.
    const MARGIN: usize = 4;
    let code = QrCode::new(address).ok()?;
    let width = code.width();
    let mut path = String::new();
    for (i, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            path += &format!("M{} {}h1v1h-1z", i % width + MARGIN, i / width + MARGIN);
        }
    }
    Some(json!({ "width": width + 2 * MARGIN, "path": path }))
}
