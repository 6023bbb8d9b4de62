import { useEffect, useState } from 'preact/hooks'
import { jsonText } from '../text/trace/json.ts'
import css from './json-view.module.css'
import type { EmbeddedMedia } from './media.ts'
import { pause } from './scan.ts'

/** Base64 characters decoded in one go; a multiple of four. */
const decodeChars = 512 * 1024

/** A picture, sound or film in JSON text, as base64. */
export function MediaBox({ text, media }: { text: string; media: EmbeddedMedia }) {
  const [url, setUrl] = useState<string | undefined>(undefined)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    let made: string | undefined
    let isGone = false
    decode(text, media)
      .then((blob) => {
        if (isGone) return
        made = URL.createObjectURL(blob)
        setUrl(made)
      })
      .catch(() => setBroken(true))
    return () => {
      isGone = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [media.from, media.to])
  if (isBroken) return <span class={css.hint}>{jsonText.mediaNotShown}</span>
  if (url === undefined) return null
  return (
    <span class={css.media}>
      <Player url={url} type={media.type} shownAs={media.shownAs} onError={() => setBroken(true)} />
    </span>
  )
}

interface PlayerProps {
  readonly url: string
  readonly type: string
  readonly shownAs: EmbeddedMedia['shownAs']
  readonly onError: () => void
}

/** Shows media of a type the browser knows; documents as a file to save. */
export function Player({ url, type, shownAs, onError }: PlayerProps) {
  if (shownAs === 'image') return <img src={url} alt={type} onError={onError} />
  // biome-ignore lint/a11y/useMediaCaption: recorded media of a trace have no captions.
  if (shownAs === 'audio') return <audio src={url} controls preload="metadata" onError={onError} />
  // biome-ignore lint/a11y/useMediaCaption: recorded media of a trace have no captions.
  if (shownAs === 'video') return <video src={url} controls preload="metadata" onError={onError} />
  return (
    <a href={url} download={`file.${type.split('/')[1]}`}>
      {jsonText.download}
    </a>
  )
}

/** The bytes of base64 text. @throws if it is not base64 */
export async function decode(text: string, { type, from, to }: EmbeddedMedia): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  // Escaped slashes would break the groups of four, so they go first where there are any.
  const base64 = text.slice(from, to).replaceAll('\\/', '/')
  for (let at = 0; at < base64.length; at += decodeChars) {
    parts.push(Uint8Array.from(atob(base64.slice(at, at + decodeChars)), (char) => char.charCodeAt(0)))
    await pause()
  }
  return new Blob(parts, { type })
}
