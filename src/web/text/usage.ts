/** Words about usage that several calls state. */
export const usageText = {
  repeated: 'counted in other calls',
  repeatedWhy: 'Calls below or beside this one report this usage too. Totals count it there, once.',
} as const
