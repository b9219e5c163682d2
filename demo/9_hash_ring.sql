\echo '9. On which server is this aircraft?'
\echo
\echo 'A hash ring gives every key to one of several servers, and when a server joins as few keys move as can'
\echo 'be. Here the aircraft are on four servers; a fifth is to take a fifth of them. What will move:'
\echo

\set ECHO queries
CREATE TEMP TABLE servers AS
    SELECT hash_ring_agg('server' || n) AS four, hash_ring_agg('server' || n) || hash_ring_empty() + 'server5' AS five
    FROM generate_series(1, 4) AS n;

SELECT m.from_node, m.to_node, share FROM servers, hash_ring_moves(four, five) AS m ORDER BY from_node;
\set ECHO none

CREATE TEMP TABLE placed AS
SELECT tailnum, four -> tailnum AS before, five -> tailnum AS after,
       hash_ring_nodes(five, tailnum, 2) AS replicas,
       consistent_hash(tailnum, 4) AS bucket_of_4, consistent_hash(tailnum, 5) AS bucket_of_5
FROM servers, (SELECT DISTINCT tailnum FROM flights WHERE tailnum IS NOT NULL) AS aircraft;

\echo 'And what moved, of all aircraft:'
\echo

\set ECHO queries
SELECT before, count(*) AS aircraft, count(*) FILTER (WHERE after = 'server5') AS "to server5",
       count(*) FILTER (WHERE after NOT IN (before, 'server5')) AS elsewhere
    FROM placed GROUP BY before ORDER BY before;
\set ECHO none

\echo 'A modulo of the hash would have moved four in five; numbered buckets, consistent_hash, are as good:'
\echo

SELECT demo.count(count(*)) AS aircraft, demo.count(count(*) FILTER (WHERE before <> after)) AS "hash_ring",
       demo.count(count(*) FILTER (WHERE bucket_of_4 <> bucket_of_5)) AS "consistent_hash",
       demo.count(count(*) FILTER (WHERE abs(sketch_hash(tailnum) % 4) <> abs(sketch_hash(tailnum) % 5))) AS "modulo"
FROM placed;

DO $$
BEGIN
    IF EXISTS (SELECT FROM placed WHERE after NOT IN (before, 'server5')) THEN
        RAISE EXCEPTION 'an aircraft moved between two servers that stay';
    END IF;
    IF EXISTS (SELECT FROM placed WHERE bucket_of_5 NOT IN (bucket_of_4, 4)) THEN
        RAISE EXCEPTION 'an aircraft moved between two buckets that stay';
    END IF;
    -- Four standard deviations of the binomial distribution.
    IF (SELECT abs(count(*) FILTER (WHERE before <> after) - 0.2 * count(*)) > 4 * sqrt(0.16 * count(*)) FROM placed) THEN
        RAISE EXCEPTION 'not a fifth of the aircraft moved';
    END IF;
    IF EXISTS (SELECT FROM placed WHERE replicas[1] <> after OR replicas[2] = after) THEN
        RAISE EXCEPTION 'the first replica is not on the server of the aircraft, or the second is';
    END IF;
END
$$;
