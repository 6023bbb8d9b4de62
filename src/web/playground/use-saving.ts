import { useState } from 'preact/hooks'
import { Problem } from '../api/client.ts'
import { isSame, promptDrafts } from '../prompt/drafts.ts'
import { faultsOf } from '../prompt/faults.ts'
import { contentOf, type Prompt } from '../prompt/prompt.ts'
import { navigate } from '../state/location.ts'
import { promptPath } from '../state/paths.ts'
import { showError, showToast } from '../state/toasts.ts'
import { playgroundText } from '../text/playground.ts'
import { type ObjectFamily, readObjectsAgain, saveVersion } from '../versions/objects.ts'
import type { PlayColumn, PromptOrigin, Workspace } from './workspace.ts'

/** Prompts of columns that are saved, and what is done once all of them are. */
interface ToSave {
  readonly keys: readonly number[]
  /** Name for columns that belong to no prompt. */
  readonly name?: string
  /** Saves over versions that came first. */
  readonly isOverLatest?: boolean
  readonly onSaved?: ((columns: readonly PlayColumn[]) => void) | undefined
}

interface SavingOptions {
  readonly projectId: string
  readonly prompts: readonly ObjectFamily[]
  readonly columns: readonly PlayColumn[]
  readonly change: (changes: (now: Workspace) => Partial<Workspace>) => void
}

/** Saves prompts of columns as versions. A version that came first stops it; nothing is lost. */
export function useSaving({ projectId, prompts, columns, change }: SavingOptions) {
  const [busy, setBusy] = useState(false)
  const [conflict, setConflict] = useState<{ readonly key: number; readonly name: string; readonly rest: ToSave }>()
  const [naming, setNaming] = useState<ToSave>()
  const familyOf = (name: string | undefined) => prompts.find((each) => each.name === name)
  const nextIndexOf = (name: string) =>
    Math.max(-1, ...(familyOf(name)?.versions ?? []).map(({ version_index: index }) => index)) + 1

  const save = async (wanted: ToSave): Promise<void> => {
    const chosen = wanted.keys.flatMap((key) => columns.find((column) => column.key === key) ?? [])
    if (wanted.name === undefined && chosen.some(({ origin }) => origin === undefined)) {
      setNaming(wanted)
      return
    }
    const [fault] = chosen.flatMap(({ prompt }) => faultsOf(prompt).filter(({ level }) => level === 'fault'))
    if (fault !== undefined) {
      showToast({ kind: 'error', text: playgroundText.notSaved(fault.text) })
      return
    }
    setBusy(true)
    setConflict(undefined)
    const saved: PlayColumn[] = []
    /** The latest version of each prompt, which a version just saved is. */
    const latest = new Map<string, PromptOrigin>()
    let at: PlayColumn | undefined
    try {
      for (const column of chosen) {
        at = column
        const origin = await savedOrigin(column, wanted, latest)
        const kept = { ...column, origin, isEdited: false }
        saved.push(kept)
        change((now) => ({ columns: now.columns.map((each) => (each.key === kept.key ? kept : each)) }))
      }
    } catch (error) {
      const name = at?.origin?.name ?? wanted.name
      if (at && name !== undefined && error instanceof Problem && error.type === 'VersionConflict')
        setConflict({ key: at.key, name, rest: { ...wanted, name } })
      else showError(error)
    } finally {
      await readObjectsAgain(projectId)
      setBusy(false)
    }
    if (saved.length < chosen.length) return
    tell(chosen, saved)
    wanted.onSaved?.(columns.map((column) => saved.find(({ key }) => key === column.key) ?? column))
  }

  async function savedOrigin(column: PlayColumn, wanted: ToSave, latest: Map<string, PromptOrigin>) {
    const name = column.origin?.name ?? wanted.name ?? ''
    const before = latest.get(name)
    const newest = familyOf(name)?.latest.digest
    const from = before?.digest ?? (wanted.isOverLatest ? newest : (column.origin?.latest ?? newest))
    const { digest } = await saveVersion(projectId, name, contentOf(column.prompt), from)
    forgetDraft(projectId, name, column.prompt)
    const known = familyOf(name)?.versions.find((version) => version.digest === digest)
    const index =
      known?.version_index ??
      (before?.digest === digest ? before.index : before === undefined ? nextIndexOf(name) : before.index + 1)
    // Content that a version has already makes none, and the latest one stays.
    const origin = { name, digest, index, latest: known === undefined ? digest : from }
    if (known === undefined) latest.set(name, origin)
    return origin
  }

  const tell = (before: readonly PlayColumn[], saved: readonly PlayColumn[]) => {
    for (const { name, digest, index } of new Map(
      saved.flatMap(({ origin }) => (origin ? [[`${origin.name} ${origin.digest}`, origin] as const] : [])),
    ).values()) {
      const isNew =
        !before.some(({ origin }) => origin?.digest === digest) &&
        !familyOf(name)?.versions.some((each) => each.digest === digest)
      showToast({
        kind: 'done',
        text: isNew ? playgroundText.saved(name, index) : playgroundText.savedAlready(name, index),
        action: { label: playgroundText.open, run: () => navigate(promptPath(projectId, name, digest)) },
      })
    }
  }

  const inConflict = conflict && {
    latest: familyOf(conflict.name)?.latest,
    nextIndex: nextIndexOf(conflict.name),
    /** Opens both versions beside each other, on the page of the prompt. */
    showBoth: () => {
      const column = columns.find(({ key }) => key === conflict.key)
      const latest = familyOf(conflict.name)?.latest.digest
      if (column === undefined || latest === undefined) return
      const startedFrom = column.origin?.digest
      promptDrafts.keep(projectId, conflict.name, { startedFrom, latest: column.origin?.latest, prompt: column.prompt })
      navigate(`${promptPath(projectId, conflict.name)}?${new URLSearchParams({ from: latest, to: 'draft' })}`)
    },
    saveAnyway: () => void save({ ...conflict.rest, isOverLatest: true }),
  }
  return {
    busy,
    conflict: inConflict,
    naming,
    setName: (name: string | undefined) => {
      setNaming(undefined)
      if (naming && name !== undefined) void save({ ...naming, name })
    },
    nextIndexOf,
    save,
  }
}

/** Forgets unsaved changes that have become a version. */
function forgetDraft(projectId: string, name: string, prompt: Prompt): void {
  const draft = promptDrafts.find(projectId, name)
  if (draft && isSame(draft.prompt, prompt)) promptDrafts.keep(projectId, name, undefined)
}
