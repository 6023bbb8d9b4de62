import type { RefObject } from 'preact'
import { useKeys } from '../../state/keys.ts'
import { traceText } from '../../text/trace.ts'
import { traceUrl } from '../../trace/trace-url.ts'
import type { useTraceMoves } from './use-trace-moves.ts'

/** The keys of a trace. */
export function useTraceKeys(moves: ReturnType<typeof useTraceMoves>, { findField, isPathShown }: TraceKeysOptions) {
  const { step, fold, unfold, nextError, nextSlowest, toNeighbour } = moves
  useKeys([
    { keys: 'j', does: traceText.keys.next, run: () => step(1) },
    { keys: 'k', does: traceText.keys.previous, run: () => step(-1) },
    { keys: 'ArrowDown', does: traceText.keys.next, run: (event) => isHere(event) && step(1) },
    { keys: 'ArrowUp', does: traceText.keys.previous, run: (event) => isHere(event) && step(-1) },
    { keys: 'ArrowLeft', does: traceText.keys.close, run: (event) => isHere(event) && fold() },
    { keys: 'ArrowRight', does: traceText.keys.open, run: (event) => isHere(event) && unfold() },
    { keys: '/', does: traceText.keys.find, run: () => findField.current?.focus() },
    { keys: 'e', does: traceText.keys.errorKey, run: nextError },
    { keys: 's', does: traceText.keys.slowest, run: nextSlowest },
    { keys: 'c', does: traceText.keys.critical, run: () => traceUrl.commit({ path: !isPathShown, view: 'tree' }) },
    { keys: '[', does: traceText.keys.previousTrace, run: () => toNeighbour(-1) },
    { keys: ']', does: traceText.keys.nextTrace, run: () => toNeighbour(1) },
  ])
}

/** Whether a key is for the trace: fields, tabs and sliders have their own. */
const isHere = ({ target }: Event) =>
  target === document.body ||
  (target instanceof Element &&
    target.closest('[data-keys=own], [role=tablist], [role=slider], [role=separator]') === null)

interface TraceKeysOptions {
  readonly findField: RefObject<HTMLInputElement | null>
  /** Whether the critical path is shown. */
  readonly isPathShown: boolean
}
