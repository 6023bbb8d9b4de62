import { createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { jsonText } from '../text/trace/json.ts'
import css from './json-view.module.css'
import { Player } from './media-box.tsx'

/** Address of a stored file by its digest; viewers outside of a project know none. */
export const FileAddress = createContext<((digest: string) => string) | undefined>(undefined)

/**
 * Kinds that a stored file is tried as, in this order, because its name need not state the kind.
 */
const shownAs = ['image', 'audio', 'file'] as const

/** A stored file: a picture, else a sound, else a link to save it. */
export function FileBox({ digest }: { digest: string }) {
  const addressOf = useContext(FileAddress)
  const [attempt, setAttempt] = useState(0)
  if (!addressOf) return <span class={css.hint}>{jsonText.mediaNotShown}</span>
  return (
    <span class={css.media}>
      <Player
        key={attempt}
        url={addressOf(digest)}
        type="application/octet-stream"
        shownAs={shownAs[attempt] ?? 'file'}
        onError={() => setAttempt(attempt + 1)}
      />
    </span>
  )
}
