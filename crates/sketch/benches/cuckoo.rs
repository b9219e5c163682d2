//! The kernels of `cuckoo`: gathering, building, looking up, single values, merging.

use std::hint::black_box;
use std::ops::Range;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sketch::Owned;
use sketch::cuckoo::{Cuckoo, CuckooRef, Params};
use sketch::hash::Value;

fn gathered(values: Range<i64>, params: Params) -> Owned<Cuckoo> {
    let mut filter = Owned::new(params);
    values.for_each(|value| filter.insert(Value::number(value)).unwrap());
    filter
}

fn rest(values: Range<i64>, params: Params) -> Vec<u8> {
    gathered(values, params).rest().unwrap()
}

fn thaw(bytes: &[u8]) -> Owned<Cuckoo> {
    Owned::from_bytes(bytes).unwrap()
}

fn building(c: &mut Criterion) {
    for capacity in [1_000, 100_000, 1_000_000] {
        let params = Params::new(capacity, 0.002).unwrap();
        let mut group = c.benchmark_group("build");
        group.throughput(Throughput::Elements(capacity as u64));
        group.sample_size(10);
        group.bench_function(BenchmarkId::new("gather", capacity), |b| {
            b.iter(|| gathered(0..capacity, params));
        });
        let filter = gathered(0..capacity, params);
        group.bench_function(BenchmarkId::new("rest", capacity), |b| b.iter(|| filter.rest()));
        group.bench_function(BenchmarkId::new("add", capacity), |b| {
            b.iter(|| {
                let mut filter = Owned::<Cuckoo>::new(params);
                (0..capacity).for_each(|value| filter.add(Value::number(value)).unwrap());
                filter
            });
        });
    }
}

fn looking_up(c: &mut Criterion) {
    let probes: Vec<Value> = (0..10_000).map(Value::number).collect();
    for (name, capacity, values, rate) in [
        ("list", 1_000_000, 100_000, 0.002),
        ("dense", 10_000, 10_000, 0.002),
        ("dense", 1_000_000, 1_000_000, 0.002),
        ("dense17", 10_000, 10_000, 0.0001),
    ] {
        let params = Params::new(capacity, rate).unwrap();
        let mut group = c.benchmark_group("contains");
        group.throughput(Throughput::Elements(probes.len() as u64));
        for (kind, first) in [("hit", 0), ("miss", 1 << 40)] {
            let stored = rest(first..first + values, params);
            let filter = thaw(&stored);
            group.bench_function(BenchmarkId::new(format!("{name} rest {kind}"), capacity), |b| {
                b.iter(|| {
                    let held = |&&value: &&Value| {
                        CuckooRef::contains_in(&mut &stored[..], black_box(value)).unwrap()
                    };
                    probes.iter().filter(held).count()
                });
            });
            group.bench_function(BenchmarkId::new(format!("{name} holds {kind}"), capacity), |b| {
                b.iter(|| {
                    let held = |&&value: &&Value| filter.contains(black_box(value)).unwrap();
                    probes.iter().filter(held).count()
                });
            });
        }
    }
}

fn whole_filters(c: &mut Criterion) {
    for (name, values) in [("list", 100_000), ("dense", 500_000)] {
        let params = Params::new(1_000_000, 0.002).unwrap();
        let [a, b] = [0, values / 2].map(|first| rest(first..first + values, params));
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(values as u64));
        group.sample_size(10);
        group.bench_function("thaw", |bench| bench.iter(|| thaw(black_box(&a))));
        let filter = thaw(&a);
        group.bench_function("rest", |bench| bench.iter(|| black_box(&filter).rest()));
        group.bench_function("merge", |bench| {
            bench.iter(|| {
                let mut filter = filter.clone();
                filter.merge(black_box(&b)).unwrap();
                filter
            });
        });
        group.bench_function("subtract", |bench| {
            bench.iter(|| {
                let mut filter = filter.clone();
                filter.subtract(black_box(&b)).unwrap();
                filter
            });
        });
        let (own, other) = (CuckooRef::parse(&a).unwrap(), CuckooRef::parse(&b).unwrap());
        group.bench_function("content_hash", |bench| {
            bench.iter(|| black_box(&own).content_hash(0));
        });
        group.bench_function("equals", |bench| bench.iter(|| own.equals(black_box(&other))));
    }
}

criterion_group!(benches, building, looking_up, whole_filters);
criterion_main!(benches);
