//! This project's own table: a row for each day, with units in the headers.

use std::fmt::Write as _;

use super::{Day, Series};

/// The headers.
const HEADERS: &str = "Date,Tmin#°C,T#°C,Tmax#°C,RH#%,Rain#mm,U#km/h,Clouds#%,WindDirection#°,SRAD#MJ/m²";

/// A day's values, in the order of the headers after the date.
fn values(day: &Day) -> [Option<f64>; 9] {
    [
        Some(day.min_celsius),
        Some(day.mean_celsius),
        Some(day.max_celsius),
        Some(day.humidity_percent),
        Some(day.rain_mm),
        Some(day.wind_km_per_h),
        Some(day.clouds_percent),
        day.direction_degrees,
        day.solar_mj,
    ]
}

impl Series {
    /// The columns of that table without the date, each with its header; unknown values are NaN.
    pub fn columns(&self) -> impl Iterator<Item = (&'static str, Vec<f64>)> + '_ {
        let column = |i: usize| self.days.iter().map(|day| values(day)[i].unwrap_or(f64::NAN)).collect();
        HEADERS.split(',').skip(1).enumerate().map(move |(i, header)| (header, column(i)))
    }

    /// The days as a table. Reading it gives the same days, up to the last written digit. If the series has no dates, the table has no
    /// dates either.
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
            let cells = values(day).map(|value| value.map(|value| value.to_string()).unwrap_or_default());
            let _ = writeln!(text, "{}", cells.join(","));
        }
        text
    }
}
