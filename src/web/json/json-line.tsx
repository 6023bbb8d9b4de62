import { ChevronDown, ChevronRight } from 'lucide'
import type { ComponentChildren } from 'preact'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { formatBytes, formatCount } from '../format/number.ts'
import { jsonText } from '../text/trace/json.ts'
import { FileBox } from './file-box.tsx'
import type { JsonDocument } from './json-document.ts'
import { type JsonLine, longStringChars } from './json-node.ts'
import type { LinePick } from './json-picks.ts'
import css from './json-view.module.css'
import { embeddedMedia } from './media.ts'
import { MediaBox } from './media-box.tsx'
import { typeAt } from './scan.ts'
import { stringText } from './string-text.ts'

const keyCharsMax = 200
/** Strings longer than this can be unfolded into lines. */
const openStringChars = 60
/** Characters of the first text of a folded container that are shown. */
const hintChars = 40
const hintScanChars = 400

interface LineProps {
  readonly document: JsonDocument
  readonly line: JsonLine
  readonly number: number
  readonly isCursor: boolean
  readonly path: string | undefined
  /** What its value is chosen for, and what chooses it. */
  readonly pick: LinePick | undefined
  readonly mark: (text: string) => ComponentChildren
  readonly onToggle: () => void
  readonly onPoint: () => void
  readonly onHover: () => void
}

export const lineId = (number: number): string => `json-${number}`

/** A line of a document. */
export function JsonRow(props: LineProps) {
  const { document, line, number, isCursor, path, pick, mark, onToggle, onPoint, onHover } = props
  const { node, index, depth } = line
  const isEntry = index >= 0 && !node.lines && !node.media
  const opened = isEntry ? document.openedAt(node, index) : undefined
  const canOpen = isEntry && isOpenable(document, line)
  const access = isEntry
    ? {
        id: lineId(number),
        role: 'treeitem' as const,
        'aria-level': depth + 1,
        'aria-selected': isCursor,
        'aria-expanded': canOpen ? opened !== undefined : undefined,
      }
    : { role: 'none' as const }
  return (
    <div
      {...access}
      class={classNames(css.line, isCursor && css.cursor)}
      onClick={(event) => {
        onPoint()
        if (globalThis.getSelection()?.toString()) return
        const isOnCode = event.target instanceof Element && event.target.closest(`.${css.code}`) !== null
        if (pick && isOnCode) pick.pick()
        else if (canOpen) onToggle()
      }}
      onMouseEnter={onHover}
    >
      <span class={css.number} aria-hidden>
        {number + 1}
      </span>
      <span class={css.chevron} aria-hidden>
        {canOpen && <Icon of={opened ? ChevronDown : ChevronRight} size={14} />}
      </span>
      <span
        class={classNames(css.code, pick && css.choosable, pick?.mark !== undefined && css.chosen)}
        style={{ paddingInlineStart: `${depth * 2}ch` }}
      >
        {contentOf(document, line, opened !== undefined, mark)}
      </span>
      {pick && (pick.mark ?? pick.hint) !== undefined && (
        <span class={classNames(css.picked, pick.mark === undefined && css.wouldPick)}>{pick.mark ?? pick.hint}</span>
      )}
      {!pick && path !== undefined && path !== '' && (
        <span class={css.path} aria-hidden>
          {path}
        </span>
      )}
    </div>
  )
}

/** Whether a line has something to unfold. */
export function isOpenable(document: JsonDocument, { node, index }: JsonLine): boolean {
  if (index < 0 || node.lines || node.media) return false
  const { entries } = node
  const start = entries.start.at(index)
  const end = entries.end.at(index)
  const type = typeAt(document.text, start)
  if (type === 'string') return end - start > openStringChars || document.mediaOf(node, index) !== undefined
  return (type === 'object' || type === 'array') && end - start > 2
}

function contentOf(
  document: JsonDocument,
  { node, index }: JsonLine,
  isOpen: boolean,
  mark: LineProps['mark'],
): ComponentChildren {
  const { text } = document
  if (index < 0) return node.parent && bracketsOf(text, node.parent.entries.start.at(node.index))[1]
  if (node.media) {
    if (index > 0) return null
    return 'digest' in node.media ? <FileBox digest={node.media.digest} /> : <MediaBox text={text} media={node.media} />
  }
  if (node.lines) {
    const from = node.lines.start.at(index)
    const spelling = text.slice(from, node.lines.endOf(index))
    return <span class={css.string}>{mark(stringText(`"${spelling}`, 0, spelling.length + 1).replace(/\n$/, ''))}</span>
  }
  const { entries } = node
  const key = entries.key.at(index)
  const keyEnd = entries.keyEnd.at(index)
  const start = entries.start.at(index)
  const end = entries.end.at(index)
  const isLast = index === entries.length - 1
  // Characters left on the line, so that the size of a long text is seen beside its beginning.
  const room = Math.max(20, document.columns - node.depth * 2 - (keyEnd - key) - 26)
  return (
    <>
      {keyEnd > key && (
        <>
          <span class={css.key}>"{mark(cut(stringText(text, key, keyEnd, keyCharsMax + 1), keyCharsMax))}"</span>
          <span class={css.sign}>: </span>
        </>
      )}
      <span class={css.value}>{valueContent(document, start, end, entries.count.at(index), isOpen, room, mark)}</span>
      {!isOpen && !isLast && node.parent && <span class={css.sign}>,</span>}
    </>
  )
}

function valueContent(
  { text }: JsonDocument,
  start: number,
  end: number,
  count: number,
  isOpen: boolean,
  room: number,
  mark: LineProps['mark'],
): ComponentChildren {
  const type = typeAt(text, start)
  if (type === 'object' || type === 'array') {
    const [open, close] = bracketsOf(text, start)
    if (isOpen) return <span class={css.sign}>{open}</span>
    if (end - start <= 2) return <span class={css.sign}>{text.slice(start, end)}</span>
    const many = type === 'object' ? jsonText.keys : jsonText.items
    const hint = firstText(text, start, end)
    return (
      <>
        <span class={css.sign}>
          {open}…{close}
        </span>
        <span class={css.hint}>
          {count > 0 && ` ${many(count, formatCount(count))}`}
          {hint !== '' && <>, {mark(hint)}</>}
        </span>
      </>
    )
  }
  if (type !== 'string') {
    const spelling = cut(text.slice(start, Math.min(end, start + longStringChars)), longStringChars - 1)
    return <span class={type === 'number' ? css.numeral : css.literal}>{mark(spelling)}</span>
  }
  const media = embeddedMedia(text, start, end)
  if (media) {
    return <span class={css.hint}>{jsonText.media(media.type, formatBytes(((media.to - media.from) * 3) / 4))}</span>
  }
  const isLong = end - start > Math.min(longStringChars, Math.max(room + 24, 60))
  if (isOpen && isLong) return <span class={css.hint}>{jsonText.characters(formatCount(end - start - 2))}</span>
  const shown = stringText(text, start, end, isLong ? room : longStringChars)
  return (
    <>
      <span class={css.string}>
        "{mark(onOneLine(shown))}
        {isLong ? '…' : '"'}
      </span>
      {isLong && <span class={css.hint}> {jsonText.characters(formatCount(end - start - 2))}</span>}
    </>
  )
}

/** The first text inside a folded container, which often says what it is. */
function firstText(text: string, start: number, end: number): string {
  const head = text.slice(start, Math.min(end, start + hintScanChars))
  const found = /[:[,]\s*"((?:[^"\\]|\\.){1,80})"(?!\s*:)/.exec(head)
  return found?.[1] === undefined ? '' : cut(onOneLine(stringText(`"${found[1]}"`, 0, found[1].length + 2)), hintChars)
}

const bracketsOf = (text: string, start: number): readonly [string, string] =>
  text[start] === '{' ? ['{', '}'] : ['[', ']']

const cut = (text: string, chars: number): string => (text.length > chars ? `${text.slice(0, chars)}…` : text)

/** Line feeds and other characters that would not be seen on one line. */
const onOneLine = (text: string): string =>
  text.replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t').replaceAll('"', '\\"')
