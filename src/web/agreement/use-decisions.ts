import { useRef, useState } from 'preact/hooks'
import { Problem } from '../api/client.ts'
import { text } from '../state/search-text.ts'
import { showError } from '../state/toasts.ts'
import { urlState } from '../state/url-state.ts'
import type { Disagreement } from './judgements.ts'
import { decideItem, undecideItem } from './requests.ts'

/** What somebody has chosen for the questions of an item; null if one cannot be decided. */
export interface Choices {
  /** By the ref of the question. */
  readonly values: ReadonlyMap<string, unknown>
  readonly reason: string
}

const url = urlState({ item: text() })
const undoMax = 20
const none: Choices = { values: new Map(), reason: '' }

/** Goes through the items on which reviewers disagree, and stores what is decided. */
export function useDecisions(projectId: string, queueId: string, disagreements: readonly Disagreement[]) {
  /** Decisions of this page, the last one first. */
  const [done, setDone] = useState<readonly { readonly itemId: string; readonly choices: Choices }[]>([])
  const [skipped, setSkipped] = useState<readonly string[]>([])
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Choices>>(new Map())
  const [undone, setUndone] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [conflict, setConflict] = useState('')
  const isBusy = useRef(false)
  const isDecided = ({ judged: { item }, isDecided: before }: Disagreement): boolean =>
    done.some(({ itemId }) => itemId === item.id) || (before && !undone.has(item.id))
  const open = disagreements.filter((each) => !isDecided(each))
  const idOf = ({ judged: { item } }: Disagreement): string => item.id
  const named = disagreements.find((each) => idOf(each) === url.values.value.item)
  const current = named ?? open.find((each) => !skipped.includes(idOf(each))) ?? open[0]
  const id = current && idOf(current)
  const choices = (id !== undefined && drafts.get(id)) || none
  const change = (changes: Partial<Choices>) => {
    if (id !== undefined) setDrafts(new Map(drafts).set(id, { ...choices, ...changes }))
  }
  /** The next open item after this one, or the first that was skipped. */
  const goOn = (without: string, leftOut: readonly string[]) => {
    const at = disagreements.findIndex((each) => idOf(each) === without)
    const others = open.filter((each) => idOf(each) !== without)
    const later = others.filter((each) => disagreements.indexOf(each) > at && !leftOut.includes(idOf(each)))
    const next = later[0] ?? others.find((each) => !leftOut.includes(idOf(each))) ?? others[0]
    setConflict('')
    url.replace({ item: next ? idOf(next) : '' })
  }
  const doing = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy.current) return
    isBusy.current = true
    setBusy(true)
    try {
      await work()
    } catch (error) {
      if (error instanceof Problem && error.type === 'AlreadyDecided') setConflict(id ?? '')
      else showError(error)
    } finally {
      isBusy.current = false
      setBusy(false)
    }
  }
  return {
    current,
    choices,
    busy,
    decided: disagreements.length - open.length,
    canUndo: done.length > 0,
    /** Whether somebody else has decided the item meanwhile. */
    hasConflict: id !== undefined && conflict === id,
    choose: (ref: string, value: unknown) => change({ values: new Map(choices.values).set(ref, value) }),
    setReason: (reason: string) => change({ reason }),
    decide: (replace: boolean) =>
      doing(async () => {
        if (current === undefined || id === undefined) return
        const chosen = current.texts.filter(({ ref }) => choices.values.has(ref))
        const answers = [...current.fields, ...chosen].map(({ ref }) => ({
          annotation_ref: ref,
          value: choices.values.get(ref) ?? null,
        }))
        await decideItem(projectId, { queueId, itemId: id }, { answers, reason: choices.reason.trim(), replace })
        setDone([{ itemId: id, choices }, ...done.filter(({ itemId }) => itemId !== id)].slice(0, undoMax))
        goOn(id, skipped)
      }),
    skip: () => {
      if (id === undefined) return
      const others = [...skipped.filter((each) => each !== id), id]
      setSkipped(others)
      goOn(id, others)
    },
    /** Takes the last decision back and opens its item. */
    undo: () =>
      doing(async () => {
        const [last, ...before] = done
        if (last === undefined) return
        await undecideItem(projectId, queueId, last.itemId)
        setDone(before)
        setUndone(new Set([...undone, last.itemId]))
        setDrafts(new Map(drafts).set(last.itemId, last.choices))
        url.replace({ item: last.itemId })
      }),
  }
}
