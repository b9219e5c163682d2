//! The root mean square and the bias of errors, and how well they are known.

#[derive(Clone, Copy, Default)]
pub struct Moments {
    count: f64,
    sums: [f64; 3],
}

/// A measured number and its standard error.
#[derive(Clone, Copy)]
pub struct Measured {
    pub value: f64,
    pub error: f64,
}

impl Moments {
    pub fn add(&mut self, error: f64) {
        self.count += 1.0;
        let square = error * error;
        for (sum, power) in self.sums.iter_mut().zip([error, square, square * square]) {
            *sum += power;
        }
    }

    pub fn merge(&mut self, other: &Moments) {
        self.count += other.count;
        for (sum, other) in self.sums.iter_mut().zip(other.sums) {
            *sum += other;
        }
    }

    /// The root mean square.
    pub fn rms(&self) -> Measured {
        let [_, square, fourth] = self.sums.map(|sum| sum / self.count);
        let of_square = ((fourth - square * square).max(0.0) / self.count).sqrt();
        let value = square.sqrt();
        Measured { value, error: if value > 0.0 { of_square / (2.0 * value) } else { 0.0 } }
    }

    /// The mean.
    pub fn bias(&self) -> Measured {
        let [mean, square, _] = self.sums.map(|sum| sum / self.count);
        Measured { value: mean, error: ((square - mean * mean).max(0.0) / self.count).sqrt() }
    }
}

impl std::ops::Div<f64> for Measured {
    type Output = Measured;

    fn div(self, unit: f64) -> Measured {
        Measured { value: self.value / unit, error: self.error / unit }
    }
}
