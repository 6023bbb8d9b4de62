import { ChevronRight, Tag } from 'lucide'
import { useMemo, useState } from 'preact/hooks'
import { Button } from '../components/controls/button.tsx'
import { Checkbox } from '../components/controls/checkbox.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { ErrorState } from '../components/states/error-state.tsx'
import { LoadingRows } from '../components/states/loading-rows.tsx'
import { type Prose, SideDiff } from '../diff/side-diff.tsx'
import { countRows, countWords } from '../diff/side-rows.ts'
import { formatCount, formatCountUpTo, formatNumber, formatShare } from '../format/number.ts'
import { useKeys } from '../state/keys.ts'
import { useQuery } from '../state/query-signal.ts'
import { promptText } from '../text/prompt.ts'
import { versionText } from '../text/version.ts'
import { compareUrl } from '../versions/compare-url.ts'
import { contentQuery, type ObjectVersion, type VersionUse, versionNamed } from '../versions/objects.ts'
import { production } from '../versions/tag.tsx'
import { CompareBar, SideHeads, SwapButton, stepChange, useLayout } from '../versions/version-diff.tsx'
import { iconOfRole } from './message-card.tsx'
import { type Prompt, promptOf } from './prompt.ts'
import css from './prompt-compare.module.css'
import { changedParts, type DiffBlock, promptDiff } from './prompt-diff.ts'
import { piecesOf, variablesOf } from './variables.ts'

interface PromptCompareProps {
  readonly projectId: string
  readonly name: string
  readonly versions: readonly ObjectVersion[]
  readonly uses: ReadonlyMap<string, VersionUse> | undefined
  /** Description of the changes of each version, by digest. */
  readonly notes: ReadonlyMap<string, string> | undefined
  /** Unsaved changes, shown as the version `draft`. */
  readonly draft: Prompt | undefined
  /** Opens the dialog that moves `production`; undefined if it may not. */
  readonly onMove: ((to: ObjectVersion, newVariables: readonly string[]) => void) | undefined
}

/** Two versions of a prompt beside each other: messages by turn, text by word, JSON by line. */
export default function PromptCompare({ projectId, versions, uses, notes, draft, onMove }: PromptCompareProps) {
  const { from, to, all } = compareUrl.values.value
  const isDraft = to === 'draft' && draft !== undefined
  const [left, right] = [versionNamed(versions, from), versionNamed(versions, to)]
  const [old, now] = [useQuery(contentQuery(projectId, left)), useQuery(contentQuery(projectId, right))]
  const before = useMemo(() => readPrompt(old.data), [old.data])
  const after = useMemo(() => (isDraft ? draft : readPrompt(now.data)), [now.data, isDraft, draft])
  const blocks = useMemo(() => (before && after ? promptDiff(before, after) : undefined), [before, after])
  const layout = useLayout()
  const move = () => {
    // Before both are read, every variable would be new.
    if (blocks === undefined) return
    const known = new Set(before && variablesOf(before).map(({ name }) => name))
    const news = after === undefined ? [] : variablesOf(after).flatMap(({ name }) => (known.has(name) ? [] : [name]))
    if (right) onMove?.(right, left?.aliases?.includes(production) ? news : [])
  }
  useKeys([
    { keys: 'n', does: promptText.keys.nextChange, run: () => stepChange(1) },
    { keys: 'Shift+N', does: promptText.keys.previousChange, run: () => stepChange(-1) },
    { keys: 'x', does: promptText.keys.swap, run: () => !isDraft && compareUrl.commit({ from: to, to: from }) },
    { keys: 'm', does: promptText.keys.move, run: move },
  ])
  const missing = left === undefined ? from : right === undefined && !isDraft ? to : undefined
  const failed = [old, now].find(({ error }) => error)
  return (
    <div class={css.compare} data-changes>
      <CompareBar
        versions={versions}
        from={left?.digest ?? ''}
        to={isDraft ? 'draft' : (right?.digest ?? '')}
        draft={draft && promptText.yourChange}
        summary={blocks && <Summary blocks={blocks} />}
        tools={
          <>
            <Checkbox checked={!all} onChange={(checked) => compareUrl.commit({ all: !checked })}>
              {promptText.onlyChanges}
            </Checkbox>
            {!isDraft && <SwapButton from={from} to={to} />}
            {onMove && right && (
              <Button kind="primary" icon={Tag} hint="M" disabled={blocks === undefined} onClick={move}>
                {promptText.moveProduction}
              </Button>
            )}
          </>
        }
      />
      {missing !== undefined ? (
        <p class={css.note}>{versionText.noSuch(missing)}</p>
      ) : failed ? (
        <ErrorState error={failed.error} retry={() => void failed.refetch()} />
      ) : blocks === undefined || left === undefined ? (
        <LoadingRows columns="1fr 1fr" rows={12} height={20} />
      ) : (
        <>
          <Scores before={uses?.get(left.digest)} after={right && uses?.get(right.digest)} />
          {layout === 'beside' && <SideHeads from={left} to={right} notes={notes} />}
          {blocks.every(({ isEqual }) => isEqual) && <p class={css.note}>{promptText.equal}</p>}
          {runsOf(blocks).map((run) =>
            run.length > 1 ? (
              <EqualRun key={keyOf(run[0])} blocks={run} isOpen={all} layout={layout} />
            ) : (
              run.map((block) => <Block key={keyOf(block)} block={block} isFull={all} layout={layout} />)
            ),
          )}
        </>
      )}
    </div>
  )
}

const readPrompt = (text: string | undefined): Prompt | undefined =>
  text === undefined ? undefined : promptOf(JSON.parse(text))

const keyOf = (block: DiffBlock | undefined): string => `${block?.part} ${block?.left} ${block?.right}`

/** Variables in either format: two versions may differ in it. */
const prose: Prose = (text) => piecesOf(text, text.includes('{{') ? 'mustache' : 'braces')

/** Consecutive equal messages form one run; every other block is a run of its own. */
function runsOf(blocks: readonly DiffBlock[]): readonly (readonly DiffBlock[])[] {
  const runs: DiffBlock[][] = []
  for (const block of blocks) {
    const last = runs.at(-1)
    const joins =
      block.part === 'message' && block.isEqual && last?.every(({ part, isEqual }) => part === 'message' && isEqual)
    if (joins && last) last.push(block)
    else runs.push([block])
  }
  return runs
}

function Summary({ blocks }: { blocks: readonly DiffBlock[] }) {
  const { messages, messagesAll, others } = changedParts(blocks)
  const { added, removed } = countWords(blocks.filter(({ part }) => part === 'message').flatMap(({ rows }) => rows))
  return (
    <>
      {promptText.summaryMessages(messages, messagesAll)}
      {others.length > 0 &&
        ` · ${promptText.alsoChanged(others.map((part) => promptText.partNames[part].toLowerCase()))}`}
      {added + removed > 0 && (
        <>
          {' · '}
          <span class={css.in}>{promptText.wordsIn(formatCount(added))}</span>,{' '}
          <span class={css.out}>{promptText.wordsOut(formatCount(removed))}</span>
        </>
      )}
    </>
  )
}

/**
 * Scores of the calls of both, and how many there are. No verdict: only an evaluation gives
 * one.
 */
function Scores({ before, after }: { before: VersionUse | undefined; after: VersionUse | undefined }) {
  if (before === undefined && after === undefined) return null
  const names = [...new Set([before, after].flatMap((use) => use?.scores.map(({ name }) => name) ?? []))].sort()
  const shown = (use: VersionUse | undefined, name: string) => {
    const mean = use?.scores.find((score) => score.name === name)?.mean
    return mean === undefined ? '–' : mean >= 0 && mean <= 1 ? formatShare(mean) : formatNumber(mean)
  }
  const calls = (use: VersionUse | undefined) => (use === undefined ? '–' : formatCountUpTo(use.calls, 9_999))
  return (
    <dl class={css.scores}>
      {names.slice(0, 4).map((name) => (
        <div key={name} class={css.score}>
          <dt class="cut">{name}</dt>
          <dd>
            <span class={css.old}>{shown(before, name)} → </span>
            <strong>{shown(after, name)}</strong>
          </dd>
        </div>
      ))}
      <div class={css.score}>
        <dt>{promptText.calls}</dt>
        <dd>
          <span class={css.old}>{calls(before)} → </span>
          <strong>{calls(after)}</strong>
        </dd>
      </div>
    </dl>
  )
}

interface BlockProps {
  readonly block: DiffBlock
  readonly isFull: boolean
  readonly layout: 'beside' | 'inline'
}

function Block({ block, isFull, layout }: BlockProps) {
  const { part, role, left, right, rows, isEqual } = block
  const [isOpen, setOpen] = useState(false)
  const { changed, added, removed } = countRows(rows)
  const shown = isOpen || isFull || !isEqual
  const name = part === 'message' ? promptText.roleName(role) : promptText.partNames[part]
  return (
    <section class={css.block} aria-label={name}>
      <button type="button" class={css.head} aria-expanded={shown} disabled={!isEqual} onClick={() => setOpen(!isOpen)}>
        {isEqual && <Icon of={ChevronRight} size={14} class={shown ? css.turned : undefined} />}
        <span class={css[role]}>
          <Icon of={iconOfRole(part === 'tools' ? 'tool' : role)} size={14} />
        </span>
        <strong>{name}</strong>
        <span class={css.hint}>
          {part === 'message' && `${promptText.messageAt(right ?? left ?? 0)} · `}
          {isEqual ? promptText.equalPart : versionText.lines(changed, added, removed)}
        </span>
      </button>
      {shown && (
        <SideDiff
          rows={rows}
          layout={layout}
          prose={part === 'message' ? prose : undefined}
          isFull={isFull || isOpen}
          label={name}
        />
      )}
    </section>
  )
}

function EqualRun({
  blocks,
  isOpen: isFull,
  layout,
}: {
  blocks: readonly DiffBlock[]
  isOpen: boolean
  layout: 'beside' | 'inline'
}) {
  const [isOpen, setOpen] = useState(false)
  const first = blocks[0]?.right ?? 0
  if (isOpen || isFull) {
    return (
      <>
        {blocks.map((block) => (
          <Block key={keyOf(block)} block={block} isFull layout={layout} />
        ))}
      </>
    )
  }
  return (
    <section class={css.block}>
      <button type="button" class={css.head} aria-expanded={false} onClick={() => setOpen(true)}>
        <Icon of={ChevronRight} size={14} />
        {blocks.slice(0, 4).map(({ role }, index) => (
          <span key={index} class={classNames(css.turn, css[role])}>
            <Icon of={iconOfRole(role)} size={14} />
            <span>{promptText.roleName(role)}</span>
          </span>
        ))}
        <span class={css.hint}>{promptText.equalParts(first, blocks.at(-1)?.right ?? first)}</span>
      </button>
    </section>
  )
}
