import { dialects } from '../../formats/dialect/dialect.ts'
import { evaluate, methodName, predictAndScore, summarize } from '../../lib/evaluation-ops.ts'
import { valueAt } from '../../lib/present.ts'
import { Dataset, type DatasetContent } from '../objects/dataset.ts'
import { NamedObject } from '../objects/named-object.ts'
import type { CallRecord, FeedbackRecord, Names, RequestRecord } from '../record.ts'
import { stableUuid } from '../stable-id.ts'

type Members = Readonly<Record<string, unknown>>

/** An evaluation of one model, as read from a source. */
interface RunContent {
  /** Id of the run in the project. */
  readonly id: string
  /** Name of the evaluation: its task, its experiment. */
  readonly name: string
  readonly displayName: string
  readonly description: string | null
  readonly dataset: DatasetContent
  readonly model: { readonly name: string; readonly attributes: Members }
  readonly scorers: readonly string[]
  /** Predictions of each row. */
  readonly trials: number
}

/** When a call began and ended; without an end it is running. */
interface Span {
  readonly startedAt: string
  readonly endedAt: string | undefined
}

export interface TrialContent extends Span {
  readonly id: string
  readonly row: Members
  readonly output: unknown
  readonly exception: string | null
  /** By scorer, as statistics of the results use them. */
  readonly scores: Members
  readonly attributes: Members
  /** Seconds. */
  readonly latency: number | null
  /** A span, already in the project, that the prediction was made in. */
  readonly span?: { readonly traceId: string; readonly spanId: string }
}

export interface ScoreContent extends Span {
  readonly scorer: string
  readonly output: unknown
  readonly attributes: Members
  readonly exception?: string | null
}

/**
 * An evaluation of another tool, in the shape that client SDKs give theirs: objects for the
 * dataset, the model, the scorers and the evaluation; a call for the run, below it one per trial,
 * below that the calls of the model and the scorers, and each score as feedback too. See
 * docs/decisions/129-imported-evaluations.md.
 */
export class ImportedRun {
  readonly id: string
  private readonly content: RunContent
  private readonly dataset: Dataset
  private readonly model: NamedObject
  private readonly scorers: ReadonlyMap<string, NamedObject>
  private readonly evaluation: NamedObject

  constructor(content: RunContent) {
    const { id, name, description, model, trials } = content
    this.id = id
    this.content = content
    this.dataset = new Dataset(content.dataset)
    this.model = new NamedObject({
      what: 'models',
      name: model.name,
      className: 'Model',
      members: () => ({ ...model.attributes, description: null }),
    })
    this.scorers = new Map(content.scorers.map((scorer) => [scorer, scorerObject(scorer)]))
    this.evaluation = new NamedObject({
      what: 'evaluations',
      name,
      className: 'Evaluation',
      members: (target) => ({
        description,
        dataset: this.dataset.object.ref(target),
        scorers: [...this.scorers.values()].map((scorer) => scorer.ref(target)),
        trials,
        evaluation_name: null,
        metadata: null,
        preprocess_model_input: null,
      }),
    })
  }

  /** Records that the calls refer to; they are sent first. */
  get objects(): RequestRecord[] {
    return [this.dataset, this.model, ...this.scorers.values(), this.evaluation].map(({ record }) => record)
  }

  /** The run itself, and its summary. */
  *calls(run: Span & { output: Members | null; exception: string | null; attributes: Members }): Generator<CallRecord> {
    const { startedAt, endedAt, output, exception, attributes } = run
    const { id } = this
    const isFinished = endedAt !== undefined
    yield this.call(
      { startedAt, endedAt },
      {
        id,
        parent_id: null,
        op_name: evaluate,
        display_name: this.content.displayName,
        exception,
        output: isFinished ? output : null,
        inputs: (target) => ({ self: this.evaluation.ref(target), model: this.model.ref(target) }),
        attributes,
        own: (target) => ({
          evaluation_run: 'true',
          evaluation: this.evaluation.ref(target),
          model: this.model.ref(target),
        }),
      },
    )
    if (!isFinished || output === null) return
    yield this.call(
      { startedAt: endedAt, endedAt },
      {
        id: stableUuid(id, 'summarize'),
        parent_id: id,
        op_name: summarize,
        output,
        inputs: (target) => ({ self: this.evaluation.ref(target) }),
        attributes: {},
      },
    )
  }

  /** The id of the call that predicts in a trial. */
  predictionId(trialId: string): string {
    return stableUuid(trialId, 'predict')
  }

  /** A trial and its prediction. */
  *trial(trial: TrialContent): Generator<CallRecord> {
    const { id, row, output, exception, scores, latency, span, attributes, ...times } = trial
    const predictionId = this.predictionId(id)
    yield this.call(times, {
      id,
      parent_id: this.id,
      op_name: predictAndScore,
      output: { output, scores, model_latency: latency === null ? null : { mean: latency } },
      exception,
      inputs: (target) => ({
        self: this.evaluation.ref(target),
        model: this.model.ref(target),
        example: this.dataset.rowRef(target, row),
      }),
      attributes: { import: attributes['import'] },
      own: () => ({
        predict_call_id: predictionId,
        ...(span && { genai_span_ref: [{ trace_id: span.traceId, span_id: span.spanId }] }),
      }),
    })
    yield this.call(times, {
      id: predictionId,
      parent_id: id,
      op_name: methodName(this.model.name, 'predict'),
      output,
      exception,
      inputs: (target) => ({ self: this.model.ref(target), inputs: row }),
      attributes,
      own: (target) => ({ prediction: 'true', model: this.model.ref(target), evaluation_run_id: this.id }),
    })
  }

  /** The id of the call of a score. */
  scoreId(trialId: string, scorer: string): string {
    return stableUuid(trialId, 'score', scorer)
  }

  /** A score of a trial. */
  score(trial: Pick<TrialContent, 'id' | 'row' | 'output'>, score: ScoreContent): CallRecord {
    const { scorer, output, attributes, exception = null, ...times } = score
    const object = valueAt(this.scorers, scorer)
    const predictionId = this.predictionId(trial.id)
    return this.call(times, {
      id: this.scoreId(trial.id, scorer),
      parent_id: trial.id,
      op_name: methodName(object.name, 'score'),
      output,
      exception,
      inputs: (target) => ({ self: object.ref(target), inputs: trial.row, output: trial.output }),
      attributes,
      own: (target) => ({
        score: 'true',
        prediction_id: predictionId,
        scorer: object.ref(target),
        evaluation_run_id: this.id,
      }),
    })
  }

  /** The same as feedback on the prediction. */
  scoreFeedback(trialId: string, { scorer, output }: Pick<ScoreContent, 'scorer' | 'output'>): FeedbackRecord {
    const object = valueAt(this.scorers, scorer)
    const id = this.scoreId(trialId, scorer)
    return {
      kind: 'feedback',
      about: { callId: this.predictionId(trialId) },
      feedback: (target) => {
        const { feedbackPrefix, refs } = dialects[target.dialect]
        return {
          id,
          feedback_type: `${feedbackPrefix}.runnable.${object.name}`,
          payload: { output },
          runnable_ref: object.ref(target),
          call_ref: refs.call(target.project, id),
        }
      },
    }
  }

  private call({ startedAt, endedAt }: Span, parts: CallParts): CallRecord {
    const { inputs, attributes, own, output, exception = null, ...members } = parts
    return {
      kind: 'call',
      call: (target) => {
        const { namespace } = dialects[target.dialect]
        const start = {
          ...members,
          trace_id: this.id,
          started_at: startedAt,
          attributes: { ...attributes, ...(own && { [namespace]: own(target) }) },
          inputs: inputs(target),
        }
        return endedAt === undefined ? start : { ...start, ended_at: endedAt, output, exception, summary: {} }
      },
    }
  }
}

interface CallParts {
  readonly id: string
  readonly parent_id: string | null
  readonly op_name: string
  readonly display_name?: string
  readonly output: unknown
  readonly exception?: string | null
  readonly inputs: (target: Names) => Record<string, unknown>
  readonly attributes: Members
  /** The server's own member of the attributes. */
  readonly own?: (target: Names) => Members
}

const scorerObject = (name: string): NamedObject =>
  new NamedObject({
    what: 'scorers',
    name,
    className: 'Scorer',
    members: () => ({ description: null, score: null, summarize: null, column_map: null }),
  })
