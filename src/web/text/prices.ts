/** Words of the page about prices. */
export const pricesText = {
  add: 'Add price',
  cacheRead: 'Cached input',
  cacheWrite: 'Cache write',
  from: 'From',
  input: 'Input',
  lead: (project: string) =>
    `Own prices of ${project}, in dollars per million tokens. Models without one get the price of the built-in list.`,
  model: 'Model',
  modelHint: 'As calls name it, such as gpt-4o.',
  none: 'No own prices',
  noneReason: 'Calls of known models have the price of the built-in list, by their date.',
  noProject: 'Open a project first',
  noProjectReason: 'Prices belong to a project.',
  output: 'Output',
  remove: 'Remove',
  removeTitle: (model: string) => `Remove the price of “${model}”?`,
  removeText: 'Costs are computed when they are read: those of past calls change too.',
  save: 'Save',
  wrong: 'Write a number of 0 or more.',
} as const
