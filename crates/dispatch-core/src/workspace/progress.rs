//! What a handler tells of its way.

/// How far a handler has come. It goes to the host while the handler runs, and never enters the result.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Progress {
    /// What is being done.
    pub text: String,
    /// The part that is done, where it is known.
    pub fraction: Option<Fraction>,
}

/// A part of a whole: a number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Fraction(f64);

/// A number that is not from 0 to 1, and no part of anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a fraction must be a number from 0 to 1")]
pub struct FractionOutOfRange;

impl Fraction {
    /// Makes a fraction of a number.
    ///
    /// A handler that counts may leave out what it gets wrong, as a total that is zero or grew meanwhile: `Fraction::new(done / total).ok()`.
    ///
    /// # Errors
    ///
    /// [`FractionOutOfRange`] unless the number is from 0 to 1.
    ///
    /// ```
    /// use dispatch_core::workspace::{Fraction, FractionOutOfRange};
    ///
    /// assert_eq!(Fraction::new(0.25)?.get(), 0.25);
    /// assert_eq!(Fraction::new(1.5), Err(FractionOutOfRange));
    /// assert_eq!(Fraction::new(f64::NAN), Err(FractionOutOfRange));
    /// # Ok::<(), FractionOutOfRange>(())
    /// ```
    pub fn new(fraction: f64) -> Result<Self, FractionOutOfRange> {
        // -0 is in the range, and added to 0 it is 0.
        if (0.0..=1.0).contains(&fraction) { Ok(Self(fraction + 0.0)) } else { Err(FractionOutOfRange) }
    }

    /// Returns the number.
    pub fn get(self) -> f64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fraction_is_from_zero_to_one() {
        for outside in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -f64::MIN_POSITIVE, 1.0 + f64::EPSILON] {
            assert_eq!(Fraction::new(outside), Err(FractionOutOfRange), "{outside}");
        }
        for (inside, bits) in
            [(0.0, 0), (-0.0, 0), (1.0, 1f64.to_bits()), (f64::MIN_POSITIVE, f64::MIN_POSITIVE.to_bits())]
        {
            assert_eq!(Fraction::new(inside).map(|fraction| fraction.get().to_bits()), Ok(bits), "{inside}");
        }
    }
}
