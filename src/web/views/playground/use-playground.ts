import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { apiUrl, Problem, send } from '../../api/client.ts'
import { datasetsQuery, datasetVersionsQuery } from '../../dataset/datasets.ts'
import { streamRows } from '../../dataset/table-rows.ts'
import type { ChatMessage } from '../../playground/run.ts'
import { useRowRuns, valuesOfRow } from '../../playground/use-row-runs.ts'
import { useRuns } from '../../playground/use-runs.ts'
import { openedCallQuery, promptColumn, toolResultsQuery } from '../../playground/use-source.ts'
import {
  columnOf,
  columnsMax,
  keepWorkspace,
  keptWorkspace,
  type PlayColumn,
  promptSource,
  type Workspace,
  workspaceOf,
} from '../../playground/workspace.ts'
import { keepDraft } from '../../prompt/drafts.ts'
import { contentOf, newPrompt } from '../../prompt/prompt.ts'
import { variablesOf } from '../../prompt/variables.ts'
import { navigate } from '../../state/location.ts'
import { promptPath, viewPath } from '../../state/paths.ts'
import { queries, useQuery } from '../../state/query-signal.ts'
import { text } from '../../state/search-text.ts'
import { showError, showToast } from '../../state/toasts.ts'
import { urlState } from '../../state/url-state.ts'
import { viewOf } from '../../state/views.ts'
import { playgroundText } from '../../text/playground.ts'
import { familiesQuery, refOf, saveVersion, versionsQuery } from '../../versions/objects.ts'

const url = urlState({ call: text(), prompt: text(), version: text('latest') })

const keepMs = 250
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
export function usePlayground(projectId: string, onName: () => void) {
  const { call: callId, prompt: promptName, version } = url.values.value
  const source = callId !== '' ? `call ${callId}` : promptName === '' ? '' : promptSource(promptName, version)
  const [workspace, setWorkspace] = useState<Workspace | undefined>(() => keptWorkspace(projectId, source))
  const latest = useRef({ source, workspace })
  const opened = useQuery(openedCallQuery(projectId, callId))
  const promptVersions = useQuery({ ...versionsQuery(projectId, promptName), enabled: promptName !== '' })
  const prompts = useQuery(familiesQuery(projectId, 'prompts')).data ?? []
  const datasets = useQuery(datasetsQuery(projectId)).data ?? []
  const models = useQuery(modelsQuery).data ?? recentModels
  const started = useQuery({
    queryKey: ['playground prompt', projectId, promptName, version, promptVersions.data?.length],
    enabled: promptVersions.data !== undefined && promptName !== '',
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => promptColumn(projectId, promptVersions.data ?? [], version, signal),
  })
  const [current, focus] = useState(0)
  const runs = useRuns(projectId)
  const rows = useRowRuns()

  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const keepNow = () => {
    clearTimeout(timer.current)
    if (latest.current.workspace) keepWorkspace(projectId, latest.current.source, latest.current.workspace)
  }
  const put = (next: Workspace) => {
    latest.current = { source, workspace: next }
    setWorkspace(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(keepNow, keepMs)
  }
  useEffect(() => {
    addEventListener('pagehide', keepNow)
    return () => {
      removeEventListener('pagehide', keepNow)
      keepNow()
    }
  }, [projectId])
  // Another address is another workspace.
  useEffect(() => {
    if (latest.current.source === source) return
    keepNow()
    runs.stopAll()
    const kept = keptWorkspace(projectId, source)
    latest.current = { source, workspace: kept }
    setWorkspace(kept)
  }, [source])
  useEffect(() => {
    if (workspace !== undefined) return
    const column =
      callId !== ''
        ? opened.data?.column
        : promptName !== ''
          ? started.data
          : columnOf({ ...newPrompt(), variables: {} })
    if (column) put(workspaceOf([column]))
  }, [workspace, opened.data, started.data, source])

  const columns = workspace?.columns ?? []
  const family = datasets.find(({ name }) => name === workspace?.dataset)
  const datasetVersions = useQuery({
    ...datasetVersionsQuery(projectId, family?.name ?? ''),
    enabled: family !== undefined,
  })
  const table = family && datasetVersions.data?.get(family.latest.digest)
  const row = useQuery({
    queryKey: ['playground row', projectId, table?.table, workspace?.row],
    enabled: table !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<Readonly<Record<string, string>>> => {
      const place = { projectId, digest: table?.table ?? '', sort: undefined }
      for await (const [first] of streamRows(place, { limit: 1, offset: workspace?.row ?? 0, signal }))
        if (first) return valuesOfRow(first.row)
      return {}
    },
  })
  const used = columns.flatMap(({ prompt }) => variablesOf(prompt))
  const names = [...new Set(used.map(({ name }) => name))]
  const examples = Object.fromEntries(used.flatMap(({ name, example }) => (example === '' ? [] : [[name, example]])))
  const all: Readonly<Record<string, string>> = { ...examples, ...row.data, ...workspace?.values }
  const values = Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
  const known = useMemo(() => new Set(Object.keys(values)), [JSON.stringify(Object.keys(values))])
  const opensTrace = opened.data?.traceId
  const tools = useQuery(toolResultsQuery(projectId, opensTrace)).data ?? []

  const change = (changes: Partial<Workspace>) => {
    if (workspace) put({ ...workspace, ...changes })
  }
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
    dataset: family?.name ?? '',
    table: table?.table ?? '',
    from: workspace?.row ?? 0,
    columns,
    onEnded: (ids: readonly string[]) => void runs.usage.read(ids),
  }
  const chosen = columns[current] ?? columns[0]
  const { origin } = chosen ?? {}
  const versionsOfOrigin = prompts.find(({ name }) => name === origin?.name)?.versions ?? []
  const nextIndex = Math.max(-1, ...versionsOfOrigin.map(({ version_index: index }) => index)) + 1

  /** Saves the prompt; where another version came first, the page of the prompt shows both. */
  const save = async () => {
    if (chosen === undefined) return
    if (origin === undefined) return onName()
    const [newest] = versionsOfOrigin
    const latestDigest = prompts.find(({ name }) => name === origin.name)?.latest.digest ?? newest?.digest
    const draft = { startedFrom: origin.digest, latest: latestDigest, prompt: chosen.prompt }
    try {
      const { digest } = await saveVersion(projectId, origin.name, contentOf(chosen.prompt), latestDigest)
      await queries.invalidateQueries({ queryKey: ['objects', projectId] })
      changeColumn(Math.max(0, columns.indexOf(chosen)), {
        ...chosen,
        isEdited: false,
        origin: { name: origin.name, digest, index: nextIndex },
      })
      showToast({
        kind: 'done',
        text: playgroundText.saved(origin.name, nextIndex),
        action: { label: playgroundText.open, run: () => navigate(promptPath(projectId, origin.name, digest)) },
      })
    } catch (error) {
      if (error instanceof Problem && error.type === 'VersionConflict') {
        keepDraft(projectId, origin.name, draft)
        await queries.invalidateQueries({ queryKey: ['objects', projectId] })
        navigate(promptPath(projectId, origin.name))
      } else showError(error)
    }
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
    if (table?.rowCount !== undefined && next >= 0 && next < table.rowCount) change({ row: next, values: {} })
  }
  const goTo = (side: number) => {
    focus(side)
    document.querySelector<HTMLElement>(`[data-column=${'ABCD'[side]}] input`)?.focus()
  }
  const cost = [
    ...columns.flatMap(({ key }) => runs.of(key).runs),
    ...(rows.rows?.lines.flatMap((line) => line.runs.flatMap((run) => run ?? [])) ?? []),
  ].reduce((sum, run) => sum + (runs.costOf(run) ?? 0), 0)
  const evaluation = origin && family
  return {
    workspace,
    callId,
    promptName,
    call: opened.data,
    error: opened.error ?? promptVersions.error ?? started.error,
    retry: () => void Promise.all([opened, promptVersions, started].map((each) => each.error && each.refetch())),
    isMissing: workspace === undefined && (opened.data === null || started.data === null),
    prompts,
    datasets,
    models,
    names,
    values,
    known,
    tools,
    rowCount: table?.rowCount,
    current: Math.min(current, Math.max(0, columns.length - 1)),
    focus,
    goTo,
    runs,
    rows,
    canRun,
    canRunRows: table !== undefined && (table.rowCount ?? 0) > 0,
    rowsLeft: (table?.rowCount ?? 0) - (workspace?.row ?? 0),
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
    save,
    saveLabel: origin === undefined ? playgroundText.savePrompt : playgroundText.saveAs(origin.name, nextIndex),
    evaluationHref:
      evaluation && origin && viewOf('evaluations') !== undefined
        ? evaluationsPath(projectId, {
            start: '1',
            prompt: `ext:///${projectId}/object/${origin.name}:${origin.digest}`,
            dataset: refOf(projectId, evaluation.latest),
          })
        : undefined,
  }
}

const newKey = (): number => columnOf(newPrompt()).key

/** Address of the evaluations beside the playground. */
const evaluationsPath = (projectId: string, search: Record<string, string>): string =>
  `${viewPath(projectId, 'playground').replace(/playground$/, 'evaluations')}?${new URLSearchParams(search)}`
