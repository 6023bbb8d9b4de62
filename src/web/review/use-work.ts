import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Problem } from '../api/client.ts'
import { showError } from '../state/toasts.ts'
import type { Answers } from './answers.ts'
import { type ClaimAnswer, type Claimed, claimsOf } from './claims.ts'
import { readFinished, readOwnAnswers, type StoredAnswers } from './own-answers.ts'

/** An item with what the reviewer has filled in. */
export interface Work extends Claimed {
  /** Undefined until the reviewer changes something: then what is stored counts. */
  readonly answers: Answers | undefined
  /** The answer that the reviewer has given before. */
  readonly stored: StoredAnswers | undefined
  readonly note: string
  /** Whether an answer of the reviewer is stored. */
  readonly isAnswered: boolean
}

/** An item that was saved or skipped: known by its id alone after a reload. */
interface Done {
  readonly id: string
  readonly work?: Work
}

interface WorkState {
  readonly current: Work | undefined
  /** Kept for the reviewer as well, so that it is there at once. */
  readonly next: Work | undefined
  /** Saved or skipped items, the last one first. */
  readonly done: readonly Done[]
  readonly yours: number
  readonly left: number
  readonly isRead: boolean
  /** Whether the lease on the current item has ended. */
  readonly hasEnded: boolean
  readonly error: unknown
}

const undoMax = 20
const begin: WorkState = {
  current: undefined,
  next: undefined,
  done: [],
  yours: 0,
  left: 0,
  isRead: false,
  hasEnded: false,
  error: undefined,
}

const freshOf = ({ claim }: ClaimAnswer): Work | undefined =>
  (claim && { ...claim, answers: undefined, stored: undefined, note: '', isAnswered: false }) || undefined
const isEnded = (error: unknown): boolean => error instanceof Problem && error.type === 'LeaseEnded'

/** Hands out the items of a queue one by one, renews their leases, and takes the answers. */
export function useWork(projectId: string, queueId: string) {
  const claims = useMemo(() => claimsOf(projectId, queueId), [projectId, queueId])
  const [state, setState] = useState(begin)
  const latest = useRef(state)
  const set = (changes: Partial<WorkState>): void => {
    latest.current = { ...latest.current, ...changes }
    setState(latest.current)
  }
  const [busy, setBusy] = useState(false)
  const isBusy = useRef(false)
  /** One thing at a time; what the server refuses is shown. */
  const doing = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy.current) return
    isBusy.current = true
    setBusy(true)
    try {
      await work()
    } catch (error) {
      if (isEnded(error)) set({ hasEnded: true })
      else showError(error)
    } finally {
      isBusy.current = false
      setBusy(false)
    }
  }
  const asked = useRef(0)
  const loadAhead = async (): Promise<void> => {
    const { current, next } = latest.current
    if (current === undefined || next !== undefined) return
    const request = ++asked.current
    // Without it, the next item is asked for when it is needed.
    const answer = await claims.claim({ except: [current.item.id] }).catch(() => undefined)
    if (answer === undefined || request !== asked.current) return
    const ahead = freshOf(answer)
    // Meanwhile the reviewer may have saved, and have this item on screen.
    const isShown = ahead !== undefined && ahead.item.id === latest.current.current?.item.id
    set({ next: isShown ? undefined : ahead, yours: answer.yours, left: answer.left })
  }
  const goOn = async (done: readonly Done[]): Promise<void> => {
    const { next } = latest.current
    const moved = { next: undefined, hasEnded: false, done: done.slice(0, undoMax) }
    if (next === undefined) {
      // What is finished stays on screen until something else is known.
      const answer = await claims.claim({})
      set({ ...moved, current: freshOf(answer), yours: answer.yours, left: answer.left })
    } else set({ ...moved, current: next })
    void loadAhead()
  }
  const load = async (): Promise<void> => {
    try {
      const [answer, finished] = await Promise.all([
        claims.claim({}),
        readFinished(projectId, queueId, { mine: true, limit: undoMax }),
      ])
      const done = finished.map(({ item_id }) => ({ id: item_id }))
      set({ current: freshOf(answer), yours: answer.yours, left: answer.left, done, isRead: true, error: undefined })
      void loadAhead()
    } catch (error) {
      set({ error, isRead: true })
    }
  }
  const renew = async (): Promise<void> => {
    const { current, next, hasEnded } = latest.current
    if (document.hidden) return
    if (current !== undefined && !hasEnded) {
      try {
        const { expires_at } = await claims.renew(current.item.id)
        if (latest.current.current?.item.id === current.item.id)
          set({ current: { ...latest.current.current, expires_at } })
      } catch (error) {
        if (isEnded(error) && latest.current.current?.item.id === current.item.id) set({ hasEnded: true })
      }
    }
    if (next !== undefined) {
      await claims.renew(next.item.id).catch((error: unknown) => {
        if (isEnded(error) && latest.current.next?.item.id === next.item.id) set({ next: undefined })
      })
    }
  }
  useEffect(() => {
    void load()
    const release = () =>
      claims.releaseAll([latest.current.current, latest.current.next].flatMap((each) => each?.item.id ?? []))
    addEventListener('pagehide', release)
    return () => {
      removeEventListener('pagehide', release)
      release()
    }
  }, [claims])
  const seconds = state.current?.lease_seconds
  useEffect(() => {
    if (seconds === undefined) return
    const timer = setInterval(() => void renew(), (seconds * 1_000) / 3)
    return () => clearInterval(timer)
  }, [seconds])
  /** The items that can be undone, after the current one was finished. */
  const doneWith = (work: Work): readonly Done[] => [
    { id: work.item.id, work },
    ...latest.current.done.filter(({ id }) => id !== work.item.id),
  ]
  const open = async (itemId: string): Promise<void> => {
    const { current: left, next, done } = latest.current
    if (left?.item.id === itemId) return
    const known = next?.item.id === itemId ? next : done.find(({ id }) => id === itemId)?.work
    const { claim } = await claims.claim({ item_id: itemId })
    if (claim === null) return
    const stored = known ? known.stored : await readOwnAnswers(projectId, queueId, itemId)
    if (left !== undefined && next !== undefined && next.item.id !== itemId) claims.releaseAll([next.item.id])
    const isAnswered = stored !== undefined && (stored.values.size > 0 || stored.note !== '')
    set({
      current: { answers: undefined, note: stored?.note ?? '', isAnswered, ...known, ...claim, stored },
      next: left ?? (next?.item.id === itemId ? undefined : next),
      done: done.filter(({ id }) => id !== itemId),
      hasEnded: false,
    })
  }
  return {
    ...state,
    busy,
    load,
    /** The item as it is at this moment: keys may come faster than the page is drawn. */
    now: (): Work | undefined => latest.current.current,
    change: (changes: Partial<Pick<Work, 'answers' | 'note'>>): void => {
      const { current: now } = latest.current
      if (now) set({ current: { ...now, ...changes } })
    },
    save: (answers: readonly object[]) =>
      doing(async () => {
        const { current } = latest.current
        if (current === undefined) return
        await claims.submit(current.item.id, { answers, note: latest.current.current?.note ?? '' })
        const saved = latest.current.current ?? current
        if (!saved.isAnswered) set({ yours: latest.current.yours + 1 })
        await goOn(doneWith({ ...saved, isAnswered: true }))
      }),
    skip: (reason: string) =>
      doing(async () => {
        const { current } = latest.current
        if (current === undefined) return
        await claims.skip(current.item.id, reason)
        await goOn(doneWith({ ...(latest.current.current ?? current), isAnswered: false }))
      }),
    /** Opens the item that was saved or skipped last, with its answers. */
    undo: () =>
      doing(async () => {
        const [last] = latest.current.done
        if (last !== undefined) await open(last.id)
      }),
    /** Opens an item that the reviewer has answered or skipped. */
    reopen: (itemId: string) => doing(() => open(itemId)),
    /** Asks for the item whose lease has ended once more; its answers stay. */
    claimAgain: () =>
      doing(async () => {
        const { current: now } = latest.current
        if (now === undefined) return
        try {
          const { claim } = await claims.claim({ item_id: now.item.id })
          if (claim !== null) set({ current: { ...now, ...claim }, hasEnded: false })
        } catch (error) {
          showError(error)
        }
      }),
    /** Leaves an item whose lease has ended. */
    leave: () => doing(() => goOn(latest.current.done)),
  }
}
