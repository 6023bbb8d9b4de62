import { signal } from '@preact/signals'
import { eraseProject, erasureQuery } from '../api/settings.ts'
import { queries } from '../state/query-signal.ts'
import type { DemoPosition } from './demo-steps.ts'

/** The project of the demo, if the key may write to it. */
export const demoProject = 'demo/airline'

const pollMs = 500

/** What is being done with the demo, kept while its card is not shown. */
type DemoProgress = ({ readonly kind: 'loading' } & DemoPosition) | { readonly kind: 'deleting' }

/** Undefined while nothing is being done. */
export const demoProgress = signal<DemoProgress>()

/** Sends the demo to a project. @throws {Problem} */
export const sendDemo = (projectId: string): Promise<void> =>
  during({ kind: 'loading', step: 'prompts', done: 0, all: 0 }, async () => {
    const { loadDemo } = await import('./load-demo.ts')
    await loadDemo(projectId, (position) => {
      demoProgress.value = { kind: 'loading', ...position }
    })
  })

/**
 * Erases the project of the demo, and waits until it can be loaded again: until then, the project
 * takes no writes.
 *
 * @throws {Problem}
 */
export const deleteDemo = (): Promise<void> =>
  during({ kind: 'deleting' }, async () => {
    await eraseProject(demoProject)
    for (;;) {
      const erasure = await queries.fetchQuery({ ...erasureQuery(demoProject), staleTime: 0 })
      if (erasure?.state === 'failed') throw new Error(erasure.error ?? '')
      if (erasure?.state !== 'running') return
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  })

async function during(progress: DemoProgress, work: () => Promise<void>): Promise<void> {
  demoProgress.value = progress
  try {
    await work()
  } finally {
    demoProgress.value = undefined
    // Nothing of what has been read is as it was.
    await queries.invalidateQueries()
  }
}
