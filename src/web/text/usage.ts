/** Words about usage that several calls state. */
export const usageText = {
  repeated: 'counted in other calls',
  repeatedWhy: 'Calls below this one, or one beside it, state this usage too. Totals count it once, there.',
} as const
