import { useState } from 'preact/hooks'
import { ToolFold } from '../call/messages/tool-fold.tsx'
import { Button } from '../components/controls/button.tsx'
import { TextArea } from '../components/controls/text-area.tsx'
import { Badge } from '../components/display/badge.tsx'
import { playgroundText } from '../text/playground.ts'
import type { Run } from './run.ts'
import css from './tool-results.module.css'
import type { ToolResult } from './use-source.ts'

interface ToolCallsProps {
  readonly toolCalls: Run['toolCalls']
  readonly canAnswer: boolean
  readonly resultOf: (call: Run['toolCalls'][number]) => ToolResult | undefined
  readonly onResults: (results: readonly string[]) => void
}

/** The tools that the model called, with a field for each result: from the trace, or by hand. */
export default function ToolCalls({ toolCalls, canAnswer, resultOf, onResults }: ToolCallsProps) {
  const [typed, setTyped] = useState<readonly (string | undefined)[]>([])
  const traced = toolCalls.map(resultOf)
  const results = toolCalls.map((_, index) => typed[index] ?? traced[index]?.text ?? '')
  const isFull = results.every((result) => result !== '')
  return (
    <div class={css.tools}>
      {toolCalls.map((call, index) => (
        <div key={call.id} class={css.tool}>
          <ToolFold name={call.name} args={call.arguments} hasFailed={false} isOpenAtFirst />
          {canAnswer && (
            <TextArea
              class={css.result}
              label={
                <span class={css.resultHead}>
                  {playgroundText.resultOf(call.name)}
                  <Badge tone="outline">
                    {typed[index] !== undefined || traced[index] === undefined
                      ? playgroundText.byHand
                      : traced[index].isSame
                        ? playgroundText.fromTrace
                        : playgroundText.fromTraceOther}
                  </Badge>
                </span>
              }
              rows={3}
              dir="auto"
              value={results[index]}
              onInput={({ currentTarget }) =>
                setTyped(toolCalls.map((_, at) => (at === index ? currentTarget.value : typed[at])))
              }
            />
          )}
        </div>
      ))}
      {canAnswer && (
        <Button size="compact" disabled={!isFull} onClick={() => onResults(results)}>
          {playgroundText.giveResult}
        </Button>
      )}
    </div>
  )
}
