/** What an operation on a file does. */
type StepKind = 'open' | 'create' | 'write' | 'cut' | 'sync' | 'link' | 'rename' | 'remove' | 'mkdir' | 'read'

/** One operation of the program under test on a file or folder. */
export interface Step {
  readonly kind: StepKind
  readonly path: string
  /** Where it goes: renames and links. */
  readonly to?: string
}

/** How an operation is to end. */
export type Verdict =
  | { readonly does: 'pass' }
  /** Nothing is done, and the caller is told that it succeeded. */
  | { readonly does: 'pretend' }
  /** Only so many bytes are written. */
  | { readonly does: 'write less'; readonly bytes: number }
  | { readonly does: 'fail'; readonly error: Error }

/**
 * Decides about every operation, and sees those that were done. See
 * docs/decisions/171-torture-below-the-runtime.md.
 */
export interface FileHooks {
  before(step: Step): Verdict | Promise<Verdict>
  done(change: Change): void
}

/** What was changed in the file system. */
export type Change =
  | { readonly kind: 'created'; readonly path: string; readonly isFolder: boolean }
  | { readonly kind: 'linked' | 'renamed'; readonly path: string; readonly to: string }
  | { readonly kind: 'removed'; readonly path: string }
  | { readonly kind: 'written'; readonly path: string; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'cut'; readonly path: string; readonly size: number }
  | { readonly kind: 'synced'; readonly path: string }

/** The hooks of this process; undefined while its operations pass undisturbed. */
export const installed: { hooks: FileHooks | undefined } = { hooks: undefined }

/** An error as the operating system reports it. */
export function systemError(code: string, step: Step): Error {
  const text = `${code}: injected, ${step.kind} '${step.path}'`
  return Object.assign(new Error(text), { code, syscall: step.kind, path: step.path })
}
