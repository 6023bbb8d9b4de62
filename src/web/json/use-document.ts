import { useEffect, useRef, useState } from 'preact/hooks'
import { JsonDocument } from './json-document.ts'

/** Lines that are unfolded at first, and the size of what is. */
const linesAtFirst = 120
const charsAtFirst = 6_000

/** A document over a text that may grow; renders again as lines appear. */
export function useDocument(text: string, columns: number): JsonDocument {
  const [, render] = useState(0)
  const known = useRef<JsonDocument | undefined>(undefined)
  const frame = useRef(0)
  const make = (): JsonDocument => {
    const document = new JsonDocument(text, {
      columns,
      onChange: () => {
        cancelAnimationFrame(frame.current)
        frame.current = requestAnimationFrame(() => render((count) => count + 1))
      },
    })
    document.openSmall(linesAtFirst, charsAtFirst)
    return document
  }
  if (!known.current) known.current = make()
  else if (known.current.text !== text) {
    if (text.length > known.current.text.length && text.startsWith(known.current.text)) known.current.extend(text)
    else {
      known.current.close()
      known.current = make()
    }
  }
  known.current.columns = columns
  useEffect(
    () => () => {
      cancelAnimationFrame(frame.current)
      known.current?.close()
    },
    [],
  )
  return known.current
}
