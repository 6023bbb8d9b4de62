import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem, signOuts } from '../../api/client.ts'
import { returns } from '../../api/outage.ts'
import { queries } from '../../state/query-signal.ts'
import { type OpenedLink, openLink } from './open-link.ts'

/** What the page of a read-only link knows of it. */
export type Visit =
  | { readonly state: 'opening' }
  | { readonly state: 'open'; readonly link: Extract<OpenedLink, { ended: null }> }
  | { readonly state: 'ended'; readonly end: 'expired' | 'revoked' }
  | { readonly state: 'failed'; readonly error: unknown }
  /** The link works, but the server never hears of its cookie. */
  | { readonly state: 'no cookie' }

/** Refusals in a row after which the cookie counts as lost for good. */
const refusalsMax = 3
/** The longest time that a timer can wait. */
const timerMsMax = 2_147_000_000

/** The secret of the link, where no server sees it: behind the # of the address. */
const secretOfAddress = (): string => /^#([0-9a-f]{64})$/.exec(location.hash)?.[1] ?? ''

/**
 * Opens the read-only link of the address, and again whenever a request was refused: the answer
 * then says whether the link has expired or was revoked.
 */
export function useVisit(): { readonly visit: Visit; readonly retry: () => void } {
  const [visit, setVisit] = useState<Visit>({ state: 'opening' })
  const refusals = useRef(0)
  const open = async (): Promise<void> => {
    try {
      const link = await openLink(secretOfAddress())
      setVisit(link.ended === null ? { state: 'open', link } : { state: 'ended', end: link.ended })
    } catch (error) {
      // A server that is away for a moment does not take away what is on the page.
      const isAway = error instanceof Problem && error.isTemporary
      setVisit((known) => (isAway && known.state === 'open' ? known : { state: 'failed', error }))
    }
  }
  const refused = signOuts.value
  useEffect(() => {
    if (refused === 0) return void open()
    if (++refusals.current > refusalsMax) return setVisit({ state: 'no cookie' })
    void open().then(() => queries.refetchQueries())
  }, [refused])
  const returned = returns.value
  useEffect(() => {
    if (returned > 0) void open()
  }, [returned])
  const until = visit.state === 'open' ? Date.parse(visit.link.expires_at) : undefined
  useEffect(() => {
    if (until === undefined) return
    const timer = setTimeout(() => void open(), Math.min(Math.max(until - Date.now(), 0) + 500, timerMsMax))
    return () => clearTimeout(timer)
  }, [until])
  return { visit, retry: () => void open() }
}
