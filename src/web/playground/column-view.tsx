import { CopyPlus, Play, SlidersHorizontal, Square, Trash2, TriangleAlert, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { letterOf, SideMark } from '../compare/side-mark.tsx'
import { Button, IconButton } from '../components/controls/button.tsx'
import { CopyButton } from '../components/controls/copy-button.tsx'
import { Segments } from '../components/controls/segments.tsx'
import { Select } from '../components/controls/select.tsx'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import { MenuButton } from '../components/overlays/menu-button.tsx'
import type { PromptMessage } from '../prompt/prompt.ts'
import { variablesOf } from '../prompt/variables.ts'
import { settingsPath, tracePath } from '../state/paths.ts'
import { isAdmin } from '../state/session.ts'
import { playgroundText } from '../text/playground.ts'
import type { ObjectFamily } from '../versions/objects.ts'
import { Answer, Failure } from './answer.tsx'
import css from './column-view.module.css'
import { Figures } from './figures.tsx'
import { Further } from './message-box.tsx'
import { MessageList } from './message-list.tsx'
import type { ChatMessage, Run } from './run.ts'
import { type ColumnRuns, isRunning } from './use-runs.ts'
import type { ToolResult } from './use-source.ts'
import type { PlayColumn } from './workspace.ts'

interface ColumnViewProps {
  readonly projectId: string
  readonly side: number
  readonly column: PlayColumn
  readonly state: ColumnRuns
  readonly isCurrent: boolean
  readonly canRun: boolean
  readonly canDuplicate: boolean
  readonly canRemove: boolean
  readonly known: ReadonlySet<string>
  readonly families: readonly ObjectFamily[]
  /** Answer of A; undefined in A, or without one. */
  readonly answerOfA: string | undefined
  /** Why its model cannot be called. */
  readonly problem: string | undefined
  /** Shown below the messages until something is run. */
  readonly hint?: ComponentChildren
  readonly costOf: (run: Run) => number | undefined
  readonly resultOf: (call: Run['toolCalls'][number]) => ToolResult | undefined
  readonly onChange: (column: PlayColumn) => void
  readonly onPrompt: (name: string, digest: string) => void
  /** Called before somebody chooses a prompt or a version. */
  readonly onChoose: () => void
  readonly onFocus: () => void
  readonly onRun: (more?: { further?: readonly ChatMessage[]; begun?: string }) => void
  readonly onStop: () => void
  readonly onStopWaiting: () => void
  readonly onSettings: () => void
  readonly onDuplicate: () => void
  readonly onRemove: () => void
}

/** A column: model, prompt, figures of the run, messages and the answer. */
export function ColumnView(props: ColumnViewProps) {
  const { projectId, side, column, state, canRun, known, families, answerOfA, onChange, onRun } = props
  const { prompt, origin, isEdited, notCarried } = column
  const letter = letterOf(side)
  const [at, setAt] = useState(0)
  const [isMarked, setMarked] = useState(true)
  const run = state.runs[at] ?? state.runs[0]
  const isBusy = state.runs.some(isRunning)
  const family = families.find(({ name }) => name === origin?.name)
  const edit = (messages: readonly PromptMessage[]) =>
    onChange({ ...column, isEdited: true, prompt: { ...prompt, messages } })
  const settings = Object.values(prompt.settings).filter((value) => value.trim() !== '').length
  const thread = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  useEffect(() => {
    const element = thread.current
    if (element && isAtEnd.current && run !== undefined) element.scrollTop = element.scrollHeight
  }, [run?.text, run?.state])
  const values = variablesOf(prompt).flatMap(({ name }) => (known.has(name) ? [] : [name]))
  return (
    <section
      class={classNames(css.column, props.isCurrent && css.current)}
      aria-label={playgroundText.columnName(letter)}
      data-column={letter}
      onFocusCapture={props.onFocus}
    >
      <header class={css.head}>
        <div class={css.line}>
          <SideMark side={side} />
          <input
            class={css.model}
            aria-label={`${playgroundText.model} ${letter}`}
            placeholder={playgroundText.modelHint}
            list="playground-models"
            spellcheck={false}
            value={prompt.model}
            onInput={(event) => onChange({ ...column, prompt: { ...prompt, model: event.currentTarget.value.trim() } })}
          />
          {canRun &&
            (isBusy ? (
              <Button icon={Square} aria-label={playgroundText.stop(letter)} onClick={props.onStop}>
                {playgroundText.stopWord}
              </Button>
            ) : (
              <IconButton
                of={Play}
                kind="default"
                label={playgroundText.run(letter)}
                disabled={prompt.model === ''}
                onClick={() => onRun()}
              />
            ))}
          <MenuButton
            label={`${playgroundText.moreActions} ${letter}`}
            side="end"
            items={[
              {
                label: playgroundText.duplicate,
                icon: CopyPlus,
                disabled: !props.canDuplicate,
                run: props.onDuplicate,
              },
              { label: playgroundText.remove, icon: Trash2, disabled: !props.canRemove, run: props.onRemove },
            ]}
          />
        </div>
        <div class={classNames(css.line, css.choices)}>
          <Select
            class={css.prompt}
            label={`${playgroundText.prompt} ${letter}`}
            hideLabel
            value={origin?.name ?? ''}
            onOpen={props.onChoose}
            options={[
              { id: '', label: playgroundText.newPrompt },
              ...(origin !== undefined && family === undefined ? [{ id: origin.name, label: origin.name }] : []),
              ...families.map(({ name }) => ({ id: name, label: name })),
            ]}
            onChange={(name) => {
              const chosen = families.find((each) => each.name === name)
              if (chosen) props.onPrompt(name, chosen.latest.digest)
              else onChange({ ...column, origin: undefined, isEdited: false })
            }}
          />
          {origin !== undefined && (
            <Select
              label={`${playgroundText.promptVersion} ${letter}`}
              hideLabel
              value={origin.digest}
              onOpen={props.onChoose}
              options={(
                family?.versions ?? [{ digest: origin.digest, version_index: origin.index, aliases: undefined }]
              ).map(({ digest, version_index: index, aliases }) => ({
                id: digest,
                label: [
                  isEdited && digest === origin.digest ? playgroundText.edits(`v${index}`) : `v${index}`,
                  ...(aliases ?? []).filter((alias) => alias !== 'latest'),
                ].join(' · '),
              }))}
              onChange={(digest) => props.onPrompt(origin.name, digest)}
            />
          )}
          <Button
            icon={SlidersHorizontal}
            aria-label={playgroundText.settingsTitle(letter)}
            class={css.settings}
            onClick={props.onSettings}
          >
            {playgroundText.settingsCount(settings)}
          </Button>
        </div>
      </header>
      {props.problem !== undefined && (
        <p class={css.problem} role="alert">
          {props.problem}.{' '}
          {isAdmin.value ? <a href={settingsPath('secrets')}>{playgroundText.addSecret}</a> : playgroundText.askAdmin}
        </p>
      )}
      <Figures run={run} cost={run && props.costOf(run)} attempt={state.attempt} />
      <div
        ref={thread}
        class={css.thread}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24
        }}
      >
        {notCarried.length > 0 && (
          <p class={css.notice} role="status">
            <Icon of={TriangleAlert} size={14} />
            <span>
              {playgroundText.notCarried} <code>{notCarried.join(', ')}</code>
            </span>
            <IconButton
              of={X}
              size="compact"
              label={playgroundText.close}
              onClick={() => onChange({ ...column, notCarried: [] })}
            />
          </p>
        )}
        <MessageList prompt={prompt} letter={letter} known={known} isReadOnly={!canRun} onChange={edit} />
        {state.further.map((message, index) => (
          <Further key={index} message={message} />
        ))}
        {state.runs.length > 1 && (
          <Segments
            label={playgroundText.runs}
            options={state.runs.map((_, index) => ({ id: String(index), label: index + 1 }))}
            current={String(state.runs[at] ? at : 0)}
            onSelect={(id) => setAt(Number(id))}
          />
        )}
        {run &&
          (run.state === 'failed' ? (
            <Failure
              run={run}
              againAt={state.againAt}
              canRun={canRun}
              onTry={() => onRun({ further: state.further })}
              onDoNotWait={props.onStopWaiting}
            />
          ) : (
            <Answer
              run={run}
              compared={isMarked && side > 0 ? answerOfA : undefined}
              canRun={canRun}
              resultOf={props.resultOf}
              onContinue={() => onRun({ further: state.further, begun: run.text })}
              onResults={(results) => onRun({ further: [...state.further, ...withResults(run, results)] })}
            />
          ))}
        {values.length > 0 && run === undefined && <p class={css.hint}>{playgroundText.withoutValue(values)}</p>}
        {run === undefined && props.hint}
      </div>
      <footer class={css.foot}>
        {run?.callId !== undefined && run.traceId !== undefined ? (
          <a class="mono" href={tracePath(projectId, run.traceId, run.callId)}>
            {playgroundText.call(run.callId.slice(0, 8))}
          </a>
        ) : (
          <span class={css.hint}>
            {run === undefined ? playgroundText.noResults : playgroundText.states[run.state]}
          </span>
        )}
        {side > 0 && answerOfA !== undefined && (
          <span class={css.differences}>
            <span class={css.hint}>{playgroundText.differences}</span>
            <Segments
              label={`${playgroundText.differences} ${letter}`}
              options={[
                { id: 'text', label: playgroundText.inText },
                { id: 'off', label: playgroundText.off },
              ]}
              current={isMarked ? 'text' : 'off'}
              onSelect={(id) => setMarked(id === 'text')}
            />
          </span>
        )}
        {run && run.text !== '' && !isBusy && (
          <span class={css.copy}>
            <CopyButton text={run.text} words />
          </span>
        )}
      </footer>
    </section>
  )
}

/** The answer with its tool calls, and a message for each result. */
const withResults = ({ text, toolCalls }: Run, results: readonly string[]): ChatMessage[] => [
  {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: toolCalls.map(({ id, name, arguments: args }) => ({
      id,
      type: 'function',
      function: { name, arguments: args },
    })),
  },
  ...toolCalls.map(({ id }, index) => ({ role: 'tool', tool_call_id: id, content: results[index] ?? '' })),
]
