import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { saveBlob } from '../api/download.ts'
import { classNames } from '../components/display/class-names.ts'
import { MenuButton } from '../components/overlays/menu-button.tsx'
import { showError, showToast } from '../state/toasts.ts'
import { partsText } from '../text/parts.ts'
import { jsonText } from '../text/trace/json.ts'
import type { Match } from './find.ts'
import { FindField } from './find-field.tsx'
import { JsonDocument } from './json-document.ts'
import { isOpenable, JsonRow, lineId } from './json-line.tsx'
import type { JsonLine } from './json-node.ts'
import { pathOf, targetOf } from './json-paths.ts'
import { type JsonPicks, pickOf } from './json-picks.ts'
import css from './json-view.module.css'
import { mediaLines } from './line-index.ts'
import { useFind } from './use-find.ts'

/** Lines that are unfolded at first, and the size of what is. */
const linesAtFirst = 120
const charsAtFirst = 6_000

/** A document over a text that may grow; renders again as lines appear. */
function useDocument(text: string, columns: number): JsonDocument {
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

/** A text with what was searched for marked. */
function markText(text: string, needle: string): ComponentChildren {
  if (needle === '') return text
  const lower = text.toLowerCase()
  const wanted = needle.toLowerCase()
  const parts: ComponentChildren[] = []
  let from = 0
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>)
    from = at + wanted.length
  }
  return parts.length === 0 ? text : [...parts, text.slice(from)]
}

const rowHeight = 20
const overscan = mediaLines + 2
const charWidth = 7.23

interface JsonViewProps {
  readonly text: string
  /** Name of the value, for screen readers and saved files. */
  readonly name: string
  /** Grows with its lines up to this height; fills its parent without it. */
  readonly maxHeight?: number
  /** Without its bar and line numbers. */
  readonly isPlain?: boolean
  /** With its name in the bar, where no tab says it. */
  readonly isTitled?: boolean
  /** Lets values be chosen: by a click, or by Enter. */
  readonly picks?: JsonPicks | undefined
}

/** JSON text as lines that unfold, to the letter. Only the lines in view exist. */
export function JsonView({ text, name, maxHeight, isPlain = false, isTitled = false, picks }: JsonViewProps) {
  const scroll = useRef<HTMLDivElement>(null)
  const [box, setBox] = useState({ top: 0, height: 600, width: 560 })
  const columns = Math.max(24, Math.floor((box.width - 96) / charWidth))
  const document = useDocument(text, columns)
  const [cursor, setCursor] = useState(0)
  const [hovered, setHovered] = useState(-1)
  const find = useFind(text)

  const measure = () => {
    const element = scroll.current
    if (element) setBox({ top: element.scrollTop, height: element.clientHeight, width: element.clientWidth })
  }
  useLayoutEffect(() => {
    measure()
    const resized = new ResizeObserver(measure)
    if (scroll.current) resized.observe(scroll.current)
    return () => resized.disconnect()
  }, [])
  const count = document.lineCount
  const first = Math.max(0, Math.floor(box.top / rowHeight) - overscan)
  const last = Math.min(count, Math.ceil((box.top + box.height) / rowHeight) + overscan)

  const show = (number: number) => {
    const element = scroll.current
    if (!element) return
    const top = number * rowHeight
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = top + rowHeight - element.clientHeight
    }
  }
  const goTo = async (match: Match | undefined) => {
    if (!match) return
    const number = await document.reveal(match.start)
    setCursor(number)
    requestAnimationFrame(() => {
      const element = scroll.current
      if (element) element.scrollTop = Math.max(0, number * rowHeight - element.clientHeight / 3)
    })
  }
  useEffect(() => void goTo(find.matches[find.current]), [find.current, find.matches[find.current]])

  const toggle = ({ node, index }: JsonLine) => {
    if (document.openedAt(node, index)) document.closeEntry(node, index)
    else document.open(node, index)
  }
  const move = (event: KeyboardEvent) => {
    const line = document.lineAt(cursor)
    const page = Math.max(1, Math.floor(box.height / rowHeight) - 1)
    const to = {
      ArrowDown: cursor + 1,
      ArrowUp: cursor - 1,
      Home: 0,
      End: count - 1,
      PageDown: cursor + page,
      PageUp: cursor - page,
    }[event.key]
    if (to !== undefined) {
      const next = Math.min(count - 1, Math.max(0, to))
      setCursor(next)
      show(next)
    } else if (line && picks && event.key === 'Enter') {
      picks.onPick(targetPath())
    } else if (line && (event.key === 'ArrowRight' || event.key === 'ArrowLeft' || event.key === 'Enter')) {
      const isOpen = line.index >= 0 && document.openedAt(line.node, line.index) !== undefined
      const wantsOpen = event.key === 'Enter' ? !isOpen : event.key === 'ArrowRight'
      if (isOpenable(document, line) && isOpen !== wantsOpen) toggle(line)
      else if (event.key === 'ArrowLeft' && line.node.parent) {
        const parent = document.lineNumberOf(line.node.parent, line.node.index)
        setCursor(parent)
        show(parent)
      }
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  const marked = (shown: string): ComponentChildren => markText(shown, find.needle)
  const target = () => targetOf(document.lineAt(cursor))
  const valueText = () => {
    const { node, index } = target()
    return document.text.slice(node.entries.start.at(index), node.entries.end.at(index))
  }
  const copied = (written: Promise<void>) => {
    written.then(() => showToast({ kind: 'done', text: partsText.copied })).catch(showError)
  }
  const copy = (make: () => string) => () => copied(navigator.clipboard.writeText(make()))
  const copyCode = (language: 'asPython' | 'asJavaScript') => () => {
    const json = valueText()
    const code = import('./as-code.ts').then((languages) => languages[language](json))
    // Some browsers refuse what is written long after the press; a promise made then may be kept.
    copied(navigator.clipboard.write([new ClipboardItem({ 'text/plain': code })]))
  }
  const pathAt = (number: number) => {
    const line = document.lineAt(number)
    return line && line.index >= 0 ? pathOf(document, line.node, line.index) : ''
  }
  const targetPath = () => {
    const { node, index } = target()
    return pathOf(document, node, index)
  }
  return (
    <div class={classNames(css.view, isPlain && css.plain)} data-keys="own">
      {!isPlain && (
        <div class={css.bar}>
          {isTitled && <h3 class={css.title}>{name}</h3>}
          <span class={css.cursorPath} title={targetPath()}>
            {targetPath() || (isTitled ? '' : name)}
          </span>
          <FindField find={find} />
          <MenuButton
            label={jsonText.copy}
            side="end"
            items={[
              { label: jsonText.copyValue, run: copy(valueText) },
              { label: jsonText.copyPath, run: copy(targetPath) },
              { label: jsonText.copyPython, run: copyCode('asPython') },
              { label: jsonText.copyJs, run: copyCode('asJavaScript') },
              {
                label: jsonText.download,
                separator: true,
                run: () => saveBlob(new Blob([document.text], { type: 'application/json' }), `${name}.json`),
              },
            ]}
          />
        </div>
      )}
      <div
        ref={scroll}
        class={css.scroll}
        role="tree"
        tabIndex={0}
        aria-label={name}
        aria-activedescendant={cursor >= first && cursor < last ? lineId(cursor) : undefined}
        style={
          maxHeight === undefined
            ? undefined
            : { flex: 'none', height: `${Math.min(maxHeight, count * rowHeight + 10)}px` }
        }
        onScroll={measure}
        onKeyDown={move}
        onMouseLeave={() => setHovered(-1)}
      >
        <div role="none" class={css.lines} style={{ height: `${count * rowHeight}px` }}>
          <div role="none" class={css.block} style={{ top: `${first * rowHeight}px` }}>
            {Array.from({ length: Math.max(0, last - first) }, (_, offset) => {
              const number = first + offset
              const line = document.lineAt(number)
              if (!line) return null
              return (
                <JsonRow
                  key={number}
                  document={document}
                  line={line}
                  number={number}
                  isCursor={number === cursor}
                  path={number === hovered ? pathAt(number) : undefined}
                  pick={picks && pickOf(picks, document, line, number === hovered || number === cursor)}
                  mark={marked}
                  onToggle={() => toggle(line)}
                  onPoint={() => setCursor(number)}
                  onHover={() => setHovered(number)}
                />
              )
            })}
          </div>
        </div>
      </div>
    </div>
  )
}
