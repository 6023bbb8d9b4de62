import { useMemo, useState } from 'preact/hooks'
import { memberOf } from '../../../lib/present.ts'
import { Problem } from '../../api/client.ts'
import { rulesQuery } from '../../api/rules.ts'
import { isRef } from '../../format/ids.ts'
import { scorerDrafts } from '../../scorer/drafts.ts'
import { scorerFaults } from '../../scorer/faults.ts'
import { contentOf, editableClasses, isSameScorer, type Scorer, scorerOf } from '../../scorer/scorer.ts'
import { rulesWith, saveScorer } from '../../scorer/scorers.ts'
import { scorerPath } from '../../state/judging-paths.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { modelProblemsQuery } from '../../state/model-problems.ts'
import { useQuery } from '../../state/query-signal.ts'
import { canWrite } from '../../state/session.ts'
import { offerUndo, showError, showToast } from '../../state/toasts.ts'
import { scorerText } from '../../text/evaluation/scorer.ts'
import { compareSearch, compareUrl } from '../../versions/compare-url.ts'
import { deleteObjectLater } from '../../versions/delete-object.ts'
import {
  contentQuery,
  type ObjectVersion,
  readObjectsAgain,
  usesQuery,
  versionNamed,
  versionsQuery,
} from '../../versions/objects.ts'
import { useKeptDraft } from '../../versions/use-kept-draft.ts'
import { useVersionActions } from '../../versions/use-version-actions.tsx'

interface WantedScorer {
  readonly projectId: string
  readonly name: string
  /** Digest, alias, tag or `v<number>`; the latest one without. */
  readonly wanted: string | undefined
}

const scorerIn = (version: ObjectVersion | undefined, text: string | undefined): Scorer | undefined =>
  version === undefined || text === undefined || !editableClasses.includes(version.leaf_object_class ?? '')
    ? undefined
    : scorerOf(version.leaf_object_class ?? '', JSON.parse(text))

/** A scorer as its page shows it, stored and being edited, and what can be done with it. */
export function useScorer({ projectId, name, wanted }: WantedScorer) {
  const versions = useQuery(versionsQuery(projectId, name))
  const all = useMemo(() => (versions.data ?? []).filter(({ kind }) => kind !== 'op'), [versions.data])
  const latest = versionNamed(all, 'latest') ?? all[0]
  const named = wanted === undefined ? latest : versionNamed(all, wanted)
  const content = useQuery(contentQuery(projectId, named))
  const base = useMemo(() => scorerIn(named, content.data), [named, content.data])
  const { draft, put } = useKeptDraft(scorerDrafts, projectId, name)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const uses = useQuery(usesQuery(projectId, all)).data
  const rules = useQuery(rulesQuery(projectId))
  const { from, to } = compareUrl.values.value
  const isComparing = from !== '' && to !== ''
  const isOther = draft !== undefined && wanted !== undefined && named?.digest !== draft.startedFrom
  const isReadOnly = !canWrite.value || isOther
  const scorer = (isOther ? undefined : draft?.scorer) ?? base
  const model = scorer?.judge?.model.trim() ?? ''
  const isAsked = canWrite.value && model !== '' && !isRef(model)
  const problems = useQuery(modelProblemsQuery(projectId, isAsked ? [model] : [])).data
  const faults = useMemo(
    () => (scorer === undefined ? [] : scorerFaults(scorer, problems?.get(model))),
    [scorer, problems, model],
  )
  const nextIndex = Math.max(-1, ...all.map(({ version_index: index }) => index)) + 1
  const hasVersions = versions.data !== undefined
  const isConflict = draft !== undefined && hasVersions && draft.latest !== latest?.digest
  const isSound = faults.every(({ level }) => level !== 'fault')
  const canSave = draft !== undefined && !isReadOnly && hasVersions && isSound

  const change = (next: Scorer) => {
    setRefusal(undefined)
    const started = draft ?? { startedFrom: named?.digest, latest: latest?.digest }
    const isBack = started.startedFrom === named?.digest && base !== undefined && isSameScorer(next, base)
    put(isBack ? undefined : { startedFrom: started.startedFrom, latest: started.latest, scorer: next })
  }
  const save = async (overLatest = false) => {
    if (draft === undefined || !canSave || busy || (isConflict && !overLatest)) return
    setBusy(true)
    try {
      await saveScorer(projectId, name, draft.scorer, overLatest ? latest?.digest : draft.latest)
      put(undefined, true)
      navigate(scorerPath(projectId, name), { replace: true })
      showToast({ kind: 'done', text: scorerText.saved(name, nextIndex) })
    } catch (error) {
      // Another version came first: the page says which one once the versions are read again.
      if (error instanceof Problem && error.type === 'VersionConflict') setRefusal(undefined)
      else if (error instanceof Problem && error.status >= 400 && error.status < 500) setRefusal(error.message)
      else showError(error)
    } finally {
      await readObjectsAgain(projectId)
      setBusy(false)
    }
  }
  const discard = () => {
    if (draft === undefined) return
    put(undefined, true)
    setRefusal(undefined)
    offerUndo({
      text: scorerText.discarded(name),
      undo: () => {
        put(draft, true)
        if (all.length === 0) navigate(scorerPath(projectId, name))
      },
    })
    if (all.length === 0) navigate(scorerPath(projectId))
  }
  const remove = () => {
    const using = rulesWith(rules.data ?? [], name).map((rule) => rule.name)
    navigate(scorerPath(projectId))
    deleteObjectLater(projectId, name, all, { text: scorerText.deleted(name, using) })
  }
  const compareHref = (left: ObjectVersion, right: ObjectVersion) =>
    scorerPath(projectId, name) + compareSearch(left.digest, right.digest)
  const [before] = all.filter(({ version_index: index }) => named !== undefined && index < named.version_index)
  const started = all.find(({ digest }) => digest === draft?.startedFrom)
  const compareNow = () => {
    if (draft !== undefined && !isOther && latest)
      navigate(scorerPath(projectId, name) + compareSearch(started?.digest ?? latest.digest, 'draft'))
    else if (named && before) navigate(compareHref(before, named))
  }
  const actions = useVersionActions({
    projectId,
    name,
    versions: all,
    current: named,
    uses,
    compareHref,
    hasObjectPage: true,
  })
  const closeCompare = () => compareUrl.commit({ from: '', to: '' })
  useKeys(
    isComparing
      ? [{ keys: 'Escape', does: scorerText.keys.close, run: closeCompare }]
      : [
          { keys: '$mod+s', does: scorerText.keys.save, everywhere: true, run: () => void save() },
          { keys: 'd', does: scorerText.keys.compare, run: compareNow },
        ],
  )
  return {
    versions,
    content,
    rules,
    uses,
    all,
    latest,
    named,
    base,
    scorer,
    draft,
    draftText: useMemo(() => textOf(draft?.scorer, content.data), [draft, content.data]),
    faults,
    refusal,
    nextIndex,
    busy,
    isComparing,
    isOther,
    isReadOnly,
    isConflict,
    canSave,
    canCompare: all.length > 1 || (draft !== undefined && all.length > 0),
    change,
    save,
    discard,
    remove,
    compareNow,
    closeCompare,
    ...actions,
  }
}

/** The draft as it would be stored, for a comparison; a faulty schema is shown as it is. */
function textOf(scorer: Scorer | undefined, stored: string | undefined): string | undefined {
  if (scorer === undefined) return undefined
  const like: unknown = stored === undefined ? undefined : JSON.parse(stored)
  try {
    return JSON.stringify(inOrderOf(like, contentOf(scorer)))
  } catch {
    return JSON.stringify(inOrderOf(like, { ...scorer.rest, ...scorer.fields }))
  }
}

/** A value with its members in the order of another one, as far as that has them. */
function inOrderOf(like: unknown, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const order = typeof like === 'object' && like !== null ? Object.keys(like) : []
  const names = [...order.filter((name) => Object.hasOwn(value, name)), ...Object.keys(value)]
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, inOrderOf(memberOf(like, name), memberOf(value, name))]),
  )
}
