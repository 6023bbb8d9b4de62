import { DomainError } from '../lib/errors.ts'

/** Whether the store accepts writes. `reason` is public: no paths, no internals. */
export type StoreState =
  | { readonly ok: true; readonly damagedFiles?: number }
  | { readonly ok: false; readonly reason: string }

/** Whether the server can do its work. */
export class Health {
  private readonly storeState: () => StoreState

  constructor(options: { storeState: () => StoreState }) {
    this.storeState = options.storeState
  }

  /** @throws DomainError StoreUnavailable with the reason while the store does not accept writes */
  check(): { status: 'ok'; damaged_files?: number } {
    const state = this.storeState()
    if (!state.ok) throw new DomainError('StoreUnavailable', state.reason)
    const { damagedFiles = 0 } = state
    return damagedFiles === 0 ? { status: 'ok' } : { status: 'ok', damaged_files: damagedFiles }
  }
}
