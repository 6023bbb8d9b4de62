import { useMemo, useRef, useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { classNames } from '../components/display/class-names.ts'
import { type SidePiece, sideRows } from '../diff/side-rows.ts'
import { formatCount } from '../format/number.ts'
import { promptText } from '../text/prompt.ts'
import type { PromptMessage, TemplateFormat } from './prompt.ts'
import css from './prompt-text.module.css'
import { useCompletion } from './use-completion.tsx'
import { piecesOf, type TextPiece } from './variables.ts'

/** Longer texts are folded at first. */
const foldedMin = 10_000
/** Longer texts are edited without marks, so that a key press stays fast. */
const markedMax = 20_000
const foldedLines = 12

interface PromptTextProps {
  readonly label: string
  readonly text: string
  /** The text that it was changed from; undefined for a new message. */
  readonly before: string | undefined
  readonly format: TemplateFormat
  readonly isReadOnly: boolean
  /** Variables that have a value. */
  readonly known: ReadonlySet<string>
  readonly onType: (text: string) => void
  readonly onPaste?: ((event: ClipboardEvent) => void) | undefined
}

/** The content of a message: one text, or parts. */
export interface MessageTextProps
  extends Pick<PromptTextProps, 'label' | 'format' | 'known' | 'isReadOnly' | 'before' | 'onPaste'> {
  readonly message: PromptMessage
  readonly onChange: (message: PromptMessage) => void
}

/** A piece of a line as it is drawn. */
interface Run {
  readonly kind: TextPiece['kind']
  readonly text: string
  readonly name: string | undefined
  readonly isNew: boolean
}

/** The text of a message: variables and new text are highlighted while somebody types. */
export function PromptText({ label, text, before, format, isReadOnly, known, onType, onPaste }: PromptTextProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const completion = useCompletion({ format, known, isReadOnly })
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > foldedMin
  if (isLong && !isOpen) {
    return (
      <>
        <Lines
          lines={text.slice(0, 4_000).split('\n').slice(0, foldedLines)}
          {...{ before: undefined, format, known }}
        />
        <div class={css.more}>
          <Button kind="quiet" size="compact" onClick={() => setOpen(true)}>
            {promptText.showAll(formatCount(text.length))}
          </Button>
        </div>
      </>
    )
  }
  const isMarked = text.length <= markedMax
  return (
    <div class={classNames(css.text, isMarked ? css.marked : css.plain)} dir="auto" onPaste={onPaste}>
      {isMarked && <Lines lines={text.split('\n')} before={before} format={format} known={known} />}
      <textarea
        {...completion.field}
        ref={area}
        class={css.area}
        aria-label={label}
        value={text}
        readOnly={isReadOnly}
        rows={1}
        dir="auto"
        spellcheck={false}
        onInput={(event) => {
          onType(event.currentTarget.value)
          completion.look(event.currentTarget)
        }}
      />
      {completion.list(() => area.current)}
    </div>
  )
}

interface LinesProps {
  readonly lines: readonly string[]
  readonly before: string | undefined
  readonly format: TemplateFormat
  readonly known: ReadonlySet<string>
}

function Lines({ lines, before, format, known }: LinesProps) {
  const text = lines.join('\n')
  const changed = useMemo(() => {
    if (before === undefined || before === text) return new Map<number, readonly SidePiece[]>()
    const rows = sideRows(before, text).filter(({ kind }) => kind === 'changed')
    return new Map(rows.flatMap(({ right }) => (right ? [[right.number, right.pieces] as const] : [])))
  }, [before, text])
  return (
    <div class={css.lines} aria-hidden>
      {lines.map((line, index) => {
        const pieces = changed.get(index + 1)
        return (
          <div key={index} class={classNames(css.line, pieces && css.changed)}>
            <span class={css.number}>{index + 1}</span>
            <span class={css.words} dir="auto">
              {runsOf(line, format, pieces).map((run, at) => (
                <Piece key={at} run={run} isKnown={run.name === undefined || known.has(run.name)} />
              ))}
              {'\u200b'}
            </span>
          </div>
        )
      })}
    </div>
  )
}

function Piece({ run: { kind, text, isNew }, isKnown }: { run: Run; isKnown: boolean }) {
  const look =
    kind === 'variable'
      ? isKnown
        ? css.variable
        : css.empty
      : kind === 'unclosed'
        ? css.unclosed
        : kind === 'odd' && css.odd
  return !look && !isNew ? text : <span class={classNames(look, isNew && css.new)}>{text}</span>
}

/** The pieces of a line, cut where variables and where new words begin. */
function runsOf(line: string, format: TemplateFormat, marks: readonly SidePiece[] | undefined): readonly Run[] {
  const isAllNew = marks?.every(({ isMarked }) => !isMarked)
  const news = marks?.flatMap(({ text, isMarked }) => Array.from({ length: text.length }, () => isMarked || isAllNew))
  let at = 0
  return piecesOf(line, format).flatMap(({ kind, text, name }) => {
    const runs: Run[] = []
    for (let from = at; from < at + text.length; ) {
      let to = from + 1
      while (to < at + text.length && news?.[to] === news?.[from]) to++
      runs.push({ kind, name, text: line.slice(from, to), isNew: news?.[from] === true })
      from = to
    }
    at += text.length
    return runs
  })
}
