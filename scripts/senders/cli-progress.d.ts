// The part that we use of cli-progress 3, which ships no types of its own.
declare module 'cli-progress' {
  export interface BarOptions {
    format?: string
    hideCursor?: boolean
    clearOnComplete?: boolean
  }
  export class SingleBar {
    constructor(options: BarOptions, preset?: object)
    start(total: number, value: number, payload?: Record<string, unknown>): void
    update(value: number, payload?: Record<string, unknown>): void
    stop(): void
  }
  export const Presets: { readonly shades_classic: object }
  const cliProgress: { SingleBar: typeof SingleBar; Presets: typeof Presets }
  export default cliProgress
}
