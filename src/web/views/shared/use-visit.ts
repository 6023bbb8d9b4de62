import { useEffect, useRef, useState } from 'preact/hooks'
import { Problem, problemOf, reach, signOuts } from '../../api/client.ts'
import { returns } from '../../api/outage.ts'
import { root, sharedLink } from '../../base.ts'
import { queries } from '../../state/query-signal.ts'

/** What the page of a read-only link knows of it. */
export type Visit =
  | { readonly state: 'opening' }
  | { readonly state: 'open'; readonly link: Extract<OpenedLink, { ended: null }> }
  | { readonly state: 'ended'; readonly end: 'expired' | 'revoked' }
  | { readonly state: 'failed'; readonly error: unknown }
  /** The link works, but the server never hears of its cookie. */
  | { readonly state: 'no cookie' }

/** How often a link that works may be opened again before its cookie counts as lost for good. */
const reopenedMax = 3
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
  const reopened = useRef(0)
  const isOpening = useRef(false)
  /** @returns whether the link works */
  const open = async (): Promise<boolean> => {
    isOpening.current = true
    try {
      const link = await openLink(secretOfAddress())
      setVisit(link.ended === null ? { state: 'open', link } : { state: 'ended', end: link.ended })
      return link.ended === null
    } catch (error) {
      // A server that is away for a moment does not take away what is on the page.
      const isAway = error instanceof Problem && error.isTemporary
      setVisit((known) => (isAway && known.state === 'open' ? known : { state: 'failed', error }))
      return false
    } finally {
      isOpening.current = false
    }
  }
  /** Several requests may be refused at once: one look says why. */
  const openAgain = async (): Promise<void> => {
    if (isOpening.current || !(await open())) return
    if (++reopened.current > reopenedMax) setVisit({ state: 'no cookie' })
    else await queries.refetchQueries()
  }
  const refused = signOuts.value
  useEffect(() => {
    void (refused === 0 ? open() : openAgain())
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

/** What a read-only link opens, or how it ended. */
type OpenedLink =
  | { readonly ended: null; readonly project_id: string; readonly trace_id: string; readonly expires_at: string }
  | { readonly ended: 'expired' | 'revoked' }

/**
 * Opens the read-only link whose page this is.
 * @param secret of the link; empty if only the cookie knows it
 * @throws {Problem}
 */
async function openLink(secret: string): Promise<OpenedLink> {
  const response = await reach(`${root}/shared/${sharedLink}/open`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(secret === '' ? {} : { secret }),
  })
  if (!response.ok) throw await problemOf(response)
  return await response.json()
}
