//! Numbers from a seed.

/// Gives numbers that look random and follow from a seed alone: SplitMix64, as in Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators".
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Begins for one text of many: each place of each seed has its own numbers.
    ///
    /// ```
    /// use fuzz::random::Random;
    ///
    /// let first = |seed, place| Random::new(seed, place).below(1 << 40);
    /// assert_eq!(first(7, 1), first(7, 1));
    /// assert_ne!(first(7, 1), first(7, 2));
    /// assert_ne!(first(7, 1), first(8, 1));
    /// ```
    pub fn new(seed: u64, place: u64) -> Self {
        let mut random = Self { state: seed };
        random.state = random.next().wrapping_add(place);
        random
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below this one; 0 below 0.
    pub fn below(&mut self, end: usize) -> usize {
        let end = end as u64;
        let number = self.next().checked_rem(end).unwrap_or_default();
        usize::try_from(number).unwrap_or_default()
    }

    /// Returns one of these, where there is one.
    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        let place = self.below(from.len());
        from.get(place)
    }
}
