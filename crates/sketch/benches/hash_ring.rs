//! The kernels of `hash_ring`: one look, for rings of many nodes, weights and points; making a ring
//! ready.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sketch::Owned;
use sketch::hash::Value;
use sketch::hash_ring::{HashRing, Router, Vnodes, Weight, consistent_hash};

const KEYS: i64 = 1000;

/// A ring at rest of so many nodes, whose weights have so many different values.
fn ring(nodes: usize, weights: usize, vnodes: i64) -> Vec<u8> {
    let mut ring = Owned::<HashRing>::new(Vnodes::new(vnodes).unwrap());
    for node in 0..nodes {
        let weight = Weight::new(1.0 + (node % weights) as f64 / weights as f64).unwrap();
        ring.add(format!("server{node}"), weight).unwrap();
    }
    ring.rest().unwrap()
}

fn keys() -> Vec<Value> {
    (0..KEYS).map(Value::number).collect()
}

fn owner(c: &mut Criterion) {
    let keys = keys();
    let mut group = c.benchmark_group("owner");
    group.throughput(Throughput::Elements(KEYS as u64));
    for (name, weights, vnodes) in [
        ("equal", 1, 0),
        ("three weights", 3, 0),
        ("all weights", usize::MAX >> 11, 0),
        ("100 points", 1, 100),
    ] {
        for nodes in [4, 10, 100, 1000] {
            let ring = ring(nodes, weights, vnodes);
            let mut router = Router::of_bytes(&ring).unwrap();
            group.bench_function(BenchmarkId::new(name, nodes), |b| {
                b.iter(|| {
                    for &key in &keys {
                        black_box(router.owner(key).unwrap());
                    }
                });
            });
        }
    }
}

fn owners(c: &mut Criterion) {
    let keys = keys();
    let mut group = c.benchmark_group("three owners");
    group.throughput(Throughput::Elements(KEYS as u64));
    for nodes in [10, 100] {
        let mut router = Router::of_bytes(&ring(nodes, 1, 0)).unwrap();
        group.bench_function(BenchmarkId::from_parameter(nodes), |b| {
            b.iter(|| {
                for &key in &keys {
                    black_box(router.owners(key, 3).unwrap());
                }
            });
        });
    }
}

/// What a look costs that is the only one at its ring.
fn first_look(c: &mut Criterion) {
    let mut group = c.benchmark_group("first look");
    for vnodes in [0, 100] {
        for nodes in [10, 100, 1000] {
            let ring = ring(nodes, 1, vnodes);
            group.bench_function(BenchmarkId::new(vnodes.to_string(), nodes), |b| {
                b.iter(|| {
                    let mut router = Router::of_bytes(&ring).unwrap();
                    router.owner(Value::number(42)).unwrap().map(<[u8]>::len)
                });
            });
        }
    }
}

fn buckets(c: &mut Criterion) {
    let keys = keys();
    let mut group = c.benchmark_group("consistent_hash");
    group.throughput(Throughput::Elements(KEYS as u64));
    for buckets in [10, 1000] {
        group.bench_function(BenchmarkId::from_parameter(buckets), |b| {
            b.iter(|| keys.iter().map(|&key| consistent_hash(key, buckets).unwrap()).sum::<i32>());
        });
    }
}

criterion_group!(benches, owner, owners, first_look, buckets);
criterion_main!(benches);
