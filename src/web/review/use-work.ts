import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Problem } from '../api/client.ts'
import { showError } from '../state/toasts.ts'
import type { Answers } from './answers.ts'
import { type ClaimAnswer, type Claimed, claimsOf } from './claims.ts'

/** An item with what the reviewer has filled in. */
export interface Work extends Claimed {
  readonly answers: Answers
  readonly note: string
}

interface WorkState {
  readonly current: Work | undefined
  /** Kept for the reviewer as well, so that it is there at once. */
  readonly next: Work | undefined
  /** Saved or skipped items, the last one first. */
  readonly done: readonly Work[]
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
  (claim && { ...claim, answers: {}, note: '' }) || undefined
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
  /** One thing at a time; what the server refuses is shown. */
  const doing = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      if (isEnded(error)) set({ hasEnded: true })
      else showError(error)
    } finally {
      setBusy(false)
    }
  }
  const loadAhead = async (): Promise<void> => {
    const { current, next } = latest.current
    if (current === undefined || next !== undefined) return
    const answer = await claims.claim({ except: [current.item.id] })
    set({ next: freshOf(answer), yours: answer.yours, left: answer.left })
  }
  const goOn = async (done: readonly Work[]): Promise<void> => {
    const { next } = latest.current
    set({ current: next, next: undefined, hasEnded: false, done: done.slice(0, undoMax) })
    if (next === undefined) {
      const answer = await claims.claim({})
      set({ current: freshOf(answer), yours: answer.yours, left: answer.left })
    }
    await loadAhead()
  }
  const load = async (): Promise<void> => {
    try {
      const answer = await claims.claim({})
      set({ current: freshOf(answer), yours: answer.yours, left: answer.left, isRead: true, error: undefined })
      await loadAhead()
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
  const { current } = state
  return {
    ...state,
    busy,
    load,
    change: (changes: Partial<Pick<Work, 'answers' | 'note'>>): void => {
      const { current: now } = latest.current
      if (now) set({ current: { ...now, ...changes } })
    },
    save: (answers: readonly object[]) =>
      doing(async () => {
        if (current === undefined) return
        await claims.submit(current.item.id, { answers, note: latest.current.current?.note ?? '' })
        set({ yours: latest.current.yours + 1 })
        await goOn([latest.current.current ?? current, ...latest.current.done])
      }),
    skip: (reason: string) =>
      doing(async () => {
        if (current === undefined) return
        await claims.skip(current.item.id, reason)
        await goOn([latest.current.current ?? current, ...latest.current.done])
      }),
    /** Opens the item that was saved or skipped last, with its answers. */
    undo: () =>
      doing(async () => {
        const [last, ...before] = latest.current.done
        if (last === undefined) return
        const { claim } = await claims.claim({ item_id: last.item.id })
        if (claim === null) return
        const { current: left, next } = latest.current
        if (left !== undefined && next !== undefined) claims.releaseAll([next.item.id])
        set({ current: { ...last, ...claim }, next: left ?? next, done: before, hasEnded: false })
      }),
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
