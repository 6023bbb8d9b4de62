import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { apiUrl } from '../../api/api-request.ts'
import { send } from '../../api/client.ts'
import { runtimesQuery } from '../../api/runtimes.ts'
import type { ChatMessage } from '../../playground/run.ts'
import { useDatasetRow } from '../../playground/use-dataset-row.ts'
import { useRowRuns } from '../../playground/use-row-runs.ts'
import { useRuns } from '../../playground/use-runs.ts'
import { useSaving } from '../../playground/use-saving.ts'
import { openedCallQuery, promptColumn, toolResultsQuery } from '../../playground/use-source.ts'
import { useWorkspace } from '../../playground/use-workspace.ts'
import { columnOf, columnsMax, type PlayColumn, promptSource, workspaceOf } from '../../playground/workspace.ts'
import { newPrompt } from '../../prompt/prompt.ts'
import { variablesOf } from '../../prompt/variables.ts'
import { evaluationsPath } from '../../state/judging-paths.ts'
import { navigate } from '../../state/location.ts'
import { modelProblemsQuery } from '../../state/model-problems.ts'
import { useQuery } from '../../state/query-signal.ts'
import { list, text, writeSearch } from '../../state/search-text.ts'
import { canWrite } from '../../state/session.ts'
import { showError } from '../../state/toasts.ts'
import { urlState } from '../../state/url-state.ts'
import { playgroundText } from '../../text/playground.ts'
import { familiesQuery, refOf, versionsQuery } from '../../versions/objects.ts'

const url = urlState({ call: text(), prompt: text(), version: text('latest') })

const recentModels = ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'claude-sonnet-4-5', 'gemini-2.5-flash']

/** Reads the names of models that the server knows. */
const modelsQuery = {
  queryKey: ['playground models'],
  staleTime: 600_000,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly string[]> => {
    const response = await send(apiUrl('/inference/catalog/models'), { credentials: 'same-origin', signal })
    const { models }: { models: readonly { idPlayground: string }[] } = await response.json()
    return models.map(({ idPlayground }) => idPlayground)
  },
}

/** The playground: what is in its columns, and what can be done with it. */
export function usePlayground(projectId: string) {
  const { call: callId, prompt: promptName, version } = url.values.value
  const source = callId !== '' ? `call ${callId}` : promptName === '' ? '' : promptSource(promptName, version)
  const opened = useQuery(openedCallQuery(projectId, callId))
  const promptVersions = useQuery({ ...versionsQuery(projectId, promptName), enabled: promptName !== '' })
  const stored = useQuery(familiesQuery(projectId, 'prompts')).data
  const prompts = stored ?? []
  const runtimes = useQuery(runtimesQuery(projectId)).data ?? []
  const own = runtimes.flatMap(({ runtime_ids: models }) => models.map(({ playground_id: name }) => name))
  const models = [...own, ...(useQuery(modelsQuery).data ?? recentModels)]
  const started = useQuery({
    queryKey: ['playground prompt', projectId, promptName, version, promptVersions.data?.length],
    enabled: promptVersions.data !== undefined && promptName !== '',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => promptColumn(projectId, promptVersions.data ?? [], version, signal),
  })
  const [current, focus] = useState(0)
  const runs = useRuns(projectId)
  const rows = useRowRuns()
  const { workspace, begin, change } = useWorkspace(projectId, source, runs.stopAll)
  useEffect(() => {
    if (workspace !== undefined) return
    const column =
      callId !== ''
        ? opened.data?.column
        : promptName !== ''
          ? started.data
          : columnOf({ ...newPrompt(), variables: {} })
    if (column) begin(workspaceOf([column]))
  }, [workspace, opened.data, started.data, source])

  const columns = workspace?.columns ?? []
  const row = useDatasetRow(projectId, workspace)
  const used = columns.flatMap(({ prompt }) => variablesOf(prompt))
  const names = [...new Set(used.map(({ name }) => name))]
  const examples = Object.fromEntries(used.flatMap(({ name, example }) => (example === '' ? [] : [[name, example]])))
  const all: Readonly<Record<string, string>> = { ...examples, ...row.values, ...workspace?.values }
  const values = Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
  const known = useMemo(() => new Set(Object.keys(values)), [JSON.stringify(Object.keys(values))])
  const tools = useQuery(toolResultsQuery(projectId, opened.data?.traceId)).data ?? []

  const asked = [...new Set(columns.map(({ prompt }) => prompt.model))].filter((model) => model !== '').sort()
  const wasAsked = useRef(false)
  useEffect(() => {
    if (asked.length > 0) wasAsked.current = true
  }, [asked.length])
  const problems = useQuery({
    ...modelProblemsQuery(projectId, asked, wasAsked.current ? undefined : 0),
    enabled: asked.length > 0 && canWrite.value,
    placeholderData: (before: ReadonlyMap<string, string> | undefined) => before,
  }).data
  const changeColumn = (side: number, column: PlayColumn) => change({ columns: columns.with(side, column) })
  const canRun = columns.length > 0 && columns.every(({ prompt }) => prompt.model !== '')
  const runOne = (column: PlayColumn, more: { further?: readonly ChatMessage[]; begun?: string } = {}) =>
    void runs.run(
      { projectId, column, values },
      { times: more.begun === undefined ? (workspace?.runs ?? 1) : 1, ...more },
    )
  const runAll = () => {
    if (canRun) for (const column of columns) runOne(column)
  }
  const what = {
    projectId,
    dataset: row.version ? playgroundText.datasetOf(row.version.object_id, row.version.version_index) : '',
    table: row.table ?? '',
    from: workspace?.row ?? 0,
    columns,
    onEnded: (ids: readonly string[]) => void runs.usage.read(ids),
  }
  const chosen = columns[current] ?? columns[0]
  const { origin } = chosen ?? {}
  const saving = useSaving({ projectId, prompts, columns, change })
  const unsaved = columns.filter((column) => column.isEdited || column.origin === undefined)
  /** Opens the start of an evaluation of all columns, which are saved first. */
  const evaluate = () => {
    const { version: dataset } = row
    if (dataset === undefined) return
    const open = (saved: readonly PlayColumn[]) => navigate(startPath(projectId, saved, refOf(projectId, dataset)))
    if (unsaved.length === 0) open(columns)
    else void saving.save({ keys: unsaved.map(({ key }) => key), onSaved: open })
  }
  const choosePrompt = async (side: number, name: string, digest: string) => {
    try {
      const versions = prompts.find((each) => each.name === name)?.versions ?? []
      const column = await promptColumn(projectId, versions, digest)
      const before = columns[side]
      if (column === null || before === undefined) return
      const model = column.prompt.model || before.prompt.model
      changeColumn(side, { ...column, key: before.key, prompt: { ...column.prompt, model } })
    } catch (error) {
      showError(error)
    }
  }
  const duplicate = (side: number) => {
    const column = columns[side]
    if (column && columns.length < columnsMax)
      change({ columns: columns.toSpliced(side + 1, 0, columnOf(column.prompt, { ...column, key: newKey() })) })
  }
  const remove = (side: number) => {
    const column = columns[side]
    if (!column || columns.length < 2) return
    runs.forget(column.key)
    change({ columns: columns.toSpliced(side, 1) })
  }
  const step = (by: 1 | -1) => {
    const next = (workspace?.row ?? 0) + by
    if (row.rowCount !== undefined && next >= 0 && next < row.rowCount) change({ row: next, values: {} })
  }
  const goTo = (side: number) => {
    focus(side)
    document.querySelector<HTMLElement>(`[data-column=${'ABCD'[side]}] input`)?.focus()
  }
  const cost = [
    ...columns.flatMap(({ key }) => runs.of(key).runs),
    ...(rows.rows?.lines.flatMap((line) => line.runs.flatMap((run) => run ?? [])) ?? []),
  ].reduce((sum, run) => sum + (runs.costOf(run) ?? 0), 0)
  return {
    workspace,
    callId,
    promptName,
    call: opened.data,
    error: opened.error ?? promptVersions.error ?? started.error,
    retry: () => void Promise.all([opened, promptVersions, started].map((each) => each.error && each.refetch())),
    problems,
    isFresh: source === '' && columns.length === 1 && rows.rows === undefined,
    isMissing: workspace === undefined && (opened.data === null || started.data === null),
    prompts,
    arePromptsRead: stored !== undefined,
    row,
    models,
    names,
    values,
    known,
    tools,
    current: Math.min(current, Math.max(0, columns.length - 1)),
    focus,
    goTo,
    runs,
    rows,
    canRun,
    canRunRows: (row.rowCount ?? 0) > 0,
    rowsLeft: (row.rowCount ?? 0) - (workspace?.row ?? 0),
    cost,
    change,
    changeColumn,
    runOne,
    runAll,
    runRows: () => void rows.start(what),
    runRowsAgain: () => rows.again(what),
    stopAll: () => {
      runs.stopAll()
      rows.stop()
    },
    step,
    choosePrompt,
    addColumn: () => duplicate(columns.length - 1),
    duplicate,
    remove,
    saving,
    save: () => chosen && void saving.save({ keys: [chosen.key] }),
    saveLabel:
      origin === undefined || stored === undefined
        ? playgroundText.savePrompt
        : playgroundText.saveAs(origin.name, saving.nextIndexOf(origin.name)),
    evaluate: row.version === undefined ? undefined : evaluate,
    unsaved,
  }
}

const newKey = (): number => columnOf(newPrompt()).key

const startSchema = { start: text(), prompt: list(), model: list(), dataset: text() }

/** Address where an evaluation of columns with a dataset is started. */
function startPath(projectId: string, columns: readonly PlayColumn[], dataset: string): string {
  const candidates = new Map(
    columns.flatMap(({ origin, prompt: { model } }) => {
      if (origin === undefined) return []
      const ref = `ext:///${projectId}/object/${origin.name}:${origin.digest}`
      return [[`${ref} ${model}`, { ref, model }] as const]
    }),
  )
  const each = [...candidates.values()]
  const values = { start: '1', prompt: each.map(({ ref }) => ref), model: each.map(({ model }) => model), dataset }
  return evaluationsPath(projectId) + writeSearch(startSchema, '', values)
}
