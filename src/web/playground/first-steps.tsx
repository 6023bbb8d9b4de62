import { postRows } from '../api/lines.ts'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { isRef, opName } from '../format/ids.ts'
import { formatAgo } from '../format/time.ts'
import { playgroundPath, viewPath } from '../state/paths.ts'
import { useQuery } from '../state/query-signal.ts'
import { playgroundText } from '../text/playground.ts'
import type { ObjectFamily } from '../versions/objects.ts'
import css from './first-steps.module.css'

interface ModelCall {
  readonly id: string
  readonly op_name: string
  readonly started_at: string
  readonly inputs?: { readonly model?: unknown }
}

const readMax = 100
const shownMax = 5

/** Reads the newest calls that name a model which answers messages. */
const modelCallsQuery = (projectId: string) => ({
  queryKey: ['playground calls', projectId],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly ModelCall[]> => {
    const sort_by = [{ field: 'started_at', direction: 'desc' }]
    const columns = ['id', 'op_name', 'started_at', 'inputs.model']
    const body = { project_id: projectId, columns, sort_by, limit: readMax }
    const calls = await postRows<ModelCall>('/calls/stream_query', body, { signal })
    // Calls of evaluations name the object that is evaluated.
    const isOfModel = (model: unknown) => typeof model === 'string' && !isRef(model) && !unanswering.test(model)
    return calls.filter(({ inputs, op_name }) => isOfModel(inputs?.model) && op_name !== ownOp)
  },
})

/** Models that answer no messages. */
const unanswering = /embed|rerank/i
const ownOp = 'playground.completion'

interface FirstStepsProps {
  readonly projectId: string
  /** Undefined until they are read. */
  readonly prompts: readonly ObjectFamily[] | undefined
  readonly onModel: (model: string) => void
}

/** Where to begin: a call that a model has answered, a prompt, or a model that is in use. */
export default function FirstSteps({ projectId, prompts, onModel }: FirstStepsProps) {
  const { data: calls } = useQuery(modelCallsQuery(projectId))
  const models = [...new Set((calls ?? []).map(({ inputs }) => String(inputs?.model)))].slice(0, shownMax)
  return (
    <section class={css.steps} aria-label={playgroundText.beginWith}>
      <div class={css.step}>
        <h2>{playgroundText.recentCalls}</h2>
        {calls === undefined ? (
          <LoadingRows columns="1fr" rows={3} height={30} />
        ) : calls.length === 0 ? (
          <p>
            {playgroundText.noModelCalls} <a href={viewPath(projectId, 'start')}>{playgroundText.sendCalls}</a>
          </p>
        ) : (
          <ul>
            {calls.slice(0, shownMax).map(({ id, op_name, inputs, started_at }) => (
              <li key={id}>
                <a class={css.row} href={playgroundPath(projectId, { call: id })}>
                  <strong class="cut" dir="auto">
                    {opName(op_name)}
                  </strong>
                  <span class="cut">{String(inputs?.model)}</span>
                  <span class={css.end}>{formatAgo(started_at)}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div class={css.step}>
        <h2>{playgroundText.aPrompt}</h2>
        {prompts === undefined ? (
          <LoadingRows columns="1fr" rows={3} height={30} />
        ) : prompts.length === 0 ? (
          <p>
            {playgroundText.noPrompts} <a href={viewPath(projectId, 'prompts')}>{playgroundText.makePrompt}</a>
          </p>
        ) : (
          <ul>
            {prompts.slice(0, shownMax).map(({ name, latest }) => (
              <li key={name}>
                <a class={css.row} href={playgroundPath(projectId, { prompt: name, version: 'latest' })}>
                  <strong class="cut" dir="auto">
                    {name}
                  </strong>
                  <span>v{latest.version_index}</span>
                  <span class={css.end}>{formatAgo(latest.created_at)}</span>
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div class={css.step}>
        <h2>{playgroundText.ownPrompt}</h2>
        <p>{playgroundText.ownPromptHow}</p>
        {models.length > 0 && (
          <p class={css.models}>
            {models.map((model) => (
              <button key={model} type="button" class={css.model} onClick={() => onModel(model)}>
                {model}
              </button>
            ))}
          </p>
        )}
      </div>
    </section>
  )
}
