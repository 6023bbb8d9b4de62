/** The steps of loading the demo, in their order. */
export const demoSteps = ['prompts', 'calls', 'dataset', 'runs', 'queue'] as const

/** How far loading the demo has come: a step and how much of it; `all` is 0 if it has no parts. */
export interface DemoPosition {
  readonly step: (typeof demoSteps)[number]
  readonly done: number
  readonly all: number
}
