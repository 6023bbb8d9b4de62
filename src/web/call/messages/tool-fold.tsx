import { ChevronDown, ChevronRight } from 'lucide'
import { useState } from 'preact/hooks'
import { classNames } from '../../components/display/class-names.ts'
import { Icon } from '../../components/display/icon.tsx'
import { KindIcon } from '../../components/display/kind-icon.tsx'
import { StatusIcon } from '../../components/display/status-icon.tsx'
import { formatDuration } from '../../format/duration.ts'
import { LazyJsonView } from '../../json/lazy-json-view.tsx'
import { ContainerScan, typeAt } from '../../json/scan.ts'
import { stringText } from '../../json/string-text.ts'
import { callText } from '../../text/trace/call.ts'
import css from './tool-fold.module.css'

const charsMax = 160

/** Arguments of a tool in one line: `user_id: "sophia", flights: […]`. */
function argumentLine(json: string): string {
  const start = json.search(/\S/)
  if (start < 0 || json[start] !== '{') return json.slice(0, charsMax)
  const scan = new ContainerScan(json, start)
  scan.run(json, 4_000)
  const { entries } = scan
  const parts: string[] = []
  for (let index = 0, chars = 0; index < entries.length && chars < charsMax; index++) {
    const key = stringText(json, entries.key.at(index), entries.keyEnd.at(index), 60)
    const part = `${key}: ${valueText(json, entries.start.at(index), entries.end.at(index))}`
    parts.push(part)
    chars += part.length
  }
  return parts.join(', ')
}

function valueText(json: string, start: number, end: number): string {
  const type = typeAt(json, start)
  if (end - start > 60 && (type === 'object' || type === 'array')) return type === 'object' ? '{…}' : '[…]'
  return json.slice(start, Math.min(end, start + 80))
}

const jsonHeight = 260

interface ToolFoldProps {
  readonly name: string
  /** JSON text. */
  readonly args: string
  readonly result?: string | undefined
  readonly hasFailed: boolean
  readonly durationMs?: number | undefined
  readonly isOpenAtFirst?: boolean
  readonly resultLabel?: string | undefined
  /** Called when it is opened without a result here. */
  readonly onOpen?: (() => void) | undefined
}

/** A call of a tool: one line, and its arguments and result when opened. */
export function ToolFold({ name, args, result, hasFailed, durationMs, isOpenAtFirst = false, ...more }: ToolFoldProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const toggle = () => {
    if (!isOpen && result === undefined) more.onOpen?.()
    setOpen(!isOpen)
  }
  return (
    <div class={classNames(css.fold, hasFailed && css.failed)}>
      <button type="button" class={css.head} aria-expanded={isOpen} onClick={toggle}>
        <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} class={css.chevron} />
        <KindIcon kind="tool" hidden />
        <span class={css.name}>{name}</span>
        {!isOpen && <span class={css.args}>{argumentLine(args)}</span>}
        <span class={css.end}>
          {hasFailed && <StatusIcon status="error" size={14} />}
          {durationMs !== undefined && formatDuration(durationMs)}
        </span>
      </button>
      {isOpen && (
        <div class={css.body}>
          <div class={css.label}>{callText.arguments}</div>
          <ToolText text={args} name={callText.arguments} />
          {result !== undefined && (
            <>
              <div class={css.label}>{more.resultLabel ?? callText.result}</div>
              <div class={classNames(hasFailed && css.failure)}>
                <ToolText text={result} name={callText.result} />
              </div>
            </>
          )}
        </div>
      )}
    </div>
  )
}

/** JSON in a viewer, anything else as text. */
function ToolText({ text, name }: { text: string; name: string }) {
  if (/^\s*[[{]/.test(text)) return <LazyJsonView text={text} name={name} maxHeight={jsonHeight} isPlain />
  return <pre class={css.text}>{text}</pre>
}
