//! The kernels of `bloom`: update, look-up, merging from stored bytes, bringing to rest.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sketch::Owned;
use sketch::bloom::{Bloom, BloomRef, Params};
use sketch::hash::Value;

fn filter(values: i64, params: Params) -> Owned<Bloom> {
    let mut filter = Owned::new(params);
    (0..values).for_each(|value| filter.insert(Value::number(value)).unwrap());
    filter
}

fn build(c: &mut Criterion) {
    let mut group = c.benchmark_group("build");
    group.sample_size(10);
    for (name, values, rate) in [
        ("split-block/10000", 10_000, 0.01),
        ("split-block/1000000", 1_000_000, 0.01),
        ("classic/10000", 10_000, 0.001),
        ("classic/1000000", 1_000_000, 0.001),
    ] {
        let all: Vec<Value> = (0..values).map(Value::number).collect();
        group.throughput(Throughput::Elements(values as u64));
        for (kind, params) in
            [("sized", Params::new(values, rate)), ("gathered", Params::gathering(rate))]
        {
            let params = params.unwrap();
            group.bench_function(BenchmarkId::new(name, kind), |b| {
                b.iter(|| {
                    let mut filter = Owned::<Bloom>::new(params);
                    all.iter().for_each(|&value| filter.insert(value).unwrap());
                    filter.rest()
                });
            });
        }
    }
}

fn look_up(c: &mut Criterion) {
    let mut group = c.benchmark_group("look-up");
    for (name, capacity, values, rate) in [
        ("sparse/1000", 1_000_000, 1000, 0.01),
        ("sparse/50000", 1_000_000, 50_000, 0.01),
        ("split-block", 1_000_000, 1_000_000, 0.01),
        ("classic", 1_000_000, 1_000_000, 0.001),
    ] {
        let state = filter(values, Params::new(capacity, rate).unwrap());
        let stored = state.rest().unwrap();
        let mut value = 0;
        let mut next = || {
            value += 1;
            Value::number(value)
        };
        group.bench_function(BenchmarkId::new(name, "working"), |b| {
            b.iter(|| state.contains(next()));
        });
        group.bench_function(BenchmarkId::new(name, "stored"), |b| {
            b.iter(|| BloomRef::contains_in(&mut black_box(&stored[..]), next()));
        });
    }
}

fn whole(c: &mut Criterion) {
    for (name, values) in [("sparse", 50_000), ("dense", 1_000_000)] {
        let state = filter(values, Params::DEFAULT);
        let stored = state.rest().unwrap();
        let mut group = c.benchmark_group(name);
        group.sample_size(20);
        let mut into = filter(values, Params::DEFAULT);
        group.bench_function("merge", |b| b.iter(|| into.merge(black_box(&stored))));
        group.bench_function("rest", |b| b.iter(|| black_box(&state).rest()));
        group.bench_function("cardinality", |b| {
            b.iter(|| BloomRef::parse(black_box(&stored)).unwrap().cardinality());
        });
        group.bench_function("error_rate", |b| {
            b.iter(|| BloomRef::parse(black_box(&stored)).unwrap().error_rate());
        });
    }
    c.bench_function("geometry", |b| b.iter(|| Params::new(black_box(1_000_000), 0.01)));
    c.bench_function("geometry/small", |b| b.iter(|| Params::new(black_box(100), 0.01)));
}

criterion_group!(benches, build, look_up, whole);
criterion_main!(benches);
