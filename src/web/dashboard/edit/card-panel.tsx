import { ChartArea, ChartColumn, ChartLine, Copy, Hash, type IconNode, List, Table2, Trash2, X } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { Button, IconButton } from '../../components/controls/button.tsx'
import { Field } from '../../components/controls/field.tsx'
import { Segments } from '../../components/controls/segments.tsx'
import { TextArea } from '../../components/controls/text-area.tsx'
import { Icon } from '../../components/display/icon.tsx'
import type { Span } from '../../filter/time-range.ts'
import { navigate } from '../../state/location.ts'
import { isOperator } from '../../state/session.ts'
import { boardText } from '../../text/board.ts'
import { partsText } from '../../text/parts.ts'
import { boardLimits, type CallsSource, type Card, newCard, type Shape, shapes } from '../cards/board.ts'
import { callsHref } from '../cards/card-calls.ts'
import { addsUp, titleOf } from '../cards/card-data.ts'
import css from './card-panel.module.css'
import { SourceFields } from './source-fields.tsx'

interface CardPanelProps {
  readonly projectId: string
  readonly card: Card
  readonly span: Span
  /** @param of names what is typed, so that its letters are one step of undo */
  readonly onChange: (card: Card, of?: string) => void
  readonly onDuplicate: () => void
  readonly onRemove: () => void
  readonly onClose: () => void
}

const words = boardText.panel
const usualStatement = `select date_trunc('hour', started_at) as hour, count(*) as calls
from calls
where started_at > now() - interval 7 day
group by all
order by all`

/** What a card shows, how, and its place. */
export default function CardPanel({ projectId, card, span, onChange, onDuplicate, onRemove, onClose }: CardPanelProps) {
  const panel = useRef<HTMLElement>(null)
  const { source } = card
  const isCalls = source.kind === 'calls'
  const set = (changes: Partial<Card>, of?: string) => onChange({ ...card, ...changes }, of && `${card.id} ${of}`)
  const setSource = (changes: Partial<CallsSource>, of?: string) =>
    isCalls && set({ source: { ...source, ...changes } }, of)
  const known = useRef<Partial<Record<'calls' | 'sql', Card['source']>>>({})
  useEffect(() => {
    known.current = {}
  }, [card.id])
  const choose = (kind: 'calls' | 'sql'): void => {
    known.current[source.kind] = source
    const usual = kind === 'calls' ? newCard().source : ({ kind, statement: usualStatement } as const)
    set({ source: known.current[kind] ?? usual })
  }
  return (
    <aside
      ref={panel}
      class={css.panel}
      aria-label={`${words.title}: ${titleOf(card)}`}
      data-panel
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) {
          event.preventDefault()
          event.stopPropagation()
          onClose()
        }
      }}
    >
      <header class={css.head}>
        <h2>{words.title}</h2>
        <span class={css.tools}>
          <Button kind="quiet" size="compact" icon={Copy} onClick={onDuplicate}>
            {boardText.duplicate}
          </Button>
          <IconButton of={Trash2} size="compact" class={css.remove} label={boardText.remove} onClick={onRemove} />
          <IconButton of={X} size="compact" label={partsText.close} hint="esc" onClick={onClose} />
        </span>
      </header>
      <div class={css.fields}>
        <Field
          label={words.name}
          value={card.title}
          placeholder={titleOf({ ...card, title: '' })}
          maxLength={boardLimits.titleCharsMax}
          dir="auto"
          onInput={({ currentTarget }) => set({ title: currentTarget.value }, 'title')}
        />
        {(isOperator.value || !isCalls) && (
          <div class={css.field}>
            <span class={css.label}>{words.source}</span>
            <Segments
              label={words.source}
              options={(['calls', 'sql'] as const).map((id) => ({ id, label: words.sources[id] }))}
              current={source.kind}
              onSelect={choose}
            />
          </div>
        )}
        {isCalls ? (
          <SourceFields projectId={projectId} source={source} span={span} onChange={setSource} />
        ) : (
          <TextArea
            label={words.statement}
            value={source.statement}
            rows={9}
            maxLength={boardLimits.statementCharsMax}
            disabled={!isOperator.value}
            onInput={({ currentTarget }) =>
              set({ source: { kind: 'sql', statement: currentTarget.value } }, 'statement')
            }
          />
        )}
        {!isCalls && <p class={css.hint}>{isOperator.value ? words.statementHint : boardText.needsAdminReason}</p>}
        <ShapeField card={card} onChoose={(shape) => set({ shape })} />
        <div class={css.field}>
          <span class={css.label}>{words.place}</span>
          <div class={css.two}>
            <SizeField
              label={words.width}
              value={card.width}
              min={boardLimits.widthMin}
              max={boardLimits.columns}
              onChange={(width) => set({ width }, 'width')}
            />
            <SizeField
              label={words.height}
              value={card.height}
              min={boardLimits.heightMin}
              max={boardLimits.heightMax}
              onChange={(height) => set({ height }, 'height')}
            />
          </div>
        </div>
      </div>
      <footer class={css.foot}>
        <PanelLinks projectId={projectId} card={card} span={span} />
        <Button hint="esc" onClick={onClose}>
          {words.done}
        </Button>
      </footer>
    </aside>
  )
}

/** Chooses a shape; those that would add up what does not are off. */
function ShapeField({ card, onChoose }: { card: Card; onChoose: (shape: Shape) => void }) {
  const { source } = card
  const mayStack = source.kind === 'sql' || addsUp(source.metric)
  const isOff = (shape: Shape) =>
    !mayStack && (shape === 'area' || (shape === 'bars' && source.kind === 'calls' && source.group.trim() !== ''))
  return (
    <fieldset class={css.field}>
      <legend class={css.label}>{words.shape}</legend>
      <div class={css.shapes}>
        {shapes.map((shape) => (
          <button
            key={shape}
            type="button"
            class={css.shape}
            aria-pressed={shape === card.shape}
            disabled={isOff(shape)}
            onClick={() => onChoose(shape)}
          >
            <ShapeIcon of={shape} />
            {boardText.shapes[shape]}
          </button>
        ))}
      </div>
      {!mayStack && <p class={css.hint}>{words.notStacked}</p>}
    </fieldset>
  )
}

interface SizeFieldProps {
  readonly label: string
  readonly value: number
  readonly min: number
  readonly max: number
  readonly onChange: (value: number) => void
}

const SizeField = ({ label, value, min, max, onChange }: SizeFieldProps) => (
  <Field
    label={label}
    type="number"
    min={min}
    max={max}
    value={String(value)}
    onInput={({ currentTarget }) => {
      const next = currentTarget.valueAsNumber
      if (Number.isInteger(next) && next >= min && next <= max) onChange(next)
    }}
  />
)

/** To the calls of the card. */
const PanelLinks = ({ projectId, card: { source }, span }: { projectId: string; card: Card; span: Span }) => (
  <span class={css.links}>
    {source.kind === 'calls' && (
      <Button
        kind="quiet"
        size="compact"
        icon={List}
        onClick={() => navigate(callsHref(projectId, source, span, undefined, []))}
      >
        {boardText.openCalls}
      </Button>
    )}
  </span>
)

const icons: Readonly<Record<Shape, IconNode>> = {
  line: ChartLine,
  bars: ChartColumn,
  area: ChartArea,
  number: Hash,
  table: Table2,
}

/** A shape of cards as a picture. */
const ShapeIcon = ({ of }: { of: Shape }) => <Icon of={icons[of]} />
