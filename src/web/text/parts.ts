/**
 * A count with its noun: `1 call`, `2,898 calls`, `200+ threads`.
 * @param count as it is shown
 */
export const plural = (count: number | string, one: string, more = `${one}s`): string =>
  `${count} ${String(count) === '1' ? one : more}`

/** How many of a list are shown: `4 runs`, or `2 of 4 runs` where something is left out. */
export const shownOf = (shown: number, all: number, one: string): string => {
  const number = new Intl.NumberFormat('en')
  const whole = plural(number.format(all), one)
  return shown === all ? whole : `${number.format(shown)} of ${whole}`
}

/** Words of the parts that every view uses. */
export const partsText = {
  actions: 'Actions',
  cancel: 'Cancel',
  close: 'Close',
  copied: 'Copied',
  copy: 'Copy',
  notLoaded: 'This part could not be loaded',
  notLoadedMissing: 'The server may have been updated since this window was opened.',
  notLoadedSilent: 'The server does not answer. This is loaded once the server is back.',
  notRead: 'This could not be read',
  reading: 'Reading',
  reload: 'Reload',
  tryAgain: 'Try again',
  kinds: {
    agent: 'Agent',
    llm: 'Model',
    tool: 'Tool',
    retrieval: 'Retrieval',
    embedding: 'Embedding',
    rerank: 'Rerank',
    guardrail: 'Guardrail',
    evaluation: 'Evaluation',
    scorer: 'Scorer',
    function: 'Function',
    chain: 'Chain',
    request: 'Request',
    media: 'Media',
    person: 'Person',
  },
  statuses: {
    success: 'OK',
    running: 'Running',
    descendant_error: 'Error inside',
    error: 'Error',
    warning: 'Warning',
    cancelled: 'Cancelled',
  },
} as const

/** Words about usage that several calls state. */
export const usageText = {
  repeated: 'counted in other calls',
  repeatedWhy: 'Calls below or beside this one report this usage too. Totals count it there, once.',
} as const
