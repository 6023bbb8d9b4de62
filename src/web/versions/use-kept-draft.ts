import { useEffect, useRef, useState } from 'preact/hooks'
import type { Drafts } from './drafts.ts'

const keepMs = 250

/** The draft of an object while its page is open, kept by this browser soon after each change. */
export function useKeptDraft<Draft>(drafts: Drafts<Draft>, projectId: string, name: string) {
  const [draft, setDraft] = useState<Draft | undefined>(() => drafts.find(projectId, name))
  const [isKept, setKept] = useState(true)
  const pending = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const current = useRef(draft)
  const keepNow = () => {
    clearTimeout(pending.current)
    setKept(drafts.keep(projectId, name, current.current))
  }
  useEffect(() => {
    addEventListener('pagehide', keepNow)
    return () => {
      removeEventListener('pagehide', keepNow)
      keepNow()
    }
  }, [projectId, name])
  const put = (next: Draft | undefined, isNow = false) => {
    current.current = next
    setDraft(next)
    clearTimeout(pending.current)
    if (isNow) keepNow()
    else pending.current = setTimeout(keepNow, keepMs)
  }
  return {
    draft,
    /** The draft as it is now, before the page shows it. */
    now: () => current.current,
    /** Whether this browser keeps it. */
    isKept,
    put,
  }
}
