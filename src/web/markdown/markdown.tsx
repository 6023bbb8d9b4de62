import { useEffect, useRef, useState } from 'preact/hooks'
import css from './markdown.module.css'

type Render = (text: string) => DocumentFragment

let loading: Promise<{ renderMarkdown: Render }> | undefined
let loaded: Render | undefined

/** Longer texts are shown as they are. */
const markdownCharsMax = 200_000

/**
 * Text as Markdown, sanitised. The renderer is loaded when first needed; until then, and for plain
 * or very long texts, the text is shown as it was sent.
 */
export function Markdown({ text }: { text: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [render, setRender] = useState<{ readonly now: Render } | undefined>(loaded && { now: loaded })
  const isRich = text.length <= markdownCharsMax && looksLikeMarkdown(text)
  const [isMissing, setMissing] = useState(false)
  useEffect(() => {
    if (!isRich || render) return
    let isGone = false
    loading ??= import('./render-markdown.ts')
    loading
      .then(({ renderMarkdown }) => {
        loaded = renderMarkdown
        if (!isGone) setRender({ now: renderMarkdown })
      })
      .catch(() => {
        loading = undefined
        // The text is shown as it was sent.
        if (!isGone) setMissing(true)
      })
    return () => {
      isGone = true
    }
  }, [isRich])
  useEffect(() => {
    if (isRich && render && box.current) box.current.replaceChildren(render.now(text))
  }, [text, render, isRich])
  if (isRich && render) return <div ref={box} class={css.markdown} dir="auto" />
  return (
    <div class={css.plain} dir="auto" aria-busy={isRich && !isMissing}>
      {text}
    </div>
  )
}

/** Whether a text uses anything that Markdown would show in another way. */
export const looksLikeMarkdown = (text: string): boolean =>
  /(^|\n)\s{0,3}(#{1,6} |[-*+] |\d{1,3}[.)] |>|```|~~~|\|)|\*\*|__|`|\[[^\]]+\]\(|https?:\/\/|<\w|\n---/.test(text)
