import { useEffect, useRef, useState } from 'preact/hooks'
import { evaluationStartText as words } from '../text/evaluation/evaluation-start.ts'
import { refOf, versionWithAlias } from '../versions/objects.ts'
import { useMissingColumns } from './missing-columns.ts'
import { useRows } from './use-rows.ts'
import { type Candidate, modelOfPrompt, type StartInitial, useParts } from './use-start.ts'

/** Trials a row, and rows at a time, that can be chosen. */
export const trialsMax = 20
export const parallelMax = 16
const newName = ''

/** What people have chosen so far; undefined members follow from the others. */
interface Draft {
  readonly evaluation: string | undefined
  readonly name: string | undefined
  readonly dataset: string | undefined
  readonly scorers: readonly string[] | undefined
  readonly trials: string | undefined
  readonly parallel: string
  readonly limit: string
}

const wholeIn = (text: string, max: number): number | undefined =>
  /^\d+$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= max ? Number(text) : undefined

let lastKey = 0

/** What a start is made of: what people have chosen, and what follows where they have not. */
export function useChoices(projectId: string, initial: StartInitial) {
  const [draft, setDraft] = useState<Draft>({
    evaluation: initial.evaluation,
    name: undefined,
    dataset: initial.dataset,
    scorers: undefined,
    trials: undefined,
    parallel: '4',
    limit: '',
  })
  const [candidates, setCandidates] = useState<readonly Candidate[]>([])
  const [datasetName, setDatasetName] = useState('')
  const filled = candidates.filter(({ model }) => model.trim() !== '')
  const [judges, setJudges] = useState<readonly string[]>([])
  const parts = useParts(projectId, datasetName, [...filled.map(({ model }) => model.trim()), ...judges])
  const { datasets, prompts, scorers, evaluations, earlier } = parts
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes })

  const latestOf = (name: string | undefined) => datasets.find((each) => each.name === name)
  const versionOf = (ref: string | undefined) =>
    datasets.flatMap(({ versions }) => versions).find((version) => refOf(projectId, version) === ref)
  const given = versionOf(draft.dataset)
  // Without a choice: the evaluation that was run last, or the last one over the given dataset.
  const usual = evaluations.find(
    ({ name, dataset }) =>
      (given === undefined || dataset === given.object_id) && earlier.some((run) => run.evaluation.name === name),
  )
  const evaluationName = draft.evaluation ?? usual?.name ?? newName
  const evaluation = evaluations.find(({ name }) => name === evaluationName)
  const dataset = given ?? (latestOf(evaluation?.dataset) ?? datasets[0])?.latest
  const family = latestOf(dataset?.object_id)
  const typedName = draft.name ?? `${dataset?.object_id ?? 'evaluation'}-evaluation`
  const name = evaluation?.name ?? typedName.trim()
  const nameFault =
    evaluation !== undefined
      ? undefined
      : !/^[\w.-]{1,128}$/.test(name)
        ? words.nameBad
        : evaluations.some((each) => each.name === name)
          ? words.nameTaken(name)
          : undefined
  const scorerNames = scorers.map(({ version }) => version.object_id)
  const chosen = draft.scorers ?? evaluation?.scorers ?? scorerNames
  const used = scorers.filter(({ version }) => chosen.includes(version.object_id))
  const trialsText = draft.trials ?? String(Math.min(trialsMax, evaluation?.trials ?? 1))
  const trials = wholeIn(trialsText, trialsMax)
  const parallel = wholeIn(draft.parallel, parallelMax)
  const limit = draft.limit.trim() === '' ? undefined : Number(draft.limit.replace('$', ''))
  const isLimitBad = limit !== undefined && !(limit > 0 && Number.isFinite(limit))
  const datasetRef = dataset && refOf(projectId, dataset)
  const filtered = datasetRef === initial.dataset ? initial.filtered : undefined
  const rows = useRows({ projectId, dataset: datasetRef, split: initial.split, filtered })
  const rowCount = rows.count

  const wantedJudges = [...new Set(used.flatMap(({ judge }) => judge ?? []))].sort()
  useEffect(() => setJudges(wantedJudges), [wantedJudges.join('\n')])
  useEffect(() => setDatasetName(dataset?.object_id ?? ''), [dataset?.object_id])

  const promptVersions = prompts.flatMap(({ versions }) => versions)
  const promptOptions = [
    { id: '', label: words.noPrompt },
    ...promptVersions.map((version) => ({ id: refOf(projectId, version), label: words.promptVersion(version) })),
  ]
  const tableDigest = dataset && parts.tables?.get(dataset.digest)?.table
  const missingColumns = useMissingColumns(
    projectId,
    candidates.map(({ prompt }) => prompt),
    tableDigest,
  )

  // The first candidates: the given prompts, that of the last run, or the one changed last; and
  // the models that they name.
  const isBegun = useRef(false)
  useEffect(() => {
    if (!parts.isRead || isBegun.current) return
    isBegun.current = true
    const [newest] = prompts
    const last = earlier.find((run) => run.evaluation.name === name)?.prompt?.ref
    const isKnown = (ref: string | undefined): ref is string => promptOptions.some(({ id }) => id === ref)
    const given = (initial.prompts ?? []).map((prompt, at) => ({ prompt, model: initial.models?.[at] ?? '' }))
    const usual = isKnown(last) ? last : newest ? refOf(projectId, newest.latest) : ''
    const known = given.filter(({ prompt }) => isKnown(prompt))
    const first = (known.length > 0 ? known : [{ prompt: usual, model: '' }]).map((each) => ({
      ...each,
      key: ++lastKey,
    }))
    setCandidates(first)
    for (const { key, prompt, model } of first) if (model === '') void fillModel(key, prompt)
  }, [parts.isRead])
  const fillModel = async (key: number, prompt: string) => {
    const model =
      (prompt === '' ? '' : await modelOfPrompt(projectId, prompt).catch(() => '')) ||
      (earlier.find(({ llm }) => llm !== null)?.llm ?? '')
    setCandidates((all) => all.map((each) => (each.key === key && each.model === '' ? { ...each, model } : each)))
  }
  const changeCandidate = (key: number, changes: Partial<Candidate>) => {
    setCandidates(candidates.map((each) => (each.key === key ? { ...each, ...changes } : each)))
    if (changes.prompt !== undefined) void fillModel(key, changes.prompt)
  }
  // What a version is compared with is what is in production, by the same model.
  const addCandidate = () => {
    const last = candidates.at(-1)
    const name = promptVersions.find((version) => refOf(projectId, version) === last?.prompt)?.object_id
    const live = versionWithAlias(
      promptVersions.filter(({ object_id: each }) => each === name),
      'production',
    )
    const baseline = live && refOf(projectId, live)
    const isNew = baseline !== undefined && !candidates.some(({ prompt }) => prompt === baseline)
    const added = isNew ? { prompt: baseline, model: last?.model ?? '' } : { prompt: last?.prompt ?? '', model: '' }
    const key = ++lastKey
    setCandidates((all) => [...all, { key, ...added }])
    if (isNew && added.model === '') void fillModel(key, baseline)
  }
  const isLive = ({ prompt }: Candidate): boolean =>
    promptVersions.some((each) => each.aliases?.includes('production') && refOf(projectId, each) === prompt)
  const isTwice = ({ prompt, model }: Candidate, at: number) =>
    candidates.slice(0, at).some((each) => each.prompt === prompt && each.model.trim() === model.trim())

  const labelOf = ({ prompt, model }: Candidate): string => {
    const version = promptVersions.find((each) => refOf(projectId, each) === prompt)
    return version === undefined ? model : words.candidate(version, model)
  }
  const judgeProblems = used.flatMap(({ judge, version }) => {
    const problem = judge === undefined ? undefined : parts.problems.get(judge)
    return problem === undefined ? [] : [{ name: version.object_id, problem }]
  })
  const withoutModel = candidates.findIndex(({ model }) => model.trim() === '')
  const isReady =
    dataset !== undefined &&
    rowCount !== undefined &&
    rowCount > 0 &&
    candidates.length > 0 &&
    withoutModel < 0 &&
    !candidates.some(isTwice) &&
    !filled.some(({ model }) => parts.problems.has(model.trim())) &&
    judgeProblems.length === 0 &&
    !parts.isChecking &&
    nameFault === undefined &&
    trials !== undefined &&
    parallel !== undefined &&
    !rows.isLimitBad &&
    !isLimitBad
  return {
    parts,
    hasTooManyFiltered: initial.hasTooManyFiltered === true,
    change,
    newName,
    evaluation,
    evaluationName,
    typedName,
    name,
    nameFault,
    dataset,
    family,
    latestOf,
    rows,
    rowCount,
    candidates,
    filled,
    withoutModel,
    setCandidates,
    changeCandidate,
    addCandidate,
    isTwice,
    isLive,
    missingColumns,
    labelOf,
    promptOptions,
    scorerNames,
    chosen,
    used,
    judgeProblems,
    trialsText,
    trials,
    parallelText: draft.parallel,
    parallel,
    limitText: draft.limit,
    limit,
    isLimitBad,
    isReady,
  }
}

/** What `useChoices` gives. */
export type Choices = ReturnType<typeof useChoices>
