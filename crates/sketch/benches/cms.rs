//! The kernels of `cms`: update, merging from stored bytes, thawing, bringing to rest, looking up.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use sketch::cms::{Cms, CmsRef, Params, inner_product};
use sketch::hash::Value;
use sketch::{Fit, Owned, Sketch, State, rest};

fn working(values: &[Value], params: Params) -> Vec<u8> {
    let mut sketch = Owned::<Cms>::new(params);
    values.iter().for_each(|&value| sketch.insert(value).unwrap());
    sketch.working().to_vec()
}

/// `rows` values that follow a Zipf law of exponent 1.1 over a million.
fn zipf(rows: usize) -> Vec<Value> {
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
    (0..rows).map(|_| Value::number(draw() as i64)).collect()
}

fn uniform(rows: i64) -> Vec<Value> {
    (0..rows).map(Value::number).collect()
}

fn update(c: &mut Criterion) {
    let mut group = c.benchmark_group("update");
    group.sample_size(20);
    for (name, values) in [("distinct", uniform(1_000_000)), ("zipf", zipf(1_000_000))] {
        group.throughput(Throughput::Elements(values.len() as u64));
        for (epsilon, delta) in [(0.01, 0.01), (0.001, 0.01), (0.0001, 0.01)] {
            let params = Params::new(epsilon, delta).unwrap();
            group.bench_function(BenchmarkId::new(name, epsilon), |b| {
                b.iter(|| working(&values, params));
            });
        }
    }
    let values = uniform(10);
    group.throughput(Throughput::Elements(10));
    group.bench_function("ten rows", |b| b.iter(|| working(&values, Params::DEFAULT)));
}

fn at_rest(c: &mut Criterion) {
    for (name, values) in [
        ("ten", uniform(10)),
        ("list", uniform(500)),
        ("sparse table", uniform(600)),
        ("uniform", uniform(1_000_000)),
        ("zipf", zipf(1_000_000)),
    ] {
        let state = working(&values, Params::DEFAULT);
        let bytes = rest::<Cms>(&state).unwrap();
        println!("{name}: {} bytes at rest, {} working", bytes.len(), state.len());
        let mut group = c.benchmark_group(name);
        group.sample_size(30);
        // A table of four bytes a cell, with room for all.
        let into = working(&zipf(1_000_000), Params::DEFAULT);
        let (stored, unstored) = (CmsRef::parse(&bytes).unwrap(), CmsRef::parse(&state).unwrap());
        for (what, other) in [("merge", &stored), ("merge working", &unstored)] {
            group.bench_function(what, |b| {
                b.iter_batched_ref(
                    || into.clone(),
                    |into| assert_eq!(Cms::merge(State::of(into), black_box(other)), Ok(Fit::Done)),
                    BatchSize::SmallInput,
                );
            });
        }
        group.bench_function("thaw", |b| {
            let mut state = vec![0; Cms::thaw_len(&stored)];
            b.iter(|| {
                state.fill(0);
                Cms::thaw(&CmsRef::parse(black_box(&bytes))?, State::of(&mut state))
            });
        });
        let mut out = vec![0; Cms::rest_bound(&unstored).unwrap()];
        group.bench_function("rest", |b| {
            b.iter(|| {
                out.fill(0);
                Cms::rest(black_box(&unstored), &mut out)
            });
        });
        let full = rest::<Cms>(&into).unwrap();
        let full = CmsRef::parse(&full).unwrap();
        group.bench_function("inner product", |b| b.iter(|| inner_product(&stored, &full)));
        let wanted = uniform(1000);
        group.throughput(Throughput::Elements(1000));
        group.bench_function("look up in a state", |b| {
            let mut state = vec![0; Cms::thaw_len(&stored)];
            Cms::thaw(&stored, State::of(&mut state)).unwrap();
            b.iter(|| {
                wanted.iter().fold(0, |sum, &value| {
                    let found = Cms::estimate(State::of(black_box(&mut state)), value).unwrap();
                    sum ^ found.frequency()
                })
            });
        });
        group.bench_function("look up in bytes at rest", |b| {
            b.iter(|| {
                wanted.iter().fold(0, |sum, &value| {
                    let found = CmsRef::estimate_in(&mut black_box(&bytes[..]), value).unwrap();
                    sum ^ found.frequency()
                })
            });
        });
    }
}

criterion_group!(benches, update, at_rest);
criterion_main!(benches);
