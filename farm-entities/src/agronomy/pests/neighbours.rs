//! The plots that pests and spores move to: the four neighbours of a plot, preferably downwind.

/// Wind speed that has the same weight as a perfectly attractive plot.
pub(super) const KMH_PER_WEIGHT: f64 = 10.0;

// Directions clockwise as on a map; `STAYING` follows them.
pub(in crate::agronomy) const NORTH: usize = 0;
pub(super) const EAST: usize = 1;
pub(super) const SOUTH: usize = 2;
pub(in crate::agronomy) const STAYING: usize = 4;

/// The flat index of the neighbour in a direction, within the field: y increases to the south, x to the east.
#[inline]
pub(in crate::agronomy) fn adjacent(
    x: usize,
    y: usize,
    direction: usize,
    length: usize,
    width: usize,
) -> Option<usize> {
    let (x, y) = match direction {
        NORTH => (x, y.checked_sub(1)?),
        EAST => (x + 1, y),
        SOUTH => (x, y + 1),
        _ => (x.checked_sub(1)?, y),
    };
    (x < length && y < width).then_some(x * width + y)
}

/// The nearest of the four directions to the downwind direction. The argument is the direction that the wind comes from, in degrees (0
/// north, 90 east).
#[inline]
pub(super) fn downwind(from_degrees: f64) -> usize {
    ((from_degrees + 180.0 + 45.0).rem_euclid(360.0) / 90.0) as usize % 4
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEST: usize = 3;

    #[test]
    fn wind_from_the_north_blows_south() {
        for (from, to) in [
            (0.0, SOUTH),
            (360.0, SOUTH),
            (90.0, WEST),
            (180.0, NORTH),
            (270.0, EAST),
            (44.0, SOUTH),
            (46.0, WEST),
            (316.0, SOUTH),
            (314.0, EAST),
        ] {
            assert_eq!(downwind(from), to, "from {from}°");
        }
    }

    #[test]
    fn neighbours_lie_within_the_field() {
        let all = |x, y| [NORTH, EAST, SOUTH, WEST].map(|direction| adjacent(x, y, direction, 4, 3));
        assert_eq!(all(1, 1), [Some(3), Some(7), Some(5), Some(1)]);
        assert_eq!(all(0, 0), [None, Some(3), Some(1), None]);
        assert_eq!(all(3, 2), [Some(10), None, None, Some(8)]);
        assert!([NORTH, EAST, SOUTH, WEST].iter().all(|d| adjacent(0, 0, *d, 1, 1).is_none()));
    }
}
