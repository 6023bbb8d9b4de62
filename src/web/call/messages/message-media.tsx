import { useEffect, useState } from 'preact/hooks'
import { fileUrl } from '../../api/file-url.ts'
import { mediaTypeOf } from '../../json/media.ts'
import { decode, Player } from '../../json/media-box.tsx'
import { callText } from '../../text/trace/call.ts'
import { jsonText } from '../../text/trace/json.ts'
import css from './message-media.module.css'
import type { MediaPart } from './messages.ts'

/**
 * A picture, sound or file of a message. Content on other servers is shown as a link and never
 * loaded.
 */
export function MessageMedia({ projectId, part }: { projectId: string; part: MediaPart }) {
  const [isBroken, setBroken] = useState(false)
  const inline = useInline(part)
  const type = inline?.type ?? part.media_type ?? `${part.type}/*`
  const url = part.digest === null ? inline?.url : fileUrl(projectId, part.digest)
  const shownAs = part.type === 'file' && type.startsWith('video/') ? 'video' : part.type
  if (isBroken) return <p class={css.broken}>{jsonText.mediaNotShown}</p>
  if (url !== undefined) {
    return (
      <div class={css.media}>
        <Player url={url} type={type} shownAs={shownAs} onError={() => setBroken(true)} />
      </div>
    )
  }
  if (part.url === null) return null
  if (!/^https?:/i.test(part.url)) return <p class={css.broken}>{part.url.slice(0, 300)}</p>
  return (
    <a href={part.url} target="_blank" rel="noopener noreferrer nofollow">
      {callText.remoteImage(part.url.slice(0, 300))}
    </a>
  )
}

function useInline({ data }: MediaPart): { readonly url: string; readonly type: string } | undefined {
  const [shown, setShown] = useState<{ readonly url: string; readonly type: string } | undefined>(undefined)
  useEffect(() => {
    if (data === null) return
    const from = data.startsWith('data:') ? data.indexOf(',') + 1 : 0
    // Told by its bytes: a type that the sender names may be anything.
    const type = mediaTypeOf(data.slice(from, from + 64))
    if (type === undefined) return
    let url: string | undefined
    let isGone = false
    decode(data, { type, shownAs: 'file', from, to: data.length })
      .then((blob) => {
        if (isGone) return
        url = URL.createObjectURL(blob)
        setShown({ url, type })
      })
      .catch(() => setShown(undefined))
    return () => {
      isGone = true
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [data])
  return shown
}
