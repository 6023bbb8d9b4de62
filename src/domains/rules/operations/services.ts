import type { Rules } from '../rules.ts'

/** The services that these operations are given. */
export interface RulesServices {
  readonly rules: Rules
}
