import { plural } from '../parts.ts'

/** Words of the page about runtimes. */
export const runtimesText = {
  add: 'Add runtime',
  address: 'Base URL',
  addressHint: 'Of an API that is compatible with OpenAI’s; “/chat/completions” is appended.',
  addressWrong: 'Write an address such as https://llm.example.com/v1.',
  change: 'Edit…',
  changeTitle: (name: string): string => `Edit “${name}”`,
  copyModel: (model: string): string => `Copy ${model}`,
  headers: 'Headers',
  headersHint:
    'One per line, such as “x-team: search”. Everyone who reads the project sees them: keys belong in a secret.',
  headersWrong: 'Write each as “name: value”.',
  lead: (project: string): string =>
    `Model servers and gateways of ${project}, for the playground, judges and evaluations.`,
  models: 'Models',
  modelsHint: 'One per line, as the endpoint names them.',
  modelsTwice: (model: string): string => `“${model}” is there twice.`,
  more: (count: number): string => `and ${plural(count, 'more', 'more')}`,
  name: 'Name',
  nameHint: 'Part of the names of its models: custom::name::model.',
  nameTaken: (name: string): string => `There is a runtime “${name}” already.`,
  nameWrong: 'Write a name without spaces and without “::”.',
  noModels: 'no models',
  noProject: 'Open a project first',
  noProjectReason: 'Runtimes belong to a project.',
  none: 'No runtimes',
  noneReason:
    'A runtime is a model server or gateway of your own, such as vLLM or LiteLLM, and the models that it has.',
  notReady: 'not ready',
  ready: 'ready',
  remove: 'Delete',
  removed: (name: string): string => `Deleted the runtime ${name}`,
  save: 'Save',
  secret: 'Secret',
  secretHint: 'Name of the provider secret with its API key. Leave empty if it needs none.',
  state: 'State',
} as const
