//! The kernels of `cms`: update, merging from stored bytes, thawing, bringing to rest, looking up.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sketch::cms::{self, Cms, Params};
use sketch::hash::{self, ValueClass};
use sketch::{Fit, Owned, Sketch, rest};

const CLASS: ValueClass = ValueClass::Number;

fn working(hashes: &[u64], params: Params) -> Vec<u8> {
    let mut sketch = Owned::<Cms>::new(params);
    hashes.iter().for_each(|&hash| sketch.insert(CLASS, hash).unwrap());
    sketch.state().to_vec()
}

/// The hashes of `rows` values that follow a Zipf law of exponent 1.1 over a million values.
fn zipf(rows: usize) -> Vec<u64> {
    let mut rng = SmallRng::seed_from_u64(1);
    let mut shares = vec![0.0; 1_000_000];
    let mut sum = 0.0;
    for (i, share) in shares.iter_mut().enumerate() {
        sum += ((i + 1) as f64).powf(-1.1);
        *share = sum;
    }
    let mut draw = || {
        let at = rng.random::<f64>() * sum;
        shares.partition_point(|&share| share <= at)
    };
    (0..rows).map(|_| hash::number(draw() as i64)).collect()
}

fn uniform(rows: i64) -> Vec<u64> {
    (0..rows).map(hash::number).collect()
}

fn update(c: &mut Criterion) {
    let mut group = c.benchmark_group("update");
    group.sample_size(20);
    for (name, hashes) in [("distinct", uniform(1_000_000)), ("zipf", zipf(1_000_000))] {
        group.throughput(Throughput::Elements(hashes.len() as u64));
        for (epsilon, delta) in [(0.01, 0.01), (0.001, 0.01), (0.0001, 0.01)] {
            let params = Params::new(epsilon, delta).unwrap();
            group.bench_function(BenchmarkId::new(name, epsilon), |b| {
                b.iter(|| working(&hashes, params));
            });
        }
    }
    let hashes = uniform(10);
    group.throughput(Throughput::Elements(10));
    group.bench_function("ten rows", |b| b.iter(|| working(&hashes, Params::DEFAULT)));
}

fn at_rest(c: &mut Criterion) {
    for (name, hashes) in [
        ("ten", uniform(10)),
        ("list", uniform(500)),
        ("sparse table", uniform(600)),
        ("uniform", uniform(1_000_000)),
        ("zipf", zipf(1_000_000)),
    ] {
        let state = working(&hashes, Params::DEFAULT);
        let bytes = rest::<Cms>(&state).unwrap();
        println!("{name}: {} bytes at rest, {} working", bytes.len(), state.len());
        let mut group = c.benchmark_group(name);
        group.sample_size(30);
        // A table of four bytes a cell, with room for all.
        let into = working(&zipf(1_000_000), Params::DEFAULT);
        for (what, other) in [("merge", &bytes), ("merge working", &state)] {
            group.bench_function(what, |b| {
                b.iter_batched_ref(
                    || into.clone(),
                    |into| assert_eq!(Cms::merge(into, black_box(other)), Ok(Fit::Done)),
                    BatchSize::SmallInput,
                );
            });
        }
        group.bench_function("thaw", |b| {
            let mut state = vec![0; Cms::thaw_len(&bytes).unwrap()];
            b.iter(|| {
                state.fill(0);
                Cms::thaw(black_box(&bytes), &mut state)
            });
        });
        let mut out = vec![0; Cms::rest_bound(&state).unwrap()];
        group.bench_function("rest", |b| {
            b.iter(|| {
                out.fill(0);
                Cms::rest(black_box(&state), &mut out)
            });
        });
        let wanted = uniform(1000);
        group.throughput(Throughput::Elements(1000));
        group.bench_function("look up in a state", |b| {
            b.iter(|| {
                wanted.iter().fold(0, |sum, &hash| {
                    let found = cms::lookup_state(black_box(&state), CLASS, hash).unwrap();
                    sum ^ found.frequency()
                })
            });
        });
        group.bench_function("look up in bytes at rest", |b| {
            b.iter(|| {
                wanted.iter().fold(0, |sum, &hash| {
                    sum ^ cms::frequency(&mut black_box(&bytes[..]), CLASS, hash).unwrap()
                })
            });
        });
    }
}

criterion_group!(benches, update, at_rest);
criterion_main!(benches);
