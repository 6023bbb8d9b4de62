import { opRefStart } from '../../../../formats/dialect/ref.ts'
import type { SqlEngine } from '../sql-engine.ts'
import { defineView, type Sources } from '../view.ts'
import { isEvaluation, modelRef } from './evaluations.ts'

/** A score that is an object of several, or a single value, in columns by its type. */
const typed = (engine: SqlEngine, json: string) => ({
  value: json,
  number: `CASE WHEN substr(${json}, 1, 1) IN ('-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9') THEN
    ${engine.number(json)} END`,
  passed: `CASE WHEN ${json} = 'true' THEN true WHEN ${json} = 'false' THEN false END`,
  label: `CASE WHEN substr(${json}, 1, 1) = '"' THEN ${engine.textAt(json)} END`,
})

/** The value in the payload of feedback `f`, by its type. */
const feedbackValue = (engine: SqlEngine) => `CASE
      WHEN f.feedback_type = 'ext.reaction.1' THEN ${engine.at('f.payload', 'emoji')}
      WHEN f.feedback_type = 'ext.note.1' THEN ${engine.at('f.payload', 'note')}
      WHEN f.feedback_type LIKE 'ext.annotation.%' OR f.feedback_type LIKE 'final_answer.%' THEN
        ${engine.at('f.payload', 'value')}
      WHEN f.feedback_type LIKE 'ext.runnable.%' THEN ${engine.at('f.payload', 'output')}
      ELSE f.payload END`

/** Scores of trials `w` that are in the output of the trial. */
const ownScores = (engine: SqlEngine, { view }: Sources) =>
  engine.unnestMembers(`SELECT w.project_id, w.trial_call_id, w.evaluation_call_id, w.started_at, w.ended_at,
      CASE WHEN substr(w.scores, 1, 1) = '{' THEN w.scores ELSE '{}' END AS members
    FROM ${view('evaluation_rows')} w`)

/** The name under which a child `c` of a trial counts as a score. */
function scoreKey(engine: SqlEngine): string {
  const name = engine.urlDecoded(engine.firstGroup('c.op_name', opRefStart))
  return engine.without(`coalesce(${name}, c.op_name)`, '[.]score$')
}

/**
 * Scores below trials that their output does not have, because they came later or because it has
 * none; the latest of each name. A prediction is no score.
 */
function lateScores(engine: SqlEngine, { table, view }: Sources): string {
  const { matches, contains } = engine
  const isPrediction = `(NOT ${matches('c.op_name', '[.]score(:|$)')} AND (c.op_name = coalesce(m.model_ref, '')
        OR ${contains('c.input_refs', "coalesce(m.model_ref, '')")}
        OR ${matches(`lower(${scoreKey(engine)})`, 'predict|invoke')}))`
  return `(SELECT k.* FROM (SELECT c.project_id AS project_id, c.id AS score_call_id, c.output AS output,
      c.ended_at AS ended_at, w.trial_call_id AS trial_call_id, w.evaluation_call_id AS evaluation_call_id,
      ${scoreKey(engine)} AS member,
      row_number() OVER (PARTITION BY c.project_id, c.parent_id, ${scoreKey(engine)}
        ORDER BY c.started_at DESC, c.id DESC) AS from_last
    FROM ${table('calls')} c
    JOIN ${view('evaluation_rows')} w ON w.project_id = c.project_id AND w.trial_call_id = c.parent_id
    LEFT JOIN (SELECT s.project_id, s.call_id, ${modelRef(engine)} AS model_ref
      FROM ${view('spans')} s WHERE ${isEvaluation(engine)}) m
      ON m.project_id = w.project_id AND m.call_id = w.evaluation_call_id
    WHERE c.op_name IS NOT NULL AND c.row_digest IS NULL AND c.ended_at IS NOT NULL
      AND (coalesce(substr(w.scores, 1, 1), '') <> '{' OR c.started_at >= w.ended_at)
      AND NOT ${isPrediction}) k
  LEFT JOIN (SELECT o.project_id, o.trial_call_id, o.member, 1 AS has_own
    FROM ${ownScores(engine, { table, view })} o) o
    ON o.project_id = k.project_id AND o.trial_call_id = k.trial_call_id AND o.member = k.member
  WHERE k.from_last = 1 AND coalesce(o.has_own, 0) = 0)`
}

export const scores = defineView({
  name: 'scores',
  description:
    'What people, programs and judges said about calls, one row each: feedback, and scores of trials of evaluations.',
  columns: {
    project_id: 'entity/project',
    source: 'feedback or evaluation',
    score_id: 'id of the feedback; null for scores of evaluations',
    call_id: 'call that was judged; for evaluations, the trial',
    evaluation_call_id: 'call of the run; null for feedback',
    feedback_type: 'type of the feedback; null for scores of evaluations',
    name: 'name of the annotation or of the scorer; for other feedback its type',
    value: 'JSON value; for types without rules of their own the payload',
    number: 'the value if it is a number',
    passed: 'the value if it is true or false',
    label: 'the value if it is a text',
    comment: 'reason or comment in the payload, if there is one',
    creator: 'display name of the author',
    api_key_id: 'id of the API key that sent it',
    scorer_ref: 'ref of the op or object that judged',
    scorer_call: 'call that judged: its ref, or for later scores of evaluations its id',
    subject_ref: 'ref of the subject, which may be something else than a call',
    scored_at: 'when it was given',
  },
  rows: (engine, from) => [
    {
      values: {
        project_id: 'f.project_id',
        source: "'feedback'",
        score_id: 'f.id',
        call_id: 'f.call_id',
        evaluation_call_id: nullText,
        feedback_type: 'f.feedback_type',
        name: `CASE f.feedback_type WHEN 'ext.reaction.1' THEN 'reaction' WHEN 'ext.note.1' THEN 'note'
    ELSE ${engine.without('f.feedback_type', typePrefix)} END`,
        ...typed(engine, 'f.score_value'),
        comment: `coalesce(${engine.textAt('f.payload', 'reason')}, ${engine.textAt('f.payload', 'comment')})`,
        creator: "nullif(f.creator, '')",
        api_key_id: 'f.ext_user_id',
        scorer_ref: 'f.runnable_ref',
        scorer_call: 'f.call_ref',
        subject_ref: 'f.ext_ref',
        scored_at: 'f.created_at',
      },
      from: `(SELECT f.*, ${feedbackValue(engine)} AS score_value
  FROM ${from.table('feedback')} f WHERE f.feedback_type IS NOT NULL) f`,
    },
    {
      values: {
        project_id: 'o.project_id',
        source: "'evaluation'",
        score_id: nullText,
        call_id: 'o.trial_call_id',
        evaluation_call_id: 'o.evaluation_call_id',
        feedback_type: nullText,
        name: 'o.member',
        ...typed(engine, 'o.member_json'),
        comment: nullText,
        creator: nullText,
        api_key_id: nullText,
        scorer_ref: nullText,
        scorer_call: nullText,
        subject_ref: nullText,
        scored_at: 'coalesce(o.ended_at, o.started_at)',
      },
      from: `${ownScores(engine, from)} o WHERE o.member_json <> 'null'`,
    },
    {
      values: {
        project_id: 'k.project_id',
        source: "'evaluation'",
        score_id: nullText,
        call_id: 'k.trial_call_id',
        evaluation_call_id: 'k.evaluation_call_id',
        feedback_type: nullText,
        name: 'k.member',
        ...typed(engine, 'k.output'),
        comment: nullText,
        creator: nullText,
        api_key_id: nullText,
        scorer_ref: nullText,
        scorer_call: 'k.score_call_id',
        subject_ref: nullText,
        scored_at: 'k.ended_at',
      },
      from: `${lateScores(engine, from)} k WHERE k.output IS NOT NULL AND k.output <> 'null'`,
    },
  ],
})

/** A null with a type, for engines that want to know it. */
const nullText = "nullif('', '')"

/** What precedes the name of an annotation or a scorer in the type of feedback. */
const typePrefix = '^(?:ext[.](?:annotation[.]|runnable[.])?|final_answer[.])'
