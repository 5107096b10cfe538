//! Parts that limit the growth of plants, such as a disease. Each part has its own name among the growth limits.

use farm_core::config::{LimitError, Path, Problem};
use farm_core::math::ln;
use farm_core::{Builder, Column, Context};
use farm_roles::GROWTH_HINDRANCE;

/// Maximum number of causes that a one-byte category can distinguish.
const MAX_LIMITS: usize = 256;

/// A part that limits growth.
pub(super) struct Hindrance {
    share: Column<f64>,
    /// Its number among the growth limits.
    limit: u8,
}

/// The names of the growth limits, and the parts that limit growth. The parts come after the `known` limits. Each of these limits is named
/// after its part, or after the part's path if another part has the same name.
pub(super) fn limits_and_hindrances(b: &mut Builder<'_>, known: &[&str]) -> (Vec<String>, Vec<Hindrance>) {
    let most = MAX_LIMITS - known.len();
    let providers = b.all_declared(GROWTH_HINDRANCE);
    if providers.len() > most {
        let message = format!("{} parts limit the growth of the plants", providers.len());
        b.problem(
            Problem::new(LimitError::GameTooLarge, Path::default(), message)
                .about_name()
                .expected(format!("at most {most}")),
        );
    }
    let mut limits = known.iter().map(|limit| String::from(*limit)).collect::<Vec<String>>();
    let mut owners: Vec<(String, u8)> = Vec::new();
    let mut hindrances = Vec::new();
    for (path, _, share) in providers.into_iter().take(most) {
        let limit = match owners.iter().find(|(owner, _)| *owner == path) {
            Some((_, limit)) => *limit,
            None => {
                let name = path.rsplit('.').next().unwrap_or_default().to_owned();
                let limit = limits.len() as u8;
                // The name of a category is one word.
                limits.push(if limits.contains(&name) { path.replace(char::is_whitespace, "_") } else { name });
                owners.push((path, limit));
                limit
            }
        };
        hindrances.push(Hindrance { share, limit });
    }
    (limits, hindrances)
}

/// The share of growth that remains on a plot under all hindrances together (Farm-gym Eq. 1). Also returns the worst hindrance if its
/// penalty in the exponent of the response is above `penalty`.
///
/// f = Π (1 − h), and 1 − h = exp(−p): a hindrance is a further term p = −ln(1 − h) of the response
#[farm_core::equation("1")]
pub(super) fn hindered(hindrances: &[Hindrance], plot: usize, penalty: f64, c: &Context<'_>) -> (f64, Option<u8>) {
    let (mut left, mut most, mut worst) = (1.0, penalty, None);
    for hindrance in hindrances {
        let share = c.get(hindrance.share)[plot].get().clamp(0.0, 1.0);
        let penalty = if share < 1.0 { -ln(1.0 - share) } else { f64::INFINITY };
        left *= 1.0 - share;
        if penalty > most {
            (most, worst) = (penalty, Some(hindrance.limit));
        }
    }
    (left, worst)
}
