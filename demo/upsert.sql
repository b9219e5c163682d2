INSERT INTO daily
    SELECT day, origin, hll_agg(tailnum)
    FROM flights WHERE day = '2013-12-31' GROUP BY day, origin
    ON CONFLICT (day, origin) DO UPDATE SET aircraft = daily.aircraft || excluded.aircraft;
