import type { Convention } from './convention.ts'

/** Common names outside any convention. */
export const generic: Convention = {
  inputs: ['input', 'inputs'],
  output: ['output', 'outputs'],
  attributes: {
    model: ['model_parameters.model', 'model'],
    provider: ['provider'],
  },
}

/** https://docs.openlit.io/latest/sdk/features/tracing */
export const openLit: Convention = {
  inputs: ['gen_ai.content.prompt'],
  output: ['gen_ai.content.completion'],
}
