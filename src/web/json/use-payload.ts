import { useEffect, useRef, useState } from 'preact/hooks'
import { post } from '../api/client.ts'
import { useReturn } from '../state/use-return.ts'

/** Characters of a value that are read at first, and at a time after that. */
const firstChars = 256 * 1024
const sliceChars = 2 * 1024 * 1024

interface Slice {
  readonly path: string
  readonly type: string
  readonly characters: number
  readonly offset: number
  readonly text: string
  readonly next_offset: number | null
}

/** The stored JSON text of a part of a call, as far as it was read. */
export interface Payload {
  readonly text: string | undefined
  /** Characters of the whole value. */
  readonly characters: number
  readonly isWhole: boolean
  readonly isReading: boolean
  readonly error: unknown
  readonly loadAll: () => void
  readonly retry: () => void
}

/** Reads `inputs`, `output` or another path of a call: the first part, and the rest on demand. */
export function usePayload(projectId: string, callId: string, path: string, isEnded = true): Payload {
  const [state, setState] = useState<Omit<Payload, 'loadAll' | 'retry'>>(nothing)
  const control = useRef(new AbortController())
  const next = useRef<number | null>(0)

  const read = async (length: number, untilEnd: boolean): Promise<void> => {
    const { signal } = control.current
    setState((known) => ({ ...known, isReading: true, error: undefined }))
    try {
      do {
        const offset: number = next.current ?? 0
        const body = { project_id: projectId, call_id: callId, path, offset, length }
        const slice = await post<Slice>('/call/value', body, { signal })
        next.current = slice.next_offset
        setState((known) => ({
          text: offset === 0 ? slice.text : (known.text ?? '') + slice.text,
          characters: slice.characters,
          isWhole: slice.next_offset === null,
          isReading: untilEnd && slice.next_offset !== null,
          error: undefined,
        }))
      } while (untilEnd && next.current !== null)
    } catch (error) {
      if (!signal.aborted) setState((known) => ({ ...known, isReading: false, error }))
    }
  }

  useEffect(() => {
    control.current = new AbortController()
    next.current = 0
    setState(nothing)
    void read(firstChars, false)
    return () => control.current.abort()
  }, [projectId, callId, path, isEnded])

  useReturn(() => {
    if (state.error !== undefined) void read(firstChars, false)
  })

  return { ...state, loadAll: () => void read(sliceChars, true), retry: () => void read(firstChars, false) }
}

const nothing = { text: undefined, characters: 0, isWhole: false, isReading: true, error: undefined }
