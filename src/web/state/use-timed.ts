import { useState } from 'preact/hooks'

/** Wraps a query function, and measures its last run. */
export function useTimed<Context, Data>(
  run: (context: Context) => Promise<Data>,
): {
  readonly timed: (context: Context) => Promise<Data>
  readonly elapsedMs: number | undefined
} {
  const [elapsedMs, setElapsedMs] = useState<number>()
  const timed = async (context: Context): Promise<Data> => {
    const started = performance.now()
    const data = await run(context)
    setElapsedMs(performance.now() - started)
    return data
  }
  return { timed, elapsedMs }
}
