import { useEffect, useState } from 'preact/hooks'
import type { RowChoice } from '../../domains/evaluations/index.ts'
import { memberOf } from '../../lib/present.ts'
import { post } from '../api/client.ts'
import { datasetVersionsQuery } from '../dataset/datasets.ts'
import { type ListedRun, runsQuery } from '../evaluation/runs.ts'
import { inputsOf } from '../playground/run.ts'
import { columnOf } from '../playground/workspace.ts'
import { promptOf } from '../prompt/prompt.ts'
import { modelProblemsQuery } from '../state/model-problems.ts'
import { queries, useQuery } from '../state/query-signal.ts'
import { evaluationStartText } from '../text/evaluation/evaluation-start.ts'
import { familiesQuery, isDataset, isPrompt, type ObjectVersion, readObjectsAgain, refOf } from '../versions/objects.ts'
import { readShownObjects } from '../versions/shown-objects.ts'

/** What the dialog begins with; what is missing gets a default. */
export interface StartInitial {
  /** Refs of the prompts of candidates, and their models in the same order. */
  readonly prompts?: readonly string[] | undefined
  readonly models?: readonly string[] | undefined
  /** Ref of a version. */
  readonly dataset?: string | undefined
  /** Name of an evaluation. */
  readonly evaluation?: string | undefined
  /** A split of the rows, such as `test`. */
  readonly split?: string | undefined
  /** Digests of the rows of the dataset that a filter has left, if they can be named. */
  readonly filtered?: readonly string[] | undefined
  readonly hasTooManyFiltered?: boolean | undefined
}

/** A prompt version and the model that runs it. */
export interface Candidate {
  readonly key: number
  /** Ref of the version; empty for none. */
  readonly prompt: string
  readonly model: string
}

/** A scorer in its latest version. */
interface StartScorer {
  readonly version: ObjectVersion
  readonly ref: string
  /** The language model of a judge. */
  readonly judge: string | undefined
}

interface StoredEvaluation {
  readonly name: string
  /** Name of its dataset, and names of its scorers. */
  readonly dataset: string
  readonly scorers: readonly string[]
  readonly trials: number
}

const objectsMax = 1_000

interface Stored extends ObjectVersion {
  readonly val: unknown
}

async function readLatest(projectId: string, baseClass: string, signal: AbortSignal): Promise<readonly Stored[]> {
  const filter = { base_object_classes: [baseClass], latest_only: true }
  const body = { project_id: projectId, filter, limit: objectsMax }
  return (await post<{ objs: Stored[] }>('/objs/query', body, { signal })).objs
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Name of the object that a ref names. */
const nameIn = (ref: unknown): string => decodeURIComponent(textIn(ref).split('/').at(-1)?.split(':')[0] ?? '')

const partsQuery = (projectId: string) => ({
  queryKey: ['objects', projectId, 'parts of evaluations'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const [scorers, evaluations] = await Promise.all([
      readLatest(projectId, 'Scorer', signal),
      readLatest(projectId, 'Evaluation', signal),
    ])
    return {
      scorers: scorers.map((version): StartScorer => {
        const model = memberOf(version.val, 'model')
        const judge = textIn(model) || textIn(memberOf(model, 'llm_model_id'))
        return {
          version,
          ref: refOf(projectId, version),
          judge: judge.includes(':///') ? undefined : judge || undefined,
        }
      }),
      evaluations: evaluations.map(({ object_id: name, val }): StoredEvaluation => {
        const [scorers, trials] = [memberOf(val, 'scorers'), memberOf(val, 'trials')]
        return {
          name,
          dataset: nameIn(memberOf(val, 'dataset')),
          scorers: Array.isArray(scorers) ? scorers.map(nameIn) : [],
          trials: typeof trials === 'number' ? trials : 1,
        }
      }),
    }
  },
})

/** Everything that the dialog offers, as the project has it. */
export function useParts(projectId: string, datasetName: string, models: readonly string[]) {
  const families = useQuery(familiesQuery(projectId, 'all'))
  const parts = useQuery(partsQuery(projectId))
  const earlier = useQuery(runsQuery(projectId))
  const tables = useQuery({ ...datasetVersionsQuery(projectId, datasetName), enabled: datasetName !== '' })
  const problems = useQuery(modelProblemsQuery(projectId, [...new Set(models)].sort()))
  // What another person has saved since a list was read is offered as well, and what the dialog
  // begins with is the latest.
  const [isFresh, setFresh] = useState(false)
  const readAgain = () => readShownObjects(projectId)
  useEffect(() => void readAgain().finally(() => setFresh(true)), [projectId])
  const named = (families.data ?? []).filter(({ latest }) => latest.kind !== 'op')
  return {
    isRead: isFresh && families.data !== undefined && parts.data !== undefined && earlier.data !== undefined,
    error: families.error ?? parts.error ?? earlier.error ?? tables.error ?? problems.error,
    readAgain: () => void readAgain(),
    retry: () => void queries.refetchQueries({ queryKey: ['objects', projectId] }),
    datasets: named.filter(({ latest }) => isDataset(latest)),
    prompts: named.filter(({ latest }) => isPrompt(latest)),
    scorers: parts.data?.scorers ?? [],
    evaluations: parts.data?.evaluations ?? [],
    earlier: earlier.data?.runs ?? [],
    tables: tables.data,
    problems: problems.data ?? new Map<string, string>(),
    isChecking: problems.isFetching,
  }
}

/** The newest run of a model from which something can be estimated. */
export const earlierRunOf = (runs: readonly ListedRun[], model: string): ListedRun | undefined =>
  runs.find(({ llm, cost, rows_ended: ended }) => llm === model && cost !== null && ended > 0)

/** What runs are started with. */
export interface StartRequest {
  readonly evaluation: string
  /** Refs of versions. */
  readonly dataset: string
  readonly scorers: readonly string[]
  readonly trials: number
  readonly parallel: number
  readonly limit: number | undefined
  /** The rows that run; undefined for all. */
  readonly rows: RowChoice | undefined
}

/** Starts runs on the server; `error` says which one was not, and why. */
export function useStart(projectId: string) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  /** Starts a run for each candidate, in their order. @returns ids of those that were started */
  const start = async (request: StartRequest, candidates: readonly Candidate[]): Promise<readonly string[]> => {
    const ids: string[] = []
    setBusy(true)
    setError(undefined)
    try {
      const evaluation = await storeEvaluation(projectId, request)
      for (const candidate of candidates) {
        const model = await storeModel(projectId, candidate)
        const { parallel, limit, rows } = request
        const body = { project_id: projectId, evaluation_ref: evaluation, model_ref: model, parallel }
        const run = { ...body, ...(limit !== undefined && { cost_limit: limit }), ...(rows && { rows }) }
        ids.push((await post<{ call_id: string }>('/evaluations/evaluate_model', run)).call_id)
      }
    } catch (thrown) {
      const reason = thrown instanceof Error ? thrown.message : String(thrown)
      setError(evaluationStartText.notStarted(candidates[ids.length]?.model ?? '', reason))
    } finally {
      setBusy(false)
      if (ids.length > 0) {
        void queries.invalidateQueries({ queryKey: ['evaluation runs', projectId] })
        void readObjectsAgain(projectId)
      }
    }
    return ids
  }
  return { busy, error, start }
}

async function storeObject(projectId: string, name: string, val: object): Promise<string> {
  const { digest } = await post<{ digest: string }>('/obj/create', {
    obj: { project_id: projectId, object_id: name, val },
  })
  return `ext:///${projectId}/object/${name}:${digest}`
}

/** Stores the evaluation as a version of its name; the same content is the same version. */
function storeEvaluation(projectId: string, { evaluation, dataset, scorers, trials }: StartRequest): Promise<string> {
  const classes = { _type: 'Evaluation', _class_name: 'Evaluation', _bases: ['Object', 'BaseModel'] }
  return storeObject(projectId, evaluation, { name: evaluation, dataset, scorers, trials, ...classes })
}

const nameCharsMax = 128

/** Stores prompt and model as a model object, with the settings of the prompt version. */
async function storeModel(projectId: string, { prompt, model }: Candidate): Promise<string> {
  const params = prompt === '' ? {} : { ...(await settingsOf(projectId, prompt)), prompt }
  const name = `${prompt === '' ? '' : `${nameIn(prompt)}-`}${model}`.replaceAll(/[^A-Za-z0-9_.-]/g, '_')
  const className = 'LLMStructuredCompletionModel'
  // Named as a builtin class, it would lose parameters that the class does not list, such as tools.
  const classes = { _type: className, _class_name: className, _bases: ['Model', 'Object', 'BaseModel'] }
  const val = { llm_model_id: model, default_params: params, ...classes }
  return await storeObject(projectId, name.slice(0, nameCharsMax), val)
}

/** What a prompt version sends beside its messages: temperature, tools, schema. */
async function settingsOf(projectId: string, ref: string): Promise<Readonly<Record<string, unknown>>> {
  const prompt = promptOf(await readVersion(projectId, ref))
  const inputs = inputsOf({ projectId, column: columnOf(prompt), values: {}, further: [], at: 0 })
  const { model: _, messages: __, ...settings } = inputs
  return settings
}

/** The content of the version that a ref names. @throws {Problem} */
export async function readVersion(projectId: string, ref: string): Promise<unknown> {
  const body = { project_id: projectId, object_id: nameIn(ref), digest: ref.slice(ref.lastIndexOf(':') + 1) }
  return (await post<{ obj: { val: unknown } }>('/obj/read', body)).obj.val
}

/** Reads the model that a prompt version names; empty without. */
export const modelOfPrompt = async (projectId: string, ref: string): Promise<string> =>
  promptOf(await readVersion(projectId, ref)).model
