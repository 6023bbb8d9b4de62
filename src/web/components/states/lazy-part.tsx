import { signal } from '@preact/signals'
import { type ComponentChild, type ComponentType, type FunctionComponent, h } from 'preact'
import { useEffect } from 'preact/hooks'
import { probeServer, returns } from '../../api/outage.ts'
import { LoadFailed } from '../display/load-failed.tsx'
import { LoadingRows } from './loading-rows.tsx'

/** A component whose script is loaded when it is first shown. */
export interface LazyPart<Props> extends FunctionComponent<Props> {
  /** Loads the script. @throws {PartFailure} */
  readonly load: () => Promise<void>
  readonly isLoaded: () => boolean
}

/** The script of a part could not be loaded. */
export class PartFailure extends Error {
  override readonly name = 'PartFailure'
  /** Whether the server answers: then it no longer has the script, because it was upgraded. */
  readonly isMissing: boolean

  constructor(isMissing: boolean, cause: unknown) {
    super('The script of a part of the page could not be loaded', { cause })
    this.isMissing = isMissing
  }
}

/** Placeholder of a part. */
interface Instead {
  /** While its script is loaded. */
  readonly loading?: () => ComponentChild
  /** When that failed. */
  readonly failed?: (failure: PartFailure, retry: () => void) => ComponentChild
}

/**
 * A component that is loaded when it is first shown. When loading fails because the server does not
 * answer, it is tried again once the server is back; the page around it stays as it is. See
 * docs/decisions/207-views-after-their-scripts.md.
 */
export function lazyPart<Props extends object>(
  fetchPart: () => Promise<{ readonly default: ComponentType<Props> }>,
  { loading = () => <LoadingRows rows={6} />, failed = showFailure }: Instead = {},
): LazyPart<Props> {
  const part = signal<ComponentType<Props> | undefined>(undefined)
  const failure = signal<PartFailure | undefined>(undefined)
  let pending: Promise<void> | undefined

  const load = (): Promise<void> => {
    pending ??= fetchPart()
      .catch((cause: unknown) => again(fetchPart, cause))
      .then(
        (module) => {
          part.value = module.default
        },
        async (cause: unknown) => {
          const reason = new PartFailure(await probeServer(), cause)
          pending = undefined
          failure.value = reason
          throw reason
        },
      )
    return pending
  }
  const retry = (): void => {
    failure.value = undefined
    // It is shown where the part would be.
    load().catch(() => {})
  }

  const Part = (props: Props) => {
    const loaded = part.value
    const reason = failure.value
    const returned = returns.value
    // A part that failed is loaded again when it is opened again, or when the server is back.
    useEffect(() => {
      if (part.peek() === undefined) retry()
    }, [returned])
    if (loaded) return h(loaded, props)
    return reason ? failed(reason, retry) : loading()
  }
  return Object.assign(Part, { load, isLoaded: () => part.peek() !== undefined })
}

/** A server that is about to stop still answers: what failed once need not be missing. */
async function again<Module>(fetchPart: () => Promise<Module>, cause: unknown): Promise<Module> {
  if (!(await probeServer())) throw cause
  return fetchPart()
}

const showFailure: NonNullable<Instead['failed']> = (failure, retry) => (
  <LoadFailed isMissing={failure.isMissing} retry={retry} />
)
