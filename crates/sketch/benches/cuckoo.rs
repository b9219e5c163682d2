//! The kernels of `cuckoo`: gathering, building, looking up, single values, merging.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sketch::cuckoo::{Cuckoo, Params, contains, content_hash, equal};
use sketch::hash::{self, ValueClass};
use sketch::{Fit, Sketch};

const CLASS: ValueClass = ValueClass::Number;

fn apply(state: &mut Vec<u8>, change: impl Fn(&mut [u8]) -> sketch::Result<Fit>) {
    while let Fit::Needs(len) = change(state).unwrap() {
        let mut bigger = vec![0; len];
        Cuckoo::grow(state, &mut bigger);
        *state = bigger;
    }
}

fn gathered(values: std::ops::Range<i64>, params: Params) -> Vec<u8> {
    let mut state = vec![0; Cuckoo::initial_len(params)];
    Cuckoo::init(&mut state, params);
    for value in values {
        apply(&mut state, |state| Cuckoo::insert(state, CLASS, hash::number(value)));
    }
    state
}

fn rest(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0; Cuckoo::rest_bound(bytes).unwrap()];
    let len = Cuckoo::rest(bytes, &mut out).unwrap();
    out.truncate(len);
    out
}

fn thaw(bytes: &[u8]) -> Vec<u8> {
    let mut state = vec![0; Cuckoo::thaw_len(bytes).unwrap()];
    Cuckoo::thaw(bytes, &mut state).unwrap();
    state
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
        let state = gathered(0..capacity, params);
        let mut out = vec![0; Cuckoo::rest_bound(&state).unwrap()];
        group.bench_function(BenchmarkId::new("rest", capacity), |b| {
            b.iter(|| {
                out.fill(0);
                Cuckoo::rest(black_box(&state), &mut out)
            });
        });
        let empty = thaw(&rest(&gathered(0..0, params)));
        group.bench_function(BenchmarkId::new("add", capacity), |b| {
            b.iter(|| {
                let mut state = empty.clone();
                for value in 0..capacity {
                    apply(&mut state, |s| Cuckoo::add(s, CLASS, hash::number(value)));
                }
                state
            });
        });
    }
}

fn looking_up(c: &mut Criterion) {
    let probes: Vec<u64> = (0..10_000).map(hash::number).collect();
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
            let stored = rest(&gathered(first..first + values, params));
            let state = thaw(&stored);
            for (form, bytes) in [("rest", &stored), ("state", &state)] {
                let id = BenchmarkId::new(format!("{name} {form} {kind}"), capacity);
                group.bench_function(id, |b| {
                    b.iter(|| {
                        let held = |&&hash: &&u64| {
                            contains(&mut &bytes[..], CLASS, black_box(hash)).unwrap()
                        };
                        probes.iter().filter(held).count()
                    });
                });
            }
        }
    }
}

fn whole_filters(c: &mut Criterion) {
    for (name, values) in [("list", 100_000), ("dense", 500_000)] {
        let params = Params::new(1_000_000, 0.002).unwrap();
        let [a, b] = [0, values / 2].map(|first| rest(&gathered(first..first + values, params)));
        let mut group = c.benchmark_group(name);
        group.throughput(Throughput::Elements(values as u64));
        group.sample_size(10);
        group.bench_function("thaw", |bench| bench.iter(|| thaw(black_box(&a))));
        let state = thaw(&a);
        group.bench_function("rest", |bench| bench.iter(|| rest(black_box(&state))));
        group.bench_function("merge", |bench| {
            bench.iter(|| {
                let mut state = state.clone();
                apply(&mut state, |state| Cuckoo::merge(state, black_box(&b)));
                state
            });
        });
        group.bench_function("subtract", |bench| {
            bench.iter(|| {
                let mut state = state.clone();
                Cuckoo::subtract(&mut state, black_box(&b)).unwrap();
                state
            });
        });
        group.bench_function("content_hash", |bench| bench.iter(|| content_hash(black_box(&a), 0)));
        let rearranged = thaw(&a);
        group.bench_function("equal", |bench| {
            bench.iter(|| equal(black_box(&a), black_box(&rearranged)));
        });
    }
}

criterion_group!(benches, building, looking_up, whole_filters);
criterion_main!(benches);
