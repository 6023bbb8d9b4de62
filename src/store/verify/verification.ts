import type { Writer } from '../../duck/writer.ts'

/** What the parts of a verification share. */
export interface Verification {
  readonly writer: Writer
  readonly dataFolder: string
  /** Hears of a fault. @param place a path below the data folder, or what else tells where it is */
  readonly report: (place: string, fault: string) => void
  readonly onProgress: (what: string, done: number, of?: number) => void
}

/** Why something failed, in one line. */
export const reason = (cause: unknown): string => {
  const text = cause instanceof Error ? cause.message : String(cause)
  return text.split('\n')[0]!
}
