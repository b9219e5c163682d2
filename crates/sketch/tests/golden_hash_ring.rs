//! Owners never change: a thousand rings and keys, with the first three nodes in line, weights among
//! them, and the buckets of the keys. They come of another program, which was written from
//! `docs/format.md`.

use sketch::Owned;
use sketch::hash::Value;
use sketch::hash_ring::{HashRing, Router, Vnodes, Weight, consistent_hash};

#[test]
fn owners_are_those_of_every_other_client() {
    let mut count = 0;
    for line in include_str!("hash_ring_vectors.tsv").lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [vnodes, nodes, key, first, of_ten, of_thousand] = fields[..] else { panic!("{line}") };
        let mut ring = Owned::<HashRing>::new(Vnodes::new(vnodes.parse().unwrap()).unwrap());
        for node in nodes.split(' ') {
            let (name, weight) = node.split_once('=').unwrap();
            ring.add(name, Weight::new(weight.parse().unwrap()).unwrap()).unwrap();
        }
        let key = match key.split_once(':').unwrap() {
            ("n", number) => Value::number(number.parse().unwrap()),
            (_, text) => Value::text(text),
        };
        let mut router = Router::of_bytes(&ring.rest().unwrap()).unwrap();
        let owners = router.owners(key, 3).unwrap().join(&b' ');
        assert_eq!(String::from_utf8(owners).unwrap(), first, "{line}");
        let owner = router.owner(key).unwrap().unwrap();
        assert_eq!(Some(std::str::from_utf8(owner).unwrap()), first.split(' ').next(), "{line}");
        assert_eq!(consistent_hash(key, 10), Ok(of_ten.parse().unwrap()), "{line}");
        assert_eq!(consistent_hash(key, 1000), Ok(of_thousand.parse().unwrap()), "{line}");
        count += 1;
    }
    assert_eq!(count, 1000);
}
