import { post } from '../api/client.ts'

/** A value that a scorer says of calls. */
export interface JudgeChoice {
  readonly id: string
  readonly label: string
  readonly type: string
  /** Dotted path into the payload. */
  readonly path: string
}

/** Feedback that is looked at for what scorers say. */
const sampleRows = 500
const depthMax = 3
const choicesMax = 60

/** What scorers said of calls lately: one choice for each value. */
export const judgeChoicesQuery = (projectId: string) => ({
  queryKey: ['judge choices', projectId],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<readonly JudgeChoice[]> => {
    const body = {
      project_id: projectId,
      fields: ['feedback_type', 'payload'],
      sort_by: [{ field: 'created_at', direction: 'desc' }],
      limit: sampleRows,
    }
    const { result } = await post<{ result: Row[] }>('/feedback/query', body, { signal })
    return choicesIn(result)
  },
})

interface Row {
  readonly feedback_type: string
  readonly payload: unknown
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Scores by programs, and feedback of types that users made up; not what people answer. */
const isJudge = (type: string): boolean =>
  type.startsWith('ext.runnable.') || !(type.startsWith('ext.') || type.startsWith('final_answer.'))

function choicesIn(rows: readonly Row[]): readonly JudgeChoice[] {
  const found = new Map<string, JudgeChoice>()
  const collect = (type: string, value: unknown, path: readonly string[]): void => {
    if (isObject(value)) {
      if (path.length < depthMax)
        for (const [name, inner] of Object.entries(value)) collect(type, inner, [...path, name])
      return
    }
    // Reasons differ between any two judges.
    const isLongText = typeof value === 'string' && value.length > 40
    if (path.length === 0 || value === null || Array.isArray(value) || isLongText) return
    const dotted = path.join('.')
    const id = `${type}#${dotted}`
    const name = type.replace(/^ext\.runnable\./, '')
    const shown = dotted.replace(/^output\.?/, '')
    found.set(id, { id, type, path: dotted, label: shown === '' ? name : `${name}: ${shown}` })
  }
  for (const { feedback_type: type, payload } of rows) if (isJudge(type)) collect(type, payload, [])
  return [...found.values()].toSorted((a, b) => (a.label < b.label ? -1 : 1)).slice(0, choicesMax)
}
