//! Our own table: a row for each day, with units in the headers.

use std::fmt::Write as _;

use super::Series;

/// The headers.
const HEADERS: &str = "Date,Tmin#°C,T#°C,Tmax#°C,RH#%,Rain#mm,U#km/h,Clouds#%,WindDirection#°,SRAD#MJ/m²";

impl Series {
    /// The days as a table that is read back to the same days, within the last digit that a number is written with. A table without dates
    /// has none.
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        let provenance = &self.provenance;
        if let (Some(latitude), Some(longitude)) = (provenance.latitude_degrees, provenance.longitude_degrees) {
            let _ = writeln!(text, "# latitude: {latitude}, longitude: {longitude}");
        }
        if let Some(metres) = provenance.elevation_m {
            let _ = writeln!(text, "# elevation: {metres}");
        }
        let headers = if self.first.is_some() { HEADERS } else { HEADERS.trim_start_matches("Date,") };
        let _ = writeln!(text, "{headers}");
        for (i, day) in self.days.iter().enumerate() {
            if let Some(date) = self.date(i) {
                let _ = write!(text, "{date},");
            }
            let or_empty = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{},{}",
                day.min_celsius,
                day.mean_celsius,
                day.max_celsius,
                day.humidity_percent,
                day.rain_mm,
                day.wind_km_per_h,
                day.clouds_percent,
                or_empty(day.direction_degrees),
                or_empty(day.solar_mj),
            );
        }
        text
    }
}
