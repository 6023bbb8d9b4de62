import { useMemo } from 'preact/hooks'
import { columnOf, keepWorkspace, promptSource, workspaceOf } from '../../playground/workspace.ts'
import { promptDrafts } from '../../prompt/drafts.ts'
import { faultsOf } from '../../prompt/faults.ts'
import { type Prompt, promptOf, withMessage } from '../../prompt/prompt.ts'
import { useDraft } from '../../prompt/use-draft.ts'
import { useVerdicts } from '../../prompt/use-verdicts.ts'
import { useKeys } from '../../state/keys.ts'
import { navigate } from '../../state/location.ts'
import { modelProblemsQuery } from '../../state/model-problems.ts'
import { playgroundPath, promptPath, viewPath } from '../../state/paths.ts'
import { useQuery } from '../../state/query-signal.ts'
import { canWrite } from '../../state/session.ts'
import { offerUndo, showToast } from '../../state/toasts.ts'
import { promptText } from '../../text/prompt.ts'
import { compareSearch, compareUrl } from '../../versions/compare-url.ts'
import { deleteObjectLater } from '../../versions/delete-object.ts'
import {
  contentQuery,
  notesQuery,
  type ObjectVersion,
  usesQuery,
  versionNamed,
  versionsQuery,
  versionWithAlias,
} from '../../versions/objects.ts'
import { production } from '../../versions/tag.tsx'
import { useVersionActions } from '../../versions/use-version-actions.tsx'

interface WantedPrompt {
  readonly projectId: string
  readonly name: string
  /** Digest, alias, tag or `v<number>`; the latest one without. */
  readonly wanted: string | undefined
}

/** A prompt as its page shows it, stored and being edited, and what can be done with it. */
export function usePrompt({ projectId, name, wanted }: WantedPrompt) {
  const versions = useQuery(versionsQuery(projectId, name))
  const all = useMemo(() => (versions.data ?? []).filter(({ kind }) => kind !== 'op'), [versions.data])
  const latest = versionNamed(all, 'latest') ?? all[0]
  const named = wanted === undefined ? latest : versionNamed(all, wanted)
  const content = useQuery(contentQuery(projectId, named))
  const base = useMemo(() => basePrompt(content.data), [content.data])
  const { draft, busy, change, save, discard, restore } = useDraft({
    projectId,
    name,
    base: named,
    basePrompt: base,
    latest,
  })
  const uses = useQuery(usesQuery(projectId, all)).data
  const notes = useQuery(notesQuery(projectId, name, latest?.digest)).data
  const verdicts = useVerdicts(projectId, name, all)
  const { from, to } = compareUrl.values.value
  const isComparing = from !== '' && to !== ''

  const isOther = draft !== undefined && wanted !== undefined && named?.digest !== draft.startedFrom
  const isReadOnly = !canWrite.value || isOther
  const prompt = (isOther ? undefined : draft?.prompt) ?? base
  const started = all.find(({ digest }) => digest === draft?.startedFrom)
  const startedContent = useQuery(contentQuery(projectId, started))
  const before = useMemo(() => basePrompt(startedContent.data), [startedContent.data])
  const model = prompt?.model.trim() ?? ''
  const problems = useQuery(modelProblemsQuery(projectId, canWrite.value && model !== '' ? [model] : [])).data
  const faults = useMemo(
    () => (prompt === undefined ? [] : faultsOf(prompt, problems?.get(model))),
    [prompt, problems, model],
  )
  const nextIndex = Math.max(-1, ...all.map(({ version_index: index }) => index)) + 1
  const isConflict = draft !== undefined && versions.data !== undefined && draft.latest !== latest?.digest
  // Without the versions, neither the number of the next one nor a conflict is known.
  const hasVersions = versions.data !== undefined
  const isSound = faults.every(({ level }) => level !== 'fault')
  const canSave = draft !== undefined && !isReadOnly && hasVersions && isSound

  const saveNow = async (overLatest = false) => {
    if (!canSave) return
    const made = await save(overLatest)
    if (made === undefined) return
    navigate(promptPath(projectId, name), { replace: true })
    const previous = latest
    showToast({
      kind: 'done',
      text: promptText.saved(name, nextIndex),
      ...(previous && {
        action: {
          label: promptText.compare,
          run: () => navigate(promptPath(projectId, name) + compareSearch(previous.digest, made)),
        },
      }),
    })
  }
  const hrefOf = ({ digest }: ObjectVersion) => promptPath(projectId, name, digest)
  const compareHref = (left: ObjectVersion, right: ObjectVersion) =>
    promptPath(projectId, name) + compareSearch(left.digest, right.digest)
  const { menuOf, move, dialogs } = useVersionActions({
    projectId,
    name,
    versions: all,
    current: named,
    uses,
    compareHref,
    hasObjectPage: true,
  })
  const compareNow = () => {
    if (draft !== undefined && !isOther && latest) {
      navigate(promptPath(projectId, name) + compareSearch(started?.digest ?? latest.digest, 'draft'))
      return
    }
    const live = versionWithAlias(all, production)
    const other =
      live !== undefined && live !== named
        ? live
        : all.find((each) => named && each.version_index < named.version_index)
    if (named && other) navigate(compareHref(other, named))
  }
  /** Opens the playground with the version, or with the changes to it that are not saved. */
  const tryNow = () => {
    if (named === undefined) return
    const { digest, version_index: index } = started ?? named
    if (draft !== undefined && !isOther) {
      const column = columnOf(draft.prompt, { origin: { name, digest, index, latest: draft.latest }, isEdited: true })
      keepWorkspace(projectId, promptSource(name, digest), workspaceOf([column]))
    }
    navigate(playgroundPath(projectId, { prompt: name, version: digest }))
  }
  const closeCompare = () => compareUrl.commit({ from: '', to: '' })
  useKeys(
    isComparing
      ? [{ keys: 'Escape', does: promptText.keys.close, run: closeCompare }]
      : [
          { keys: '$mod+s', does: promptText.keys.save, everywhere: true, run: () => void saveNow() },
          {
            keys: 'Alt+KeyM',
            does: promptText.keys.addMessage,
            everywhere: true,
            run: () => !isReadOnly && prompt && !prompt.isText && change(withMessage(prompt)),
          },
          { keys: 'd', does: promptText.keys.compare, run: compareNow },
          { keys: 'p', does: promptText.keys.try, run: () => tryNow() },
        ],
  )

  const discardNow = () => {
    if (draft === undefined) return
    discard()
    offerUndo({ text: promptText.discarded(name), undo: () => restore(draft) })
    if (all.length === 0) navigate(viewPath(projectId, 'prompts'))
  }
  const removeNow = () => {
    navigate(viewPath(projectId, 'prompts'))
    deleteObjectLater(projectId, name, all, { removed: () => promptDrafts.keep(projectId, name, undefined) })
  }
  return {
    versions,
    content,
    uses,
    notes,
    verdicts,
    all,
    latest,
    named,
    base,
    prompt,
    before: before ?? base,
    draft,
    faults,
    nextIndex,
    busy,
    isComparing,
    isOther,
    isReadOnly,
    isConflict,
    canSave,
    change,
    saveNow,
    discardNow,
    removeNow,
    compareNow,
    tryNow,
    closeCompare,
    hrefOf,
    menuOf,
    move,
    dialogs,
  }
}

/** The content of a version to be edited: what it changed is not what the next one changes. */
const basePrompt = (text: string | undefined): Prompt | undefined =>
  text === undefined ? undefined : { ...promptOf(JSON.parse(text)), description: '' }
