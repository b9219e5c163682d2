//! The kernels of `hll`: update, merging from stored bytes, bringing to rest, estimating.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sketch::hash::Value;
use sketch::hll::{Hll, HllRef, Precision};
use sketch::{Owned, Sketch};

fn sketch(values: i64, precision: Precision) -> Owned<Hll> {
    let mut sketch = Owned::new(precision);
    (0..values).for_each(|value| sketch.insert(Value::number(value)).unwrap());
    sketch
}

fn stored(values: i64, precision: Precision) -> Vec<u8> {
    sketch(values, precision).rest().unwrap()
}

fn update(c: &mut Criterion) {
    let values: Vec<Value> = (0..1_000_000).map(Value::number).collect();
    let mut group = c.benchmark_group("update");
    group.throughput(Throughput::Elements(values.len() as u64));
    group.sample_size(20);
    for p in [11, 13, 16] {
        let precision = Precision::new(p).unwrap();
        group.bench_function(BenchmarkId::from_parameter(p), |b| {
            b.iter(|| {
                let mut sketch = Owned::<Hll>::new(precision);
                values.iter().for_each(|&value| sketch.insert(value).unwrap());
                sketch
            });
        });
    }
}

fn at_rest(c: &mut Criterion) {
    for (name, p, values) in [
        ("small", 13, 10),
        ("sparse", 13, 2000),
        ("filling", 13, 8000),
        ("saturated11", 11, 1_000_000),
        ("saturated", 13, 1_000_000),
        ("saturated16", 16, 4_000_000),
    ] {
        let precision = Precision::new(p).unwrap();
        let bytes = stored(values, precision);
        let mut group = c.benchmark_group(name);
        group.sample_size(30);
        let mut into = sketch(1_000_000, precision);
        group.bench_function("merge", |b| b.iter(|| into.merge(black_box(&bytes))));
        let from = sketch(values, precision);
        let from = HllRef::parse(from.working()).unwrap();
        let mut out = vec![0; Hll::rest_bound(&from).unwrap()];
        group.bench_function("rest", |b| {
            b.iter(|| {
                out.fill(0);
                Hll::rest(black_box(&from), &mut out)
            });
        });
        group.bench_function("cardinality", |b| {
            b.iter(|| HllRef::parse(black_box(&bytes)).unwrap().cardinality());
        });
    }
}

criterion_group!(benches, update, at_rest);
criterion_main!(benches);
