/** Words of the programs that evaluate models which are not on the server. */
export const evaluationCodeText = {
  title: 'Evaluate from code',
  lead: (evaluation: string) =>
    `A model that is not on the server is evaluated by your program: over the same rows, as a run of ${evaluation}. ` +
    'Scores of the same names can be compared.',
  again: (evaluation: string) =>
    'A program reported this run and stopped before its end. Its rows are kept. Run that program again, or this one: ' +
    `it starts a new run of ${evaluation}.`,
  callModel: 'call your model here',
  runThis: 'Run this',
  language: 'Language',
  languages: { python: 'Python', typescript: 'TypeScript' },
  key: 'A key of the role write, for WANDB_API_KEY.',
  close: 'Close',
  open: 'Run from code',
  runAgain: 'Run again',
  onServer: 'Start on the server',
} as const
