import { signal } from '@preact/signals'

interface DraftKind<Draft> {
  /** First words of the keys in the browser's storage. */
  readonly prefix: string
  /** A draft from what was kept; undefined if another version of this page kept it. May throw. */
  readonly read: (kept: unknown, name: string) => Draft | undefined
  /** What is kept of a draft; without it, all. */
  readonly write?: (draft: Draft) => unknown
}

/** Unsaved changes of stored objects of one kind, which this browser keeps by project and name. */
export class Drafts<Draft> {
  private readonly kind: DraftKind<Draft>
  /** Counts each time that an object gets or loses its draft. */
  private readonly changes = signal(0)

  constructor(kind: DraftKind<Draft>) {
    this.kind = kind
  }

  /** The unsaved changes of an object; undefined if there are none. */
  find(projectId: string, name: string): Draft | undefined {
    try {
      const kept = localStorage.getItem(this.keyOf(projectId, name))
      return kept === null ? undefined : this.kind.read(JSON.parse(kept), name)
    } catch {
      return undefined // No storage here, or a draft of another version of this page.
    }
  }

  /**
   * Keeps unsaved changes, so that they survive a reload; undefined forgets them.
   *
   * @returns false if storage is unavailable or full: they then last as long as the page
   */
  keep(projectId: string, name: string, draft: Draft | undefined): boolean {
    const key = this.keyOf(projectId, name)
    try {
      const wasKept = localStorage.getItem(key) !== null
      if (draft === undefined) localStorage.removeItem(key)
      else localStorage.setItem(key, JSON.stringify(this.kind.write?.(draft) ?? draft))
      if (wasKept !== (draft !== undefined)) this.changes.value++
      return true
    } catch {
      return false
    }
  }

  /** Names of the objects of a project that have unsaved changes; reading them subscribes. */
  names(projectId: string): readonly string[] {
    const prefix = this.keyOf(projectId, '')
    void this.changes.value
    try {
      return Object.keys(localStorage).flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []))
    } catch {
      return []
    }
  }

  private keyOf(projectId: string, name: string): string {
    return `${this.kind.prefix} ${projectId} ${name}`
  }
}
