//! Statistics of pairs of measured and simulated values.

/// Groups with fewer values have no rank correlation and no model efficiency.
pub(crate) const LEAST: usize = 4;

/// A measured value and the simulated one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The measured value.
    pub measured: f64,
    /// The simulated value.
    pub simulated: f64,
}

/// How well simulated values agree with measured ones. A value is `None` if there are too few pairs for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// The number of pairs.
    pub n: usize,
    /// The sum of the simulated values divided by the sum of the measured ones.
    pub bias: Option<f64>,
    /// The root mean square error divided by the mean of the measured values.
    pub nrmse: Option<f64>,
    /// The model efficiency of Nash and Sutcliffe: 1 is perfect, 0 is as good as the mean of the measured values.
    pub efficiency: Option<f64>,
    /// The root mean square error.
    pub rmse: Option<f64>,
    /// The mean of simulated minus measured.
    pub difference: Option<f64>,
}

impl Agreement {
    /// The agreement of some pairs.
    pub fn of(pairs: &[Pair]) -> Self {
        let n = pairs.len();
        let count = n as f64;
        let sum = |value: fn(&Pair) -> f64| pairs.iter().map(value).sum::<f64>();
        let (measured, simulated) = (sum(|pair| pair.measured), sum(|pair| pair.simulated));
        let squares = sum(|pair| (pair.simulated - pair.measured).powi(2));
        let mean = measured / count;
        let spread: f64 = pairs.iter().map(|pair| (pair.measured - mean).powi(2)).sum();
        let rmse = (n > 0).then(|| (squares / count).sqrt());
        Self {
            n,
            bias: (measured > 0.0).then(|| simulated / measured),
            nrmse: rmse.filter(|_| mean > 0.0).map(|rmse| rmse / mean),
            efficiency: (n >= LEAST && spread > 0.0).then(|| 1.0 - squares / spread),
            rmse,
            difference: (n > 0).then(|| (simulated - measured) / count),
        }
    }
}

/// Spearman's rank correlation, with mean ranks for equal values; `None` for fewer than 4 pairs, or if all values are equal.
pub fn rank_correlation(pairs: &[Pair]) -> Option<f64> {
    if pairs.len() < LEAST {
        return None;
    }
    let measured = ranks(pairs.iter().map(|pair| pair.measured).collect());
    let simulated = ranks(pairs.iter().map(|pair| pair.simulated).collect());
    let middle = (pairs.len() as f64 + 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - middle) * (b - middle)).sum::<f64>();
    let scale = product(&measured, &measured) * product(&simulated, &simulated);
    (scale > 0.0).then(|| product(&measured, &simulated) / scale.sqrt())
}

/// The rank of each value, from 1.
fn ranks(values: Vec<f64>) -> Vec<f64> {
    let rank = |value: &f64| {
        let below = values.iter().filter(|other| *other < value).count() as f64;
        let equal = values.iter().filter(|other| *other == value).count() as f64;
        below + (equal + 1.0) / 2.0
    };
    values.iter().map(rank).collect()
}

/// The median; `None` without values.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        n if n % 2 == 1 => values.get(middle).copied(),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(values: &[(f64, f64)]) -> Vec<Pair> {
        values.iter().map(|(measured, simulated)| Pair { measured: *measured, simulated: *simulated }).collect()
    }

    #[test]
    fn an_agreement_worked_by_hand() {
        // Errors 1, -1, 2, 0: squares 6; measured mean 3, spread (1-3)² + (2-3)² + (3-3)² + (6-3)² = 14.
        let agreement = Agreement::of(&pairs(&[(1.0, 2.0), (2.0, 1.0), (3.0, 5.0), (6.0, 6.0)]));
        let near = |found: Option<f64>, expected: f64| assert!((found.unwrap() - expected).abs() < 1e-12);
        near(agreement.bias, 14.0 / 12.0);
        near(agreement.rmse, (6.0_f64 / 4.0).sqrt());
        near(agreement.nrmse, (6.0_f64 / 4.0).sqrt() / 3.0);
        near(agreement.efficiency, 1.0 - 6.0 / 14.0);
        near(agreement.difference, 0.5);
        assert_eq!(Agreement::of(&[]).rmse, None);
    }

    #[test]
    fn ranks_do_not_depend_on_the_scale_and_ties_share_their_rank() {
        let up = pairs(&[(1.0, 10.0), (2.0, 1000.0), (5.0, 1001.0), (9.0, 1e6)]);
        assert_eq!(rank_correlation(&up), Some(1.0));
        assert_eq!(rank_correlation(&up[..3]), None);
        // Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: covariance 4.5, variances 4.5 and 5.
        let ties = pairs(&[(1.0, 1.0), (2.0, 2.0), (2.0, 3.0), (4.0, 4.0)]);
        assert!((rank_correlation(&ties).unwrap() - 4.5 / (4.5_f64 * 5.0).sqrt()).abs() < 1e-12);
        assert_eq!(rank_correlation(&pairs(&[(1.0, 3.0), (2.0, 3.0), (3.0, 3.0), (4.0, 3.0)])), None);
    }

    #[test]
    fn a_median_of_an_even_number_lies_between_two_values() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(Vec::new()), None);
    }
}
