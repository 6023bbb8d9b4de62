-- The same questions to `tracelake sql` (the stored tables, in DuckDB) and to Trino (the views).

-- question: calls by day
SELECT strftime(started_at AT TIME ZONE 'UTC', '%Y-%m-%d') AS day, count(*) AS calls, count(*) FILTER (exception <> '') AS failed
FROM calls WHERE project_id = 'views/mixed' GROUP BY day ORDER BY day
-- trino:
SELECT date_format(started_at AT TIME ZONE 'UTC', '%Y-%m-%d') AS day, count(*), count(error)
FROM delta.tracelake.spans WHERE project_id = 'views/mixed' GROUP BY 1 ORDER BY 1

-- question: percentiles of latency by day
SELECT strftime(started_at AT TIME ZONE 'UTC', '%Y-%m-%d') AS day, quantile_disc(latency_ms, 0.5) AS p50, quantile_disc(latency_ms, 0.95) AS p95
FROM calls WHERE latency_ms IS NOT NULL GROUP BY day ORDER BY day
-- trino:
WITH days AS (
  SELECT date_format(started_at AT TIME ZONE 'UTC', '%Y-%m-%d') AS day, array_sort(array_agg(latency_ms)) AS sorted
  FROM delta.tracelake.spans WHERE latency_ms IS NOT NULL GROUP BY 1
)
SELECT day, sorted[CAST(ceiling(cardinality(sorted) * 0.5) AS BIGINT)],
  sorted[CAST(ceiling(cardinality(sorted) * 0.95) AS BIGINT)]
FROM days ORDER BY day

-- question: a condition on a path of the inputs
SELECT id FROM calls WHERE inputs->>'$.example.question' = 'Number 2' ORDER BY id
-- trino:
SELECT call_id FROM delta.tracelake.spans WHERE json_extract_scalar(inputs, '$.example.question') = 'Number 2'
ORDER BY call_id

-- question: a frequent word
SELECT project_id, count(*) AS calls FROM calls WHERE contains(inputs, 'o') GROUP BY project_id ORDER BY project_id
-- trino:
SELECT project_id, count(*) FROM delta.tracelake.spans WHERE strpos(inputs, 'o') > 0 GROUP BY 1 ORDER BY 1

-- question: an absent word
SELECT count(*) AS calls FROM calls WHERE contains(inputs, 'nowhere') OR contains(output, 'nowhere')
-- trino:
SELECT count(*) FROM delta.tracelake.spans WHERE strpos(inputs, 'nowhere') > 0 OR strpos(output, 'nowhere') > 0

-- question: a regular expression over the outputs
SELECT id FROM calls WHERE regexp_matches(output, 'answer [0-9]|\bOui\b') ORDER BY id
-- trino:
SELECT call_id FROM delta.tracelake.spans WHERE regexp_like(output, 'answer [0-9]|\bOui\b') ORDER BY call_id

-- question: tokens and cost by model
SELECT model, count(*) AS uses, sum(total_tokens)::DOUBLE AS tokens, sum(cost) AS usd
FROM usage GROUP BY model ORDER BY model
-- trino:
SELECT model, count(*), sum(total_tokens), sum(cost)
FROM delta.tracelake.generations WHERE requests IS NOT NULL GROUP BY model ORDER BY model

-- question: scores joined with the calls that they judge
SELECT c.op_name AS op, f.feedback_type AS type, count(*) AS scores
FROM feedback f JOIN calls c ON c.project_id = f.project_id AND f.ext_ref = 'ext:///' || c.project_id || '/call/' || c.id
GROUP BY op, type ORDER BY op, type
-- trino:
SELECT s.op_name, f.feedback_type, count(*)
FROM delta.tracelake.scores f JOIN delta.tracelake.calls s ON s.project_id = f.project_id AND s.id = f.call_id
WHERE f.source = 'feedback' GROUP BY 1, 2 ORDER BY 1, 2
