import type { Signal } from '@preact/signals'
import { CircleX, GripVertical, KeyRound } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import type { Span } from '../../chart/span.ts'
import { Button } from '../../components/controls/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { classNames } from '../../components/display/class-names.ts'
import { Icon } from '../../components/display/icon.tsx'
import { MenuButton } from '../../components/overlays/menu-button.tsx'
import { formatCount } from '../../format/number.ts'
import { isOperator } from '../../state/session.ts'
import { boardText } from '../../text/board.ts'
import { partsText } from '../../text/parts.ts'
import type { Card } from './board.ts'
import { CallsContent } from './calls-content.tsx'
import { type CardData, drawnShape, formatsOf, titleOf } from './card-data.ts'
import type { CardEditing } from './card-editing.ts'
import { cardMenu } from './card-menu.ts'
import { areTraces } from './card-request.ts'
import css from './card-view.module.css'
import { SqlContent } from './sql-content.tsx'
import { callsOf, sqlOf, useCallsCard, useSqlCard } from './use-card.ts'

interface CardViewProps {
  readonly projectId: string
  readonly card: Card
  readonly span: Span
  readonly hovered: Signal<number | undefined>
  readonly editing: CardEditing | undefined
  /** Hears whether the card has data, once that is known. */
  readonly onSettled: (id: string, hasData: boolean) => void
}

/** A card of a dashboard: its title, what it shows, and what can be done with it. */
export function CardView({ projectId, card, span, hovered, editing, onSettled }: CardViewProps) {
  const frame = useRef<HTMLElement>(null)
  const source = callsOf(card)
  const calls = useCallsCard(projectId, source, span)
  const sql = useSqlCard(sqlOf(card), span)
  const isRefused = card.source.kind === 'sql' && !isOperator.value
  const { error, refetch } = source ? calls : sql
  const content = source ? calls.content : sql.content
  const hasData = calls.content ? calls.content.count > 0 : (sql.content?.rows.length ?? 0) > 0
  const isSettled = isRefused || error !== null || content !== undefined
  useEffect(() => {
    if (isSettled) onSettled(card.id, hasData)
  }, [card.id, isSettled, hasData])
  const title = titleOf(card)
  const shape = drawnShape(card)
  return (
    <section
      ref={frame}
      class={classNames(css.card, editing?.isChosen && css.chosen, editing?.isDragged && css.dragged)}
      style={{ '--w': card.width, '--h': card.height }}
      aria-label={title}
      data-card={card.id}
      data-settled={isSettled}
      tabIndex={editing ? 0 : undefined}
      onFocus={({ target, currentTarget }) =>
        target === currentTarget && currentTarget.matches(':focus-visible') && editing?.choose()
      }
      onClick={() => editing?.choose()}
      onKeyDown={(event) => editing?.key(event)}
    >
      <header class={css.head}>
        {editing && (
          <span class={css.grip} onPointerDown={editing.grab} data-tip={boardText.grip(title)} data-unpainted>
            <Icon of={GripVertical} size={14} />
          </span>
        )}
        <h2 class={css.title} dir="auto">
          {title}
        </h2>
        {source && calls.content && <Total data={calls.content} source={source} shape={shape} />}
        <span class={css.end} data-unpainted>
          {editing?.isChosen && <Badge>{boardText.editing}</Badge>}
          <MenuButton
            label={boardText.cardMenu(title)}
            side="end"
            kind="quiet"
            size="compact"
            items={cardMenu({ projectId, card, span, data: calls.content, frame, editing })}
          />
        </span>
      </header>
      <div class={css.body}>
        {isRefused ? (
          <Message icon={KeyRound} title={boardText.needsAdmin} reason={boardText.needsAdminReason} />
        ) : error ? (
          <Message icon={CircleX} tone="error" title={partsText.notRead} reason={error.message} retry={refetch} />
        ) : source && calls.content ? (
          calls.content.count === 0 ? (
            <Message title={noDataTitle(card)} />
          ) : (
            <CallsContent
              projectId={projectId}
              title={title}
              source={source}
              shape={shape}
              data={calls.content}
              span={span}
              hovered={hovered}
            />
          )
        ) : sql.content ? (
          <SqlContent result={sql.content} shape={shape} />
        ) : (
          <Bars />
        )}
      </div>
      {editing && (
        <>
          <span class={css.corner} onPointerDown={editing.stretch} data-tip={boardText.corner(title)} data-unpainted />
          {editing.isChosen && (
            <span class={css.size} aria-hidden data-unpainted>
              {boardText.size(card.width, card.height)}
            </span>
          )}
        </>
      )}
    </section>
  )
}

const noDataTitle = ({ source }: Card): string =>
  source.kind === 'calls' && source.metric === 'score' ? boardText.noScores : boardText.noData

interface TotalProps {
  readonly data: CardData
  readonly source: NonNullable<ReturnType<typeof callsOf>>
  readonly shape: ReturnType<typeof drawnShape>
}

/** The value of the whole range, and of how many calls it is. */
function Total({ data, source, shape }: TotalProps) {
  const { format } = formatsOf(source.metric)
  const count = formatCount(data.count)
  const isCount = source.metric === 'calls'
  return (
    <>
      {shape !== 'number' && data.total != null && data.count > 0 && (
        <span class={css.total}>{format(data.total)}</span>
      )}
      {!isCount && data.count > 0 && (
        <span class={css.note}>
          {source.metric === 'score' ? boardText.ofScores(count) : boardText.ofCalls(count, areTraces(source))}
        </span>
      )}
    </>
  )
}

interface MessageProps {
  readonly title: string
  readonly reason?: string
  readonly icon?: typeof CircleX
  readonly tone?: 'error'
  readonly retry?: () => void
}

/** In place of what a card would show. */
const Message = ({ title, reason, icon, tone, retry }: MessageProps) => (
  <div class={css.message} role={tone === 'error' ? 'alert' : undefined}>
    {icon && <Icon of={icon} class={tone === 'error' ? css.failed : undefined} />}
    <strong>{title}</strong>
    {reason && <p>{reason}</p>}
    {retry && (
      <Button size="compact" onClick={retry}>
        {partsText.tryAgain}
      </Button>
    )}
  </div>
)

const Bars = () => (
  <div class={css.loading} aria-busy="true">
    <span />
    <span />
    <span />
  </div>
)
