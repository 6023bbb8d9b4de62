import { useEffect, useRef, useState } from 'preact/hooks'
import { type Passage, passageOf } from './spans.ts'

/** Attribute of an element whose whole text is that at a path of a payload. */
export const pathAttribute = 'data-path'

function selectedPassage(): Passage | undefined {
  const selection = getSelection()
  const { anchorNode, focusNode } = selection ?? {}
  if (!selection || selection.isCollapsed || !anchorNode || !focusNode) return undefined
  const own = selection.getRangeAt(0)
  const element = own.startContainer instanceof Element ? own.startContainer : own.startContainer.parentElement
  const block = element?.closest(`[${pathAttribute}]`)
  if (!block?.contains(own.endContainer)) return undefined
  const before = document.createRange()
  before.setStart(block, 0)
  before.setEnd(own.startContainer, own.startOffset)
  const from = before.toString().length
  const text = block.textContent
  return passageOf(block.getAttribute(pathAttribute) ?? '', text, from, from + own.toString().length)
}

/**
 * The passage that is selected in a text that can be marked. It is kept while a button is pressed,
 * which takes the selection away on touch screens.
 */
export function useSelectedText(isOn: boolean) {
  const [passage, setPassage] = useState<Passage>()
  const latest = useRef(passage)
  useEffect(() => {
    if (!isOn) return
    const read = () => {
      const found = selectedPassage()
      const before = latest.current
      const isLeft = document.activeElement instanceof HTMLButtonElement
      if (found === undefined && (isLeft || before === undefined)) return
      if (found?.path === before?.path && found?.start === before?.start && found?.end === before?.end) return
      latest.current = found
      setPassage(found)
    }
    document.addEventListener('selectionchange', read)
    return () => document.removeEventListener('selectionchange', read)
  }, [isOn])
  return {
    passage,
    /** As it is at this moment: the event about a selection comes later than its key. */
    now: (): Passage | undefined => selectedPassage() ?? latest.current,
    clear: (): void => {
      latest.current = undefined
      setPassage(undefined)
      getSelection()?.removeAllRanges()
    },
  }
}
